//! The command line: one file or folder per subcommand.
//!
//! A command writes its results to the writer it is given and returns a `Failure` on
//! errors, which only [`main`] turns into a message and an exit code. Logs go to stderr
//! (`RUST_LOG=debug`).

mod analyse;
mod arguments;
mod bench;
mod compare;
mod completions;
mod convert;
mod engines;
mod failure;
#[cfg(feature = "tui")]
mod full_screen;
mod games;
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
mod tables;

use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};

use self::failure::Failure;
#[cfg(not(windows))]
use kalah_arena::process::reaper;
use kalah_engine::Engine;
use kalah_protocol::host;
use kalah_sys::clock;
use kalah_sys::machine::require_open_files;
use kalah_terminal::signals;
use kalah_text::foreign::{self, Escaping, Foreign};
use kalah_text::names::dash_tip;

/// A Kalah engine: games, matches, exact solving and search experiments.
///
/// Without a command, kalah speaks UCI and UGI on stdin and stdout; type 'help' there.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 success, 1 failure, 2 invalid arguments, 130 ended by Ctrl-C or by a\n\
                  signal to terminate or hang up. In play, learn, puzzles and serve, these signals\n\
                  quit with code 0.\n\
                  Logs go to stderr; set RUST_LOG=debug for more detail."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<KalahCommand>,
}

#[derive(Debug, Subcommand)]
enum KalahCommand {
    Play(Box<play::PlayArgs>),
    Learn(learn::LearnArgs),
    Puzzles(puzzles::PuzzlesArgs),
    Games(games::GamesArgs),
    #[cfg(feature = "kgp")]
    Kgp(Box<kgp::KgpArgs>),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    Match(Box<matches::MatchArgs>),
    Replay(replay::ReplayArgs),
    Analyse(analyse::AnalyseArgs),
    Convert(convert::ConvertArgs),
    #[command(subcommand)]
    Openings(openings::OpeningsCommand),
    Solve(Box<solve::SolveArgs>),
    #[command(subcommand)]
    Proof(Box<proof::ProofCommand>),
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    #[command(subcommand)]
    Compare(Box<compare::CompareCommand>),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
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
            // Messages quote servers, files and arguments, which may contain control characters.
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

/// Without the feature of `env_logger` that dates its lines, which would compile a calendar with time
/// zones.
fn log_line(out: &mut env_logger::fmt::Formatter, record: &log::Record<'_>) -> io::Result<()> {
    let now = clock::now();
    let level = record.level();
    let style = out.default_level_style(level);
    writeln!(out, "[{now} {style}{level:<5}{style:#} {}] {}", record.target(), record.args())
}

fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    kalah_sys::machine::restart_with_one_heap();
    let environment = env_logger::Env::default().default_filter_or("warn");
    let logger = env_logger::Builder::from_env(environment).format(log_line).build();
    log::set_max_level(logger.filter());
    // A second call is impossible: nothing else in the process has a logger.
    let _ = log::set_boxed_logger(Box::new(Logger(logger)));
    // Not a clap command: completions would offer it even if it were hidden.
    #[cfg(not(windows))]
    if std::env::args_os().nth(1).is_some_and(|word| word == reaper::COMMAND) {
        reaper::reap(io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    signals::catch();
    let matches = command().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => Ok(Some(cli)),
        Err(error) => refuse(error),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    // Checked before the command runs: a terminal whose window is closed later no longer counts
    // as one.
    let is_terminal = io::stdout().is_terminal();
    let done = cli.and_then(|cli| match cli {
        None => Ok(()),
        Some(Cli { command: Some(command) }) => command.run(&mut out),
        Some(Cli { command: None }) => protocol(&mut Escaping(&mut out)),
    });
    // Before a failure is reported, so that it follows the output that it is about.
    let flushed = out.flush();
    match done.and_then(|()| Ok(flushed?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader needs no more, as in `kalah perft 9 | head -1`.
        Err(failure) if failure.is_closed_output(is_terminal) => ExitCode::SUCCESS,
        Err(failure) => {
            // If stderr is closed, there is nowhere to report this.
            let _ = writeln!(io::stderr(), "error: {}", Foreign(&failure.to_string()));
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The arguments. Emacs and some containers set `COLUMNS` to 0, for which clap would put every
/// word of its help on a line of its own.
fn command() -> clap::Command {
    const MIN_COLUMNS: usize = 40;
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let command = grouped(repeatable(Cli::command()));
    match columns {
        Some(0..MIN_COLUMNS) => command.term_width(MIN_COLUMNS),
        _ => command,
    }
}

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["play", "serve", "learn", "puzzles", "games"]),
    ("Study", &["analyse", "replay", "convert", "solve"]),
    ("Tournaments", &["match", "openings"]),
    ("Engine", &["kgp", "bench", "perft", "tables"]),
    ("Laboratory", &["compare", "proof"]),
    ("Shell", &["completions", "man", "help"]),
];

/// Lists the commands in groups in the help: clap groups options only.
fn grouped(command: clap::Command) -> clap::Command {
    let mut list = String::new();
    for (group, names) in GROUPS {
        list += &format!("\n{group}:\n");
        for name in names {
            let about = match command.find_subcommand(name) {
                Some(found) => found.get_about().map(ToString::to_string).unwrap_or_default(),
                None if *name == "help" => "Print the help of a command".to_owned(),
                // A feature that is left out.
                None => continue,
            };
            list += &format!("  {name:<12} {about}\n");
        }
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}{{after-help}}"
    ))
}

/// Lets a command accept a flag twice, once from an alias and once typed. A repeated option with a
/// value would contradict itself.
fn repeatable(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| match argument.get_action() {
        ArgAction::SetTrue => {
            let id = argument.get_id().clone();
            argument.overrides_with(id)
        }
        _ => argument,
    });
    command.mut_subcommands(repeatable)
}

/// Reports an error in the arguments and ends the process, or prints the help that they
/// request, after which there is nothing to run.
fn refuse(mut error: clap::Error) -> Result<Option<Cli>, Failure> {
    if !error.use_stderr() {
        // `clap::Error::exit` would ignore a failure to write the help.
        error.print()?;
        return Ok(None);
    }
    let words = || std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut tips: Vec<StyledStr> = Vec::new();
    tips.extend(words().find_map(|word| dash_tip(&word)).map(StyledStr::from));
    if let Some(ContextValue::StyledStrs(others)) = error.get(ContextKind::Suggested) {
        tips.extend_from_slice(others);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    if words().any(|word| word.contains(foreign::is_control)) {
        // Rendered without colours, whose escape sequences could not be distinguished from those in
        // an argument.
        let _ = write!(Escaping(io::stderr()), "{}", error.render());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// `kalah` without a command: the protocol on stdin and stdout.
fn protocol(out: &mut dyn Write) -> Result<(), Failure> {
    // A manager expects no output before its first command.
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(
            out,
            "kalah {version}: type 'help' for the UCI and UGI commands; run 'kalah play' to play"
        )?;
        out.flush()?;
    }
    let mut engine = engines::engine(Engine::DEFAULT_HASH)?;
    // With a fixed seed, a weaker level would make the same mistakes in every process.
    engine.set_seed(rand::random());
    Ok(host::run(BufReader::new(io::stdin()), out, engine)?)
}

impl KalahCommand {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let out = &mut Escaping(out);
        let open_files = match &self {
            // A browser opens six connections, and each takes a file.
            #[cfg(feature = "serve")]
            KalahCommand::Serve(_) => 24,
            // A file and its lock, a terminal, and a connection or the pipes of a program.
            _ => 6,
        };
        require_open_files(open_files)?;
        match self {
            // Their boards have colours, so they escape foreign text themselves.
            KalahCommand::Play(args) => args.run(out.0),
            KalahCommand::Learn(args) => args.run(out.0),
            KalahCommand::Puzzles(args) => args.run(out.0),
            KalahCommand::Games(args) => args.run(out.0),
            #[cfg(feature = "kgp")]
            KalahCommand::Kgp(args) => args.run(out),
            #[cfg(feature = "serve")]
            KalahCommand::Serve(args) => args.run(out),
            KalahCommand::Match(args) => args.run(out),
            KalahCommand::Replay(args) => args.run(out.0),
            KalahCommand::Analyse(args) => args.run(out.0),
            KalahCommand::Convert(args) => args.run(out),
            KalahCommand::Openings(args) => args.run(out),
            KalahCommand::Solve(args) => args.run(out),
            KalahCommand::Proof(args) => args.run(out),
            KalahCommand::Tables(args) => args.run(out),
            KalahCommand::Perft(args) => args.run(out),
            KalahCommand::Bench(args) => args.run(out),
            KalahCommand::Compare(args) => args.run(out),
            KalahCommand::Completions(args) => args.run(Cli::command(), out),
            KalahCommand::Man(args) => args.run(Cli::command(), out),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::time::Duration;

    use clap::Arg;
    use clap::builder::ValueParser;
    use clap::error::ErrorKind;

    use super::*;

    /// Whether the values of an argument are of one of these types.
    fn is_any(argument: &Arg, types: &[TypeId]) -> bool {
        types.iter().any(|id| argument.get_value_parser().type_id() == *id)
    }

    /// The arguments of a command and its subcommands that have a value and are `wanted`, with the
    /// value `x`.
    fn all_typed(
        command: &clap::Command,
        before: &[String],
        wanted: &dyn Fn(&Arg) -> bool,
    ) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        let valued = command.get_arguments().filter(|one| one.get_action().takes_values());
        for argument in valued.filter(|argument| wanted(argument)) {
            let typed = argument.get_long().map_or("x".into(), |long| format!("--{long}=x"));
            all.push([before, &[typed]].concat());
        }
        for below in command.get_subcommands() {
            let before = [before, &[below.get_name().to_owned()]].concat();
            all.extend(all_typed(below, &before, wanted));
        }
        all
    }

    fn all_of_types(types: &[TypeId]) -> Vec<Vec<String>> {
        all_typed(&Cli::command(), &["kalah".to_owned()], &|argument| is_any(argument, types))
    }

    fn error(words: &[String]) -> String {
        Cli::try_parse_from(words).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn every_duration_option_accepts_units_and_refuses_text_with_the_same_message() {
        let all = all_of_types(&[TypeId::of::<Duration>()]);
        assert!(all.len() > 10, "{all:?}");
        for mut words in all {
            let refused = error(&words);
            assert!(
                refused.contains(": expected a time such as 2s or 500ms, in whole milliseconds"),
                "{words:?}: {refused}"
            );
            assert!(refused.contains(", got 'x'\n"), "{words:?}: {refused}");
            let option = words.pop().unwrap();
            for time in ["2s", "500ms", "0.5s"] {
                let words = [&words[..], &[option.replace("=x", &format!("={time}"))]].concat();
                // Other arguments that the command requires are missing.
                assert!(!error(&words).contains("expected a time"), "{words:?}");
            }
        }
    }

    #[test]
    fn every_number_option_refuses_text_with_the_same_message() {
        macro_rules! ids {
            ($($number:ty)*) => { [$(TypeId::of::<$number>()),*] };
        }
        let numbers = ids!(u8 u16 u32 u64 usize i32);
        let all = all_of_types(&numbers);
        assert!(all.len() > 50, "{all:?}");
        for words in all {
            let error = Cli::try_parse_from(&words).unwrap_err().to_string();
            assert!(error.contains(": expected a number"), "{words:?}: {error}");
            assert!(error.contains(", got 'x'\n"), "{words:?}: {error}");
        }
    }

    #[test]
    fn every_refusal_of_a_value_states_the_expected_and_the_actual_value() {
        let mut refusals = 0;
        for words in all_typed(&Cli::command(), &["kalah".to_owned()], &|_| true) {
            let Err(error) = Cli::try_parse_from(&words) else { continue };
            if error.kind() == ErrorKind::ValueValidation {
                let error = error.to_string();
                assert!(error.contains(": expected "), "{words:?}: {error}");
                assert!(error.contains("got 'x'"), "{words:?}: {error}");
                refusals += 1;
            }
        }
        assert!(refusals > 80, "{refusals}");
    }

    /// Commands without subcommands. Their options accept any text.
    fn leaves(command: clap::Command) -> Vec<clap::Command> {
        let below: Vec<_> = command.get_subcommands().cloned().collect();
        if !below.is_empty() {
            return below.into_iter().flat_map(leaves).collect();
        }
        vec![command.mut_args(|argument| {
            let is_flag = !argument.get_action().takes_values();
            if is_flag { argument } else { argument.value_parser(ValueParser::string()) }
        })]
    }

    fn typed(argument: &Arg) -> String {
        match argument.get_long() {
            Some(long) if argument.get_action().takes_values() => format!("--{long}=x"),
            Some(long) => format!("--{long}"),
            None => "x".to_owned(),
        }
    }

    /// The error, if any, for a command with the options `more` after `words`.
    fn refusal(command: &clap::Command, words: &[String], more: &[&Arg]) -> Option<clap::Error> {
        let more = more.iter().map(|argument| typed(argument));
        command.clone().try_get_matches_from(words.iter().cloned().chain(more)).err()
    }

    // Once an option that conflicts with the required one is given, clap no longer asks for it. The
    // two must therefore conflict themselves.
    #[test]
    fn an_option_without_the_one_it_requires_is_refused_whatever_else_is_given() {
        let mut pairs = 0;
        for mut command in leaves(Cli::command()) {
            command.build();
            let all = command.get_arguments().filter(|argument| argument.get_id() != "help");
            let (required, optional): (Vec<_>, Vec<_>) = all.partition(|one| one.is_required_set());
            let words = [
                &[command.get_name().to_owned()],
                &required.iter().map(|one| typed(one)).collect::<Vec<_>>()[..],
            ]
            .concat();
            for one in &optional {
                let alone = refusal(&command, &words, &[one]);
                let Some(alone) =
                    alone.filter(|error| error.kind() == ErrorKind::MissingRequiredArgument)
                else {
                    continue;
                };
                let alone = alone.to_string();
                for other in &optional {
                    let is_missing =
                        alone.contains(&other.to_string().replace('[', "<").replace(']', ">"));
                    assert!(
                        is_missing || refusal(&command, &words, &[one, other]).is_some(),
                        "{words:?} {one} {other}"
                    );
                    pairs += 1;
                }
            }
        }
        assert!(pairs > 100, "{pairs}");
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        for below in Cli::command().get_subcommands() {
            let places = grouped.iter().filter(|name| **name == below.get_name()).count();
            assert_eq!(places, 1, "{}", below.get_name());
        }
    }

    #[test]
    fn a_number_out_of_range_is_refused_with_its_range() {
        for (words, range) in [
            ("kalah play --depth 0", "from 1 to 500, got '0'"),
            ("kalah play --elo 1500", "from 0 to 1450, got '1500'"),
            ("kalah match --pairs 0", "from 1 to 10000000, got '0'"),
            ("kalah kgp --port 0", "from 1 to 65535, got '0'"),
            ("kalah kgp --port 99999", "from 1 to 65535, got '99999'"),
            ("kalah openings verify --sample 0.01", "from 0, got '0.01'"),
            ("kalah play --time 0", "from 1ms to 86400s, got '0'"),
            ("kalah play --pause 61", "from 0s to 60s, got '61'"),
            ("kalah proof work x --time 0", "from 1ms to 1000000s, got '0'"),
            ("kalah kgp --overhead 24.1h", "from 0s to 86400s, got '24.1h'"),
        ] {
            let error = Cli::try_parse_from(words.split(' ')).unwrap_err().to_string();
            assert!(error.contains(": expected a ") && error.contains(range), "{error}");
        }
    }
}
