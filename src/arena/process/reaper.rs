//! Ends the programs of a match with all processes that they have started, also after the
//! match itself has been killed.
//!
//! Killing a program's process group does not reach descendants that have called `setsid`,
//! and a process whose parent has exited can no longer be traced to the program. On Linux,
//! such orphans are reparented to the program while it runs and to the match afterwards
//! (`PR_SET_CHILD_SUBREAPER`).
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
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// None when the reaper is to end.
    stdin: Option<ChildStdin>,
    /// The ids of all processes that this one has started and not waited for.
    running: BTreeSet<u32>,
}

impl Reaper {
    pub(crate) fn start() -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        detach_from_ctrl_c(&mut command);
        adopt_orphans();
        let mut child = command.spawn()?;
        let running = BTreeSet::from([child.id()]);
        let state = Mutex::new(State { stdin: child.stdin.take(), running });
        Ok(Self { child, state })
    }

    /// Starts a program, of which the reaper learns.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        // Locked, so that it is not taken for an orphan before its id is known.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        state.running.insert(child.id());
        state.write(format!("+{}\n", child.id()));
        Ok(child)
    }

    /// Kills what a program that has ended and been waited for has left behind. From now on
    /// its id may belong to another process.
    pub(super) fn end(&self, id: u32) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.remove(&id);
        state.write(format!("-{id}\n"));
        // The orphans of running programs are those programs' own children.
        #[cfg(target_os = "linux")]
        kill_descendants(std::process::id(), &state.running);
    }
}

impl State {
    fn write(&mut self, line: String) {
        // Without a reaper the match continues.
        let _ = self.stdin.as_mut().map(|stdin| stdin.write_all(line.as_bytes()));
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).stdin.take();
        let _ = self.child.wait();
    }
}

/// Reads which programs start and end. At the end of the input, kills those that have
/// not ended, with their descendants.
pub(crate) fn reap(input: impl BufRead) {
    let mut running = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        match line.split_at_checked(1).map(|(sign, id)| (sign, id.parse::<u32>())) {
            Some(("+", Ok(id))) => drop(running.insert(id)),
            Some(("-", Ok(id))) => drop(running.remove(&id)),
            _ => {}
        }
    }
    running.into_iter().for_each(kill_tree);
}

/// Prepares a program to be ended with all its descendants. It has a process group of its
/// own: Ctrl-C goes to the match, which ends its programs itself.
pub(super) fn prepare(command: &mut Command) {
    detach_from_ctrl_c(command);
    #[cfg(target_os = "linux")]
    // SAFETY: between fork and exec, this makes a single system call and allocates nothing.
    #[allow(unsafe_code)]
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, || {
            adopt_orphans();
            Ok(())
        });
    }
}

/// Makes this process the parent of its descendants whose own parent ends. The program that
/// it executes next keeps that, its children don't have it.
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // Refused by systems before 2013: their orphans stay.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

fn detach_from_ctrl_c(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills the program with this id, and its descendants.
pub(super) fn kill_tree(id: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(id as i32) {
        // The program last: until then, it adopts what its descendants leave behind.
        kill_descendants(id, &BTreeSet::new());
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// Kills the descendants of `root`, except those in `except` and their descendants.
#[cfg(unix)]
fn kill_descendants(root: u32, except: &BTreeSet<u32>) {
    use crate::sys::machine::descendants;
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
    use std::time::Duration;
    /// Each round finds what the killed ones of the last one started meanwhile. What is left
    /// after the last is not allowed to be killed.
    const MAX_ROUNDS: usize = 50;
    const PAUSE: Duration = Duration::from_millis(1);
    for _ in 0..MAX_ROUNDS {
        let found = descendants(root, except);
        if found.is_empty() {
            break;
        }
        for id in found.into_iter().filter_map(|id| Pid::from_raw(id as i32)) {
            let _ = kill_process(id, Signal::KILL);
            // Only those that this process has adopted are its own to wait for.
            let _ = waitpid(Some(id), WaitOptions::NOHANG);
        }
        std::thread::sleep(PAUSE);
    }
}
