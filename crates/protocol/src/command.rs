//! Commands: their table, and how they are parsed from lines and written as lines.

use super::dialect::UgiQuery;
use super::go::Go;
use kalah_game::Position;
use kalah_text::names::shortened;
use thiserror::Error;

/// A command from a manager or a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineCommand {
    /// Speak UCI from now on, and introduce the engine.
    Uci,
    /// Speak UGI from now on, and introduce the engine.
    Ugi,
    /// Turn reports of skipped input on or off.
    Debug(bool),
    /// Answer `readyok` when every earlier command is done.
    IsReady,
    /// Set an option of the engine.
    SetOption {
        /// The option's name, possibly of several words.
        name: String,
        /// The text of its value; empty for a button.
        value: String,
    },
    /// Empty the transposition table, because a new game begins.
    NewGame,
    /// Set up a position.
    Position {
        /// The text of a position; `None` for the start position.
        text: Option<String>,
        /// The moves to play from there, separated by spaces.
        moves: String,
    },
    /// Search, or count move sequences.
    Go(Go),
    /// End the running search; its `bestmove` follows.
    Stop,
    /// Start the clock: the move pondered on was played.
    PonderHit,
    /// End the session immediately, whatever is running.
    Quit,
    /// A question about the position.
    Query(UgiQuery),
    /// Show the board and the legal moves.
    Board,
    /// Show the static evaluation of the position, with its parts.
    Eval,
    /// Search the positions of the benchmark.
    Bench,
    /// List the commands with their arguments.
    Help,
}

/// Error for a line that is not a command, as a manager sees it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct EngineCommandError(String);

/// A command as `help` and `protocol.md` list it.
#[derive(Debug)]
pub struct CommandSpec {
    /// The first word of the command's line.
    pub name: &'static str,
    /// Its arguments as `help` shows them; empty if there are none.
    pub usage: &'static str,
    /// The meaning, in one line.
    pub doc: &'static str,
}

const fn spec(name: &'static str, usage: &'static str, doc: &'static str) -> CommandSpec {
    CommandSpec { name, usage, doc }
}

/// Every command, in the order in which `help` lists them.
pub static COMMANDS: [CommandSpec; 17] = [
    spec("uci", "", "speak UCI: name, options, uciok"),
    spec("ugi", "", "speak UGI: name, options, ugiok"),
    spec("debug", "on|off", "turn reports of skipped input on or off"),
    spec("isready", "", "answer readyok, even during a search"),
    spec("setoption", "name NAME [value VALUE]", "set an option"),
    spec("ucinewgame", "", "start the next search with an empty transposition table"),
    spec("uginewgame", "", "the same as ucinewgame"),
    spec("position", "startpos|fen TEXT [moves MOVE...]", "set up a position"),
    spec("go", "[LIMIT...]", "search; ends with one bestmove"),
    spec("stop", "", "end the search now"),
    spec("ponderhit", "", "start the clock: the move pondered on was played"),
    spec("query", "p1turn|gameover|result", "answer a question about the position"),
    spec("d", "", "show the board"),
    spec("eval", "", "show the evaluation of the position"),
    spec("bench", "", "search fixed positions on one thread: nodes, time, signature"),
    spec("help", "", "list the commands"),
    spec("quit", "", "end the program"),
];

impl EngineCommand {
    /// Parses a line into its command and the number of unknown words before it, which UCI
    /// requires to be skipped. `None` if the line is blank.
    ///
    /// # Errors
    /// [`EngineCommandError`] if no word is a command or the command is malformed.
    pub fn parse(line: &str) -> Result<Option<(Self, usize)>, EngineCommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first() else { return Ok(None) };
        let skipped = words.iter().position(|word| is_command(word)).unwrap_or(words.len());
        match words.get(skipped..).unwrap_or_default() {
            [] => {
                let first = shortened(first);
                let error = format!("expected a command, got '{first}' (help lists the commands)");
                Err(EngineCommandError(error))
            }
            [command, rest @ ..] => Ok(Some((Self::from_words(command, rest)?, skipped))),
        }
    }

    /// Approximate memory for the command and its answer, in bytes. Answers count because all
    /// waiting commands are answered before any answer is written: 38,000 `uci` behind a search
    /// once took 240 MB.
    pub fn size(&self) -> usize {
        /// More than the longest answer needs.
        const LONG_ANSWER: usize = 16 << 10;
        let text = match self {
            Self::Uci | Self::Ugi | Self::Help | Self::Board | Self::Eval => LONG_ANSWER,
            Self::SetOption { name, value } => name.len().saturating_add(value.len()),
            Self::Position { text, moves } => {
                let position = text.as_deref().unwrap_or_default();
                position.len().saturating_add(moves.len())
            }
            Self::Go(go) => go.size(),
            _ => 0,
        };
        size_of::<Self>().saturating_add(text)
    }

    fn from_words(command: &str, words: &[&str]) -> Result<Self, EngineCommandError> {
        Ok(match (command, words) {
            ("uci", _) => Self::Uci,
            ("ugi", _) => Self::Ugi,
            ("debug", ["on", ..]) => Self::Debug(true),
            ("debug", ["off", ..]) => Self::Debug(false),
            ("debug", _) => return unexpected(command, "on or off", words),
            ("isready", _) => Self::IsReady,
            ("setoption", ["name", rest @ ..]) => {
                let (name, value) = split_at_word(rest, "value");
                if name.is_empty() {
                    return unexpected(command, "a name", rest);
                }
                Self::SetOption { name: name.join(" "), value: value.join(" ") }
            }
            ("setoption", _) => return unexpected(command, "name", words),
            ("ucinewgame" | "uginewgame", _) => Self::NewGame,
            ("position", _) => {
                let (from, moves) = split_at_word(words, "moves");
                let text = match from {
                    ["startpos"] => None,
                    ["startpos", rest @ ..] => return unexpected(command, "moves", rest),
                    ["fen"] => return unexpected(command, "a position after fen", &[]),
                    ["fen", text @ ..] => Some(text.join(" ")),
                    _ => return unexpected(command, "startpos or fen", from),
                };
                Self::Position { text, moves: moves.join(" ") }
            }
            ("go", _) => Self::Go(Go::parse(words)),
            ("stop", _) => Self::Stop,
            ("ponderhit", _) => Self::PonderHit,
            ("query", ["p1turn", ..]) => Self::Query(UgiQuery::P1Turn),
            ("query", ["gameover", ..]) => Self::Query(UgiQuery::GameOver),
            ("query", ["result", ..]) => Self::Query(UgiQuery::Outcome),
            ("query", _) => return unexpected(command, "p1turn, gameover or result", words),
            ("d", _) => Self::Board,
            ("eval", _) => Self::Eval,
            ("bench", _) => Self::Bench,
            ("quit", _) => Self::Quit,
            _ => Self::Help,
        })
    }
}

fn is_command(word: &str) -> bool {
    COMMANDS.iter().any(|spec| spec.name == word)
}

fn unexpected(
    command: &str,
    expected: &str,
    got: &[&str],
) -> Result<EngineCommand, EngineCommandError> {
    let got = match got.first() {
        Some(word) => format!("'{}'", shortened(word)),
        None => "nothing".to_owned(),
    };
    Err(EngineCommandError(format!("{command}: expected {expected}, got {got}")))
}

/// The `position` command that sets up a game from `start`.
pub fn position(start: &Position, letters: impl Iterator<Item = char>) -> String {
    let moves: String = letters.flat_map(|letter| [' ', letter]).collect();
    let separator = if moves.is_empty() { "" } else { " moves" };
    format!("position fen {start}{separator}{moves}")
}

/// The words before `separator` and those after it; the latter are empty if it is missing.
fn split_at_word<'a, 'b>(words: &'a [&'b str], separator: &str) -> (&'a [&'b str], &'a [&'b str]) {
    let mut parts = words.splitn(2, |&word| word == separator);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}
