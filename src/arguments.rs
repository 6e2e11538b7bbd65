//! Arguments that several commands share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};

use super::failure::Failure;
use kalah_engine::endgame::{Tables, folder::cache};
use kalah_engine::guess_margin;
use kalah_engine::solve::{SolverSettings, TableChoice};
use kalah_game::{Capture, MAX_SEEDS, Position, PositionText, Rules, Variant};
use kalah_record::Game;
use kalah_record::file;
use kalah_record::opening::Opening;
use kalah_sys::machine::processors;
use kalah_terminal::{palette::Theme, terminal::Terminal};
use kalah_text::names::missing;
use kalah_text::typed::number;

/// The parser of options for output files. Only `convert` writes to a pipe; the other commands would
/// create a file of that name.
pub(super) fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") { Err("expected a file name, got '-'") } else { Ok(path) }
    })
}

/// The game that the option `--game` chooses by its number from 1, or all `games`.
pub(super) fn chosen(mut games: Vec<Game>, number: Option<usize>) -> Result<Vec<Game>, Failure> {
    let Some(number) = number else { return Ok(games) };
    let count = games.len();
    if number > count {
        let missing = missing("game", number, count);
        return Err(Failure::wrong("--game", missing));
    }
    Ok(vec![games.swap_remove(number - 1)])
}

/// The ids of the options that were typed, without those left at their default values. This must
/// be the first field of a command, because parsing the other fields removes their values.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenOptions(Vec<String>);

impl GivenOptions {
    pub(super) fn has(&self, id: &str) -> bool {
        self.0.iter().any(|given| given == id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let ids = matches.ids().map(Id::as_str);
        let typed = ids.filter(|id| matches.value_source(id) == Some(ValueSource::CommandLine));
        // The groups that clap derives from structs are named after the types.
        let options = typed.filter(|id| !id.starts_with(char::is_uppercase));
        Ok(Self(options.map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Pits and capture rule, without seeds.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct VariantArgs {
    /// Pits per row, 1 to 16
    #[arg(long, default_value_t = 6, value_parser = number::<u32>(0..))]
    pub pits: u32,
    #[command(flatten)]
    pub capture: CaptureArgs,
}

impl VariantArgs {
    /// # Errors
    /// [`Failure::Usage`] if the number of pits is out of range.
    pub(super) fn variant(self) -> Result<Variant, Failure> {
        Variant::new(self.pits as usize, self.capture.rule).map_err(Failure::usage)
    }
}

/// A start position, given by its size.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct StartArgs {
    #[command(flatten)]
    pub variant: VariantArgs,
    /// Seeds per pit at the start
    #[arg(long, default_value_t = 4, value_parser = number::<u32>(0..))]
    pub seeds: u32,
}

impl StartArgs {
    /// # Errors
    /// [`Failure::Usage`] if no such board exists.
    pub(super) fn rules(&self) -> Result<Rules, Failure> {
        let VariantArgs { pits, capture } = self.variant;
        Rules::new(pits, self.seeds, capture.rule).map_err(Failure::usage)
    }
}

/// A start position, given by its size, or any position, given as text.
#[derive(Clone, Debug, Args)]
pub(super) struct BoardArgs {
    #[command(flatten)]
    given: GivenOptions,
    #[command(flatten)]
    start: StartArgs,
    /// Use this position, written `<pits,S store,N store,S row…,N row…> S`, instead of --pits
    /// and --seeds
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["pits", "seeds"])]
    position: Option<String>,
}

impl BoardArgs {
    /// The usual board, with the capture rule that the options name.
    pub(super) fn usual(&self) -> Rules {
        Rules::usual(self.start.variant.capture.rule)
    }

    /// The openings in the file at `path`, whose moves start from this board.
    ///
    /// # Errors
    /// [`Failure::Usage`], with the name of the `option`, if they cannot be read or contradict
    /// these options.
    pub(super) fn openings(&self, option: &str, path: &Path) -> Result<Vec<Opening>, Failure> {
        let start = self.position()?;
        let openings = file::read_openings(path, start)
            .map_err(|error| Failure::Usage(format!("{option}: {error}")))?;
        match openings.iter().find(|opening| !self.describes(&opening.start, &start)) {
            None => Ok(openings),
            Some(Opening { name, start: other, .. }) => Err(Failure::Usage(format!(
                "{option}, {name}: expected a position on the board that the options describe, \
                 {}, got {}",
                PositionText::new(&start),
                PositionText::new(other),
            ))),
        }
    }

    /// Whether the options given, which describe `start`, also describe the board of `position`.
    fn describes(&self, position: &Position, start: &Position) -> bool {
        // Multiplied out, because the seeds per pit of a position need not be a whole number.
        let has_seeds =
            position.total() * start.pits() as u32 == start.total() * position.pits() as u32;
        let given = &self.given;
        (position.pits() == start.pits() || !given.has("pits"))
            && (has_seeds || !given.has("seeds"))
            && (position.capture() == start.capture() || !given.has("capture"))
            && (position == start || !given.has("position"))
    }

    /// # Errors
    /// [`Failure::Usage`] if the text is not a valid position or no such board exists.
    pub(super) fn position(&self) -> Result<Position, Failure> {
        match &self.position {
            Some(text) => {
                let rule = self.start.variant.capture.rule;
                let parsed = if self.given.has("capture") {
                    Position::parse(text, rule)
                } else {
                    Position::parse_or(text, rule)
                };
                parsed.map_err(|error| Failure::wrong("--position", error))
            }
            None => Ok(Position::start(self.start.rules()?)),
        }
    }
}

/// The capture rule.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct CaptureArgs {
    /// Capture rule: standard, or empty-capture (if the last seed lands in an empty pit on the
    /// mover's side, it is banked even if the opposite pit is empty)
    #[arg(id = "capture", long, value_name = "RULE", default_value_t)]
    pub rule: Capture,
}

/// How games are shown in a terminal. People put these options in aliases, so one that another
/// makes redundant is accepted.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ScreenArgs {
    /// Write only sentences, for screen readers; the default if stdout is not a terminal
    #[arg(long)]
    plain: bool,
    /// Use ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Choose colours that suit the terminal's background: dark, light, or any
    #[arg(long, default_value_t)]
    theme: Theme,
}

impl ScreenArgs {
    /// The terminal of this process, with the style that these arguments select.
    pub(super) fn terminal(self) -> Terminal {
        Terminal::from_environment(self.plain, self.ascii).with_theme(self.theme)
    }
}

/// The number of threads.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct ThreadArgs {
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=512))]
    pub threads: Option<u16>,
}

impl ThreadArgs {
    /// The number requested, or the number of processors.
    pub(super) fn count(self) -> usize {
        self.threads.map_or_else(processors, usize::from)
    }
}

/// The resources of a solver.
#[derive(Debug, Default, Args)]
pub(super) struct SolverArgs {
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Size of the transposition table in MiB [default: estimated from the seeds in play]
    #[arg(long, value_name = "MIB", value_parser = number::<u32>(1..=1 << 20))]
    pub hash: Option<u32>,
    /// Build endgame tables of up to SEEDS seeds in play, 0 for none [default: the size
    /// with the shortest estimated time]
    #[arg(long, value_name = "SEEDS", value_parser = number::<u32>(0..=MAX_SEEDS.into()))]
    pub table_seeds: Option<u32>,
    /// Read the endgame tables in DIR (see 'kalah tables build')
    #[arg(long, value_name = "DIR", conflicts_with = "table_seeds")]
    pub tables: Option<PathBuf>,
}

impl SolverArgs {
    /// Settings that read no endgame tables from files.
    pub(super) fn settings_without_files(&self) -> SolverSettings {
        let mut settings = SolverSettings::default().threads(self.threads.count());
        settings.hash = self.hash.map(|mebibytes| (mebibytes as usize) << 20);
        settings.guess = guess_margin;
        match self.table_seeds {
            Some(seeds) => settings.tables(TableChoice::Seeds(seeds)),
            None => settings,
        }
    }

    /// Settings for boards of `variant`, with the tables in the folder of `--tables`, if given.
    ///
    /// # Errors
    /// If that folder has no tables for them.
    pub(super) fn settings(&self, variant: Variant) -> Result<SolverSettings, Failure> {
        let mut settings = self.settings_without_files();
        if let Some(folder) = &self.tables {
            let tables = Tables::open(folder, variant)?.warning_of_unused_layers();
            settings.tables = TableChoice::Given(Arc::new(tables));
        }
        Ok(settings)
    }

    /// Like [`SolverArgs::settings`], but if the size of the tables is chosen automatically, the
    /// layers that the user's cache holds are read instead of being built.
    ///
    /// # Errors
    /// If the folder of `--tables` has no tables for the boards.
    pub(super) fn settings_with_cache(&self, variant: Variant) -> Result<SolverSettings, Failure> {
        let mut settings = self.settings(variant)?;
        if let TableChoice::Automatic(folder) = &mut settings.tables {
            *folder = cache();
        }
        Ok(settings)
    }
}
