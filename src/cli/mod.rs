//! The command line: one file or folder per subcommand.
//!
//! A command writes its results to the writer it is given and returns a `Failure` on
//! errors, which only [`main`] turns into a message and an exit code. Logs go to stderr
//! (`RUST_LOG=debug`).

mod arguments;
mod bench;
mod compare;
mod completions;
mod convert;
mod failure;
mod games;
mod grid;
#[cfg(feature = "kgp")]
mod kgp;
mod learn;
mod man;
mod matches;
mod openings;
mod output;
mod perft;
mod play;
mod proof;
mod puzzles;
mod replay;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod solving;
mod tables;
mod tune;

use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::failure::Failure;
use crate::arena::process::reaper;
use crate::engine::Engine;
use crate::protocol::host;
use crate::sys::foreign::{self, Escaping, Foreign};

/// A Kalah engine: games, matches, exact solving and search experiments.
///
/// Without a command, kalah speaks UCI and UGI on stdin and stdout; type 'help' there.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 success, 1 failure, 2 invalid arguments, 130 ended by Ctrl-C or by a\n\
                  signal to terminate or hang up. In play, learn, puzzles and serve these quit: 0.\n\
                  Logs go to stderr; set RUST_LOG=debug for more detail."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(Box<play::Args>),
    Learn(learn::Args),
    Puzzles(puzzles::Args),
    Games(games::Args),
    #[cfg(feature = "kgp")]
    Kgp(Box<kgp::Args>),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Match(Box<matches::Args>),
    Replay(replay::Args),
    Convert(convert::Args),
    #[command(subcommand)]
    Openings(openings::Command),
    Solve(Box<solve::Args>),
    #[command(subcommand)]
    Proof(Box<proof::Command>),
    #[command(subcommand)]
    Tables(tables::Command),
    Perft(perft::Args),
    Bench(bench::Args),
    #[command(subcommand)]
    Compare(Box<compare::Command>),
    #[command(subcommand)]
    Tune(tune::Command),
    Completions(completions::Args),
    Man(man::Args),
}

/// A logger that drops the traces of the libraries through which `kalah kgp` sends its
/// token, whatever `RUST_LOG` asks for.
struct Logger(env_logger::Logger);

impl log::Log for Logger {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        let has_token =
            ["tungstenite", "rustls"].iter().any(|name| metadata.target().starts_with(name));
        (!has_token || metadata.level() <= log::Level::Info) && self.0.enabled(metadata)
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = record.args().to_string();
            let mut shown = log::Record::builder();
            shown.metadata(record.metadata().clone());
            self.0.log(&shown.args(format_args!("{}", Foreign(&text))).build());
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let environment = env_logger::Env::default().default_filter_or("warn");
    let mut logger = env_logger::Builder::from_env(environment);
    let logger = logger.build();
    log::set_max_level(logger.filter());
    // A second call is impossible: nothing else in the process has a logger.
    let _ = log::set_boxed_logger(Box::new(Logger(logger)));
    // Not a clap command: completions would offer it even if it were hidden.
    if std::env::args_os().nth(1).is_some_and(|word| word == reaper::COMMAND) {
        reaper::reap(io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    output::catch_signals();
    let cli = Cli::try_parse().unwrap_or_else(|error| refuse(&error));
    let mut out = BufWriter::new(io::stdout().lock());
    // Afterwards a terminal whose window was closed is none.
    let is_terminal = io::stdout().is_terminal();
    let done = match cli.command {
        Some(command) => command.run(&mut out),
        None => protocol(&mut Escaping(&mut out)),
    };
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader needs no more, as in `kalah perft 9 | head -1`.
        Err(failure) if failure.is_closed_output(is_terminal) => ExitCode::SUCCESS,
        Err(failure) => {
            // A closed stderr leaves nowhere to report to.
            let _ = writeln!(io::stderr(), "error: {}", Foreign(&failure.to_string()));
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Ends the process with the message of an error in the arguments, or with the help that
/// they ask for.
fn refuse(error: &clap::Error) -> ! {
    let mut words = std::env::args_os();
    if words.any(|word| word.to_string_lossy().contains(foreign::is_control)) {
        // Without the colours, whose escape sequences are like those of an argument.
        let _ = write!(Escaping(io::stderr()), "{}", error.render());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// `kalah` without a command: the protocol on stdin and stdout.
fn protocol(out: &mut dyn Write) -> Result<(), Failure> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(
            out,
            "kalah {version}: type 'help' for the UCI and UGI commands; run 'kalah play' to play"
        )?;
        out.flush()?;
    }
    let mut engine = Engine::with_cached_tables(Engine::DEFAULT_HASH)?;
    engine.set_seed(rand::random());
    Ok(host::run(BufReader::new(io::stdin()), out, engine)?)
}

impl Command {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let out = &mut Escaping(out);
        match self {
            // Their boards have colours; they escape what others wrote.
            Command::Play(args) => args.run(out.0),
            Command::Learn(args) => args.run(out.0),
            Command::Puzzles(args) => args.run(out.0),
            Command::Games(args) => args.run(out.0),
            #[cfg(feature = "kgp")]
            Command::Kgp(args) => args.run(out),
            #[cfg(feature = "serve")]
            Command::Serve(args) => args.run(out),
            Command::Match(args) => args.run(out),
            Command::Replay(args) => args.run(out.0),
            Command::Convert(args) => args.run(out),
            Command::Openings(args) => args.run(out),
            Command::Solve(args) => args.run(out),
            Command::Proof(args) => args.run(out),
            Command::Tables(args) => args.run(out),
            Command::Perft(args) => args.run(out),
            Command::Bench(args) => args.run(out),
            Command::Compare(args) => args.run(out),
            Command::Tune(args) => args.run(out),
            Command::Completions(args) => args.run(Cli::command(), out),
            Command::Man(args) => args.run(Cli::command(), out),
        }
    }
}
