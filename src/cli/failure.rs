//! Failures of commands: their messages, their exit codes, and Ctrl-C.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

use crate::sys::stop::Flag;

/// Error of a command, with the exit code that it means. Every error of the
/// library becomes [`Failure::Work`] by `?`; what the arguments are to blame for
/// is said to be so.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are wrong or contradict each other: exit code 2.
    Usage(String),
    /// The work could not be done: exit code 1.
    Work(Box<dyn Error>),
    /// Ended by the user, after saving what was done: exit code 130.
    Interrupted(String),
}

impl Failure {
    /// Wrong arguments, in the words of an error of the library.
    pub(super) fn usage(error: impl ToString) -> Self {
        Self::Usage(error.to_string())
    }

    /// Failed work, in the words of an error that says nothing of files.
    pub(super) fn work(error: impl Into<Box<dyn Error>>) -> Self {
        Self::Work(error.into())
    }

    /// What is wrong in the file at `path`, for `map_err`.
    pub(super) fn in_file<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Self::work(format!("{}: {error}", path.display()))
    }

    /// Whether the reader of the results has closed its end of the pipe.
    pub(super) fn is_closed_pipe(&self) -> bool {
        let Self::Work(error) = self else { return false };
        let error = error.downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Failure::Work(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Interrupted(_) => INTERRUPTED,
        }
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Work(error.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Interrupted(message) => f.write_str(message),
            // Errors of files come as messages with their path: this is stdout's.
            Failure::Work(error) if error.is::<io::Error>() => {
                write!(f, "cannot write the results: {error}")
            }
            Failure::Work(error) => error.fmt(f),
        }
    }
}

/// The exit code of a process that Ctrl-C ended, as shells give it.
const INTERRUPTED: u8 = 130;

/// Raises `flag` at Ctrl-C and the like. A second one ends the process, and so
/// does the first while `ends_at_once` holds. Can be called once a process.
pub(super) fn on_interrupt(
    flag: Flag,
    ends_at_once: impl Fn() -> bool + Send + 'static,
) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        if flag.raise() || ends_at_once() {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .map_err(Failure::work)
}
