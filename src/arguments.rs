//! Arguments that several commands share.

use std::io::{self, ErrorKind};
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};

use super::failure::Failure;
use kalah_game::{Capture, Position, PositionText, Rules, Variant};
use kalah_record::Game;
use kalah_record::file::{self, RecordFileError};
use kalah_record::format::RecordFormat;
use kalah_record::opening::Opening;
use kalah_sys::files::{self, AccessError};
use kalah_sys::machine::processors;
use kalah_terminal::{palette::Theme, terminal::Terminal};
use kalah_text::names::missing;
pub(super) use kalah_text::typed::{
    ANY_TIME, Numbers, POSITIVE_TIME, PlainNumber, duration, number, numbers,
};

/// The games in a file that an argument names, `-` for standard input, and their format.
pub(super) fn read_games(path: &Path) -> Result<(RecordFormat, Vec<Game>), RecordFileError> {
    if path == Path::new("-") {
        file::read_from(&mut io::stdin().lock(), path)
    } else {
        file::read(path)
    }
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

/// The text of the file that an argument names, `-` for standard input.
pub(super) fn read_text(path: &Path) -> Result<String, AccessError> {
    if path == Path::new("-") {
        let text = files::read_all(io::stdin().lock()).and_then(|bytes| {
            files::text_from_bytes(bytes)
                .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
        });
        text.map_err(AccessError::reading(path))
    } else {
        files::read_text(path)
    }
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

/// One of several words: the word, its value and its help.
pub(super) type Choice<T> = (&'static str, T, &'static str);

/// The parser of an option that takes one of several words.
pub(super) fn one_of<T: Copy + Send + Sync>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> {
    let values = choices.iter().map(|&(word, _, help)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(values).map(move |given| {
        let choice = choices.iter().find(|(word, ..)| *word == given);
        choice.expect("one of the possible values").1
    })
}

const THEMES: &[Choice<Theme>] = &[
    ("any", Theme::Any, "Colours that are readable on any background"),
    ("dark", Theme::Dark, "Light colours for a dark background"),
    ("light", Theme::Light, "Dark colours for a light background"),
];

/// A start position, given by its size.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct StartArgs {
    /// Pits per row, 1 to 16
    #[arg(long, default_value_t = 6, value_parser = number::<u32>(0..))]
    pub pits: u32,
    /// Seeds per pit at the start
    #[arg(long, default_value_t = 4, value_parser = number::<u32>(0..))]
    pub seeds: u32,
    #[command(flatten)]
    pub capture: CaptureArgs,
}

impl StartArgs {
    /// # Errors
    /// [`Failure::Usage`] if no such board exists.
    pub(super) fn rules(&self) -> Result<Rules, Failure> {
        Rules::new(self.pits, self.seeds, self.capture.rule).map_err(Failure::usage)
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
        Rules::usual(self.start.capture.rule)
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
                let rule = self.start.capture.rule;
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
    /// Choose colours that suit the terminal's background
    #[arg(long, value_parser = one_of(THEMES), default_value = "any")]
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
