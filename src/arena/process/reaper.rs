//! A process that ends the programs of a match after the match itself has been killed.
//!
//! A killed match cannot end its programs, and some engines search on after their input
//! has closed. The reaper is a second process of this program. It reads which programs
//! start and end; when its input closes, it kills those that are still running.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The argument with which `kalah` runs [`reap`].
pub(crate) const COMMAND: &str = "--reap";

/// The running reaper, from the point of view of the match.
#[derive(Debug)]
pub(crate) struct Reaper {
    child: Child,
    /// None when it is to end.
    stdin: Mutex<Option<ChildStdin>>,
}

impl Reaper {
    pub(crate) fn start() -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        detach_from_ctrl_c(&mut command);
        let mut child = command.spawn()?;
        let stdin = Mutex::new(child.stdin.take());
        Ok(Self { child, stdin })
    }

    /// Reports that a program has started.
    pub(super) fn begin(&self, id: u32) {
        self.write(format!("+{id}\n"));
    }

    /// Reports that a program has ended and been waited for: from now on its id may
    /// belong to another process.
    pub(super) fn end(&self, id: u32) {
        self.write(format!("-{id}\n"));
    }

    fn write(&self, line: String) {
        let mut stdin = self.stdin.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a reaper the match continues.
        let _ = stdin.as_mut().map(|stdin| stdin.write_all(line.as_bytes()));
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        self.stdin.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.child.wait();
    }
}

/// Reads which programs start and end. At the end of the input, kills those that have
/// not ended, with their children.
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
