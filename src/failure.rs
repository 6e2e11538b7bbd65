//! Failures of commands: their messages and their exit codes.

use std::{error::Error, fmt, io, path::Path};

use kalah_engine::endgame::BuildError;
use kalah_engine::solve::SolveError;
use kalah_terminal::signals::INTERRUPTED;

/// Error of a command, which determines its exit code. `?` turns every library error but those of
/// the solver into [`Failure::Work`]; other errors that are due to the arguments are converted
/// explicitly.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are wrong or contradict each other: exit code 2.
    Usage(String),
    /// The command failed: exit code 1.
    Work(Box<dyn Error>),
    /// Interrupted by the user after the results so far were saved: exit code 130.
    Interrupted(String),
}

impl Failure {
    /// Invalid arguments, with the message from a library error.
    pub(super) fn usage(error: impl ToString) -> Self {
        Self::Usage(error.to_string())
    }

    /// The value of an option or a variable is wrong.
    pub(super) fn wrong(name: &str, error: impl fmt::Display) -> Self {
        Self::Usage(format!("{name}: {error}"))
    }

    /// A failure with the message of `error`, which names its file itself if it has one.
    pub(super) fn work(error: impl Into<Box<dyn Error>>) -> Self {
        Self::Work(error.into())
    }

    /// An error in the file at `path`, for `map_err`.
    pub(super) fn in_file<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Self::work(format!("{}: {error}", path.display()))
    }

    /// Whether the reader of the results has closed its end of the pipe, or the terminal
    /// window to which they were written is gone.
    pub(super) fn is_closed_output(&self, was_terminal: bool) -> bool {
        let Self::Work(error) = self else { return false };
        let Some(error) = error.downcast_ref::<io::Error>() else { return false };
        // A terminal without a window fails with EIO instead of a broken pipe.
        error.kind() == io::ErrorKind::BrokenPipe
            || was_terminal && cfg!(unix) && error.raw_os_error() == Some(libc::EIO)
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
        let reason: &dyn Error = &error;
        match reason.downcast_ref() {
            Some(SolveError::Stopped) => Self::Interrupted(error.to_string()),
            // A refusal by the system is not the fault of the arguments.
            Some(SolveError::Tables(BuildError::Refused(_))) => Self::Work(error.into()),
            Some(
                SolveError::Memory { .. } | SolveError::OtherTables(_) | SolveError::Tables(_),
            ) => Self::usage(error),
            _ => Self::Work(error.into()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Interrupted(message) => f.write_str(message),
            Failure::Work(error) => match error.downcast_ref::<io::Error>() {
                // File errors are `AccessError`s, which name the file, and thread errors are
                // wrapped, so a bare `io::Error` comes from stdout.
                Some(bare) if bare.get_ref().is_none() => {
                    write!(f, "cannot write the results: {bare}")
                }
                _ => error.fmt(f),
            },
        }
    }
}
