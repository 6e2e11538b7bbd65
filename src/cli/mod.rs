//! Arguments to a command: one file a subcommand, and what they share.
//!
//! A command writes its results to the writer it is given and reports failure
//! by a [`Failure`]; only [`main`] turns that into a message and an exit code.
//! Logs go to stderr (`RUST_LOG=debug`).

mod arguments;
mod bench;
mod compare;
mod completions;
mod convert;
mod grid;
mod man;
mod matches;
mod openings;
mod perft;
mod play;
mod protocol;
mod records;
mod replay;
mod solve;
mod solving;
mod tables;
mod tune;

use std::error::Error;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use serde::Serialize;

use crate::arena::process::reaper;
use crate::sys::stop::Flag;

/// A Kalah engine: play, matches, exact values and search experiments.
///
/// Without a command it speaks UCI and UGI on stdin and stdout: type `help`.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 interrupted.\n\
                  Logs go to stderr; RUST_LOG=debug shows more of them."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Args),
    Convert(convert::Args),
    Completions(completions::Args),
    Man(man::Args),
    Match(Box<matches::Args>),
    Compare(Box<compare::Args>),
    Openings(openings::Args),
    Perft(perft::Args),
    Play(Box<play::Args>),
    Replay(replay::Args),
    Solve(Box<solve::Args>),
    Tables(tables::Args),
    Tune(tune::Args),
}

/// Error of a command, with the exit code that it means. Every error of the
/// library becomes [`Failure::Work`] by `?`; what the arguments are to blame for
/// is said to be so.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are wrong or contradict each other: exit code 2.
    Usage(String),
    /// The work could not be done: exit code 1.
    Work(Box<dyn Error>),
    /// Ended by the user, after saving what was done: exit code 130.
    Interrupted(String),
}

impl Failure {
    /// Wrong arguments, in the words of an error of the library.
    pub fn usage(error: impl ToString) -> Self {
        Self::Usage(error.to_string())
    }

    /// Failed work, in the words of an error that says nothing of files.
    pub fn work(error: impl Into<Box<dyn Error>>) -> Self {
        Self::Work(error.into())
    }

    /// The error of reading `path`, for `map_err`.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::work(format!("cannot read {}: {error}", path.display()))
    }

    /// The error of writing `path`, for `map_err`.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::work(format!("cannot write {}: {error}", path.display()))
    }

    /// What is wrong in the file at `path`, for `map_err`.
    pub fn in_file<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Self::work(format!("{}: {error}", path.display()))
    }

    /// Whether the reader of the results has closed its end of the pipe.
    fn is_closed_pipe(&self) -> bool {
        let Self::Work(error) = self else { return false };
        let error = error.downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn exit_code(&self) -> u8 {
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

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    // No command of people's: completions would offer even a hidden one.
    if std::env::args_os().nth(1).is_some_and(|word| word == reaper::COMMAND) {
        reaper::reap(io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match cli.command {
        Some(command) => command.run(&mut out),
        None => protocol::run(&mut out),
    };
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has seen enough, as in `kalah perft 9 | head -1`.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // A closed stderr leaves no place to report to.
            let _ = writeln!(io::stderr(), "kalah: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The exit code of a process that Ctrl-C ended, as shells give it.
const INTERRUPTED: u8 = 130;

/// Raises `flag` at Ctrl-C and the like. A second one ends the process, and so
/// does the first while `ends_at_once` holds. Can be called once a process.
fn on_interrupt(
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

/// Writes a result as a line of JSON.
fn write_json(row: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let line = serde_json::to_string(row)?;
    Ok(writeln!(out, "{line}")?)
}

impl Command {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Command::Bench(args) => args.run(out),
            Command::Convert(args) => args.run(out),
            Command::Completions(args) => args.run(out),
            Command::Man(args) => args.run(out),
            Command::Match(args) => args.run(out),
            Command::Compare(args) => args.run(out),
            Command::Openings(args) => args.run(out),
            Command::Perft(args) => args.run(out),
            Command::Play(args) => args.run(out),
            Command::Replay(args) => args.run(out),
            Command::Solve(args) => args.run(out),
            Command::Tables(args) => args.run(out),
            Command::Tune(args) => args.run(out),
        }
    }
}
