//! A process that ends the programs of a match when the match itself has died.
//!
//! A match that is killed cannot end its programs, and not all of them end with
//! their input. The reaper is this program once more. It reads which programs run,
//! and where its input ends without all of them ended, it kills the others.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The argument with which `kalah` runs [`reap`].
pub(crate) const COMMAND: &str = "--reap";

/// The process that ends an engine when the match's own process is gone.
#[derive(Debug)]
pub(crate) struct Reaper {
    child: Child,
    /// None when it is to end.
    stdin: Mutex<Option<ChildStdin>>,
}

impl Reaper {
    /// # Errors
    /// If the system does not start it.
    pub(crate) fn start() -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        detach_from_ctrl_c(&mut command);
        let mut child = command.spawn()?;
        let stdin = Mutex::new(child.stdin.take());
        Ok(Self { child, stdin })
    }

    /// A program has been started.
    pub(super) fn begin(&self, id: u32) {
        self.write(format!("+{id}\n"));
    }

    /// A program has ended, and been waited for: its id may be another's from now on.
    pub(super) fn end(&self, id: u32) {
        self.write(format!("-{id}\n"));
    }

    fn write(&self, line: String) {
        let mut stdin = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a reaper the match goes on.
        let _ = stdin.as_mut().map(|stdin| stdin.write_all(line.as_bytes()));
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        self.stdin.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.child.wait();
    }
}

/// Reads which programs begin and end, and kills at the end of the input those that
/// have not ended, with their children.
pub(crate) fn reap(input: impl BufRead) {
    let mut running = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        match line.split_at_checked(1).map(|(sign, id)| (sign, id.parse::<u32>())) {
            Some(("+", Ok(id))) => drop(running.insert(id)),
            Some(("-", Ok(id))) => drop(running.remove(&id)),
            _ => {}
        }
    }
    running.into_iter().for_each(kill_group);
}

/// Gives a program its own process group: Ctrl-C goes to the match, which ends
/// its programs itself.
pub(super) fn detach_from_ctrl_c(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills the program with this id, and its children.
pub(super) fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(id as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}
