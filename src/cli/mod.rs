//! Arguments to a command: one file a subcommand, and what they share.
//!
//! A command writes its results to the writer it is given and reports failure
//! by a [`Failure`]; only [`main`] turns that into a message and an exit code.
//! Logs go to stderr (`RUST_LOG=debug`).

mod bench;
mod board;
mod checkpoint;
mod compare;
mod completions;
mod convert;
mod grid;
mod guess;
mod man;
mod matches;
mod openings;
mod perft;
mod play;
mod protocol;
mod records;
mod replay;
mod resources;
mod solve;
mod tables;
mod watch;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use thiserror::Error;

/// A Kalah engine: play, tournaments, exact values and search experiments.
///
/// Without a command it speaks UCI and UGI on stdin and stdout: type `help`.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 done, 1 failed, 2 the arguments make no sense, 130 ended by the user.\n\
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
}

/// Why a command failed; says what was expected and what came.
#[derive(Debug, Error)]
pub enum Failure {
    /// The arguments are each well formed but make no sense together.
    #[error("{0}")]
    Usage(String),
    /// The work could not be done.
    #[error("{0}")]
    Work(String),
    /// The user ended it; what was done is kept.
    #[error("{0}")]
    Interrupted(String),
    /// Results could not be written.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Wrong arguments, in the words of an error of the library.
    pub fn usage(error: impl ToString) -> Self {
        Self::Usage(error.to_string())
    }

    /// Failed work, in the words of an error of the library.
    pub fn work(error: impl ToString) -> Self {
        Self::Work(error.to_string())
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match cli.command {
        Some(command) => command.run(&mut out),
        None => protocol::run(&mut out),
    };
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the results has seen enough: `kalah perft 9 | head -1`.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            // Nothing is left to be told if stderr is closed too.
            let _ = writeln!(io::stderr(), "kalah: {failure}");
            ExitCode::from(match failure {
                Failure::Usage(_) => 2,
                Failure::Interrupted(_) => 130,
                Failure::Work(_) | Failure::Output(_) => 1,
            })
        }
    }
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
        }
    }
}
