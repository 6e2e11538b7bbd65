//! Ends the programs of a match together with all processes that they have started, even after
//! the match itself has been killed: this module takes the place of `reaper.rs` on Windows.
//!
//! Windows kills the processes of a *job object* when the last handle to it is closed, and closes
//! the handles of every process that ends. Processes inherit the jobs of the process that starts
//! them. A second process, as on other systems, is therefore unnecessary.

use std::collections::BTreeMap;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

use win32job::{ExtendedLimitInfo, Job, JobError};

/// The jobs of the running programs, by the ids of the programs.
#[derive(Debug)]
pub(crate) struct Reaper(Mutex<BTreeMap<u32, Job>>);

impl Reaper {
    pub(crate) fn start() -> io::Result<Self> {
        let job = kill_on_close().map_err(io::Error::other)?;
        job.assign_current_process().map_err(io::Error::other)?;
        // The handle stays open until this process ends; closing it would end the process.
        let _handle = job.into_handle();
        Ok(Self(Mutex::default()))
    }

    /// Starts a program in a job of its own.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let child = command.spawn()?;
        // Whatever the program has started by now is in the job of the match alone, and ends with
        // it. Only a suspended process could be assigned earlier, and `Command` cannot resume one.
        let assigned = kill_on_close().and_then(|job| {
            job.assign_process(child.as_raw_handle() as isize)?;
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(child.id(), job);
            Ok(())
        });
        if let Err(error) = assigned {
            log::debug!("no job for a program: {error}");
        }
        Ok(child)
    }

    /// Kills the processes left behind by a program that has ended.
    pub(super) fn end(&self, id: u32) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

fn kill_on_close() -> Result<Job, JobError> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    Job::create_with_limit_info(&limits)
}

/// Gives the program of a command a process group of its own: Ctrl-C reaches only the match, which
/// ends its programs itself.
pub(super) fn prepare(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// Does nothing: [`Reaper::end`] kills the descendants of a program.
pub(super) fn kill_tree(_: u32) {}
