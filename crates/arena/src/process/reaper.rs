//! Ends the programs of a match together with all processes that they have started, even
//! after the match itself has been killed.
//!
//! Killing a program's process group does not reach descendants that have called `setsid`,
//! and a process whose parent has exited can no longer be traced to the program. On Linux,
//! such orphans are reparented to the program while it runs and to the match afterwards
//! (`PR_SET_CHILD_SUBREAPER`).
//!
//! A killed match cannot end its programs, and some engines keep searching after their input
//! has closed. The reaper is a second process of this program. It reads which programs
//! start and end; when its input closes, it kills those that are still running.
//!
//! On macOS, which has no subreapers, processes that have called `setsid` and whose parent has
//! exited survive. On Windows, `job.rs` takes the place of this module.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The argument with which `kalah` runs [`reap`].
pub const COMMAND: &str = "--reap";

/// The running reaper, from the point of view of the match.
#[derive(Debug)]
pub(crate) struct Reaper {
    child: Child,
    state: Mutex<Programs>,
}

#[derive(Debug)]
struct Programs {
    /// None once the reaper has to exit.
    stdin: Option<ChildStdin>,
    /// The ids of all processes that this one has started and not yet waited for.
    running: BTreeSet<u32>,
}

impl Reaper {
    pub(crate) fn start() -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        detach_from_ctrl_c(&mut command);
        adopt_orphans();
        let mut child = command.spawn()?;
        // The reaper is a descendant, too, and must not be killed as an orphan.
        let running = BTreeSet::from([child.id()]);
        let state = Mutex::new(Programs { stdin: child.stdin.take(), running });
        Ok(Self { child, state })
    }

    /// Starts a program and registers it with the reaper.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        // Locked before the spawn: otherwise `end` on a different thread could take the new
        // process for an orphan before its id is registered.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        state.running.insert(child.id());
        state.write(format!("+{}\n", child.id()));
        Ok(child)
    }

    /// Kills the processes left behind by a program that has ended and been waited for. Its
    /// id may be reused from now on.
    pub(super) fn end(&self, id: u32) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.remove(&id);
        state.write(format!("-{id}\n"));
        // Orphans of a running program are reparented to that program, so every other
        // descendant is left over from the one that has ended.
        #[cfg(target_os = "linux")]
        kill_descendants(std::process::id(), &state.running);
    }
}

impl Programs {
    fn write(&mut self, line: String) {
        // A match continues without its reaper.
        let _ = self.stdin.as_mut().map(|stdin| stdin.write_all(line.as_bytes()));
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        // The reaper exits at the end of its input.
        self.state.lock().unwrap_or_else(PoisonError::into_inner).stdin.take();
        let _ = self.child.wait();
    }
}

/// Reads which programs start and end. At the end of the input, kills those that are still
/// running, with their descendants.
pub fn reap(input: impl BufRead) {
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

/// Prepares a command so that its program can be ended with all its descendants. It gets a
/// process group of its own: Ctrl-C reaches only the match, which ends its programs itself.
pub(super) fn prepare(command: &mut Command) {
    detach_from_ctrl_c(command);
    #[cfg(target_os = "linux")]
    // SAFETY: between fork and exec, the closure makes a single system call and allocates
    // nothing.
    #[allow(unsafe_code)]
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, || {
            adopt_orphans();
            Ok(())
        });
    }
}

/// Makes this process the new parent of its orphaned descendants. The setting survives
/// `exec`, but is not inherited by children.
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // Linux before 3.4 refuses this; orphans survive there.
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
        // The program itself comes last: until then, it adopts its orphaned descendants, so
        // that they remain traceable.
        kill_descendants(id, &BTreeSet::new());
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// Kills the descendants of `root`, except those in `except` and their descendants.
#[cfg(unix)]
fn kill_descendants(root: u32, except: &BTreeSet<u32>) {
    use kalah_sys::machine::descendants;
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
    use std::time::Duration;
    /// Each round finds the processes that the previous round's victims started before they
    /// died. A process that takes longer to end than all rounds hangs in the system.
    const MAX_ROUNDS: usize = 1000;
    const PAUSE: Duration = Duration::from_millis(1);
    let mut killed: Vec<Pid> = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let found = descendants(root, except).into_iter();
        for id in found.filter_map(|id| Pid::from_raw(id as i32)) {
            // Fails for want of permission, which no further round would change.
            if kill_process(id, Signal::KILL).is_ok() && !killed.contains(&id) {
                killed.push(id);
            }
        }
        if killed.is_empty() {
            break;
        }
        std::thread::sleep(PAUSE);
        // A process cannot be waited for before it has ended, and then it is a zombie, which
        // `descendants` leaves out. An error means that this process has not adopted it: its own
        // parent waits for it.
        killed.retain(|&id| matches!(waitpid(Some(id), WaitOptions::NOHANG), Ok(None)));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_reaper_kills_the_programs_that_still_run_when_its_input_ends() {
        let sleeping = || {
            let mut command = Command::new("sleep");
            command.arg("1000");
            prepare(&mut command);
            command.spawn().unwrap()
        };
        let mut running = sleeping();
        let mut ended = sleeping();
        let input = format!("+{}\n+{}\n-{}\nx\n", running.id(), ended.id(), ended.id());
        reap(input.as_bytes());
        let is_killed = |_| {
            std::thread::sleep(Duration::from_millis(10));
            running.try_wait().unwrap().is_some()
        };
        assert!((0..6000).any(is_killed), "it still runs after a minute");
        assert!(ended.try_wait().unwrap().is_none(), "its id may be that of another process");
        ended.kill().unwrap();
        ended.wait().unwrap();
    }
}
