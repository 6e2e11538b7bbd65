//! Commands: their table, parsed from a line and written as one.

use super::dialect::Query;
use super::go::Go;
use crate::game::Position;
use crate::sys::names::shortened;

/// A command of a manager or a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Speak UCI from now on, and introduce the engine.
    Uci,
    /// Speak UGI from now on, and introduce the engine.
    Ugi,
    /// Report what is skipped, or stop reporting it.
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
    /// Empty the transposition table: another game begins.
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
    /// The move pondered on was played.
    PonderHit,
    /// End the session at once, whatever is running.
    Quit,
    /// A question about the position.
    Query(Query),
    /// Show the board and the legal moves.
    Board,
    /// Show the static evaluation of the position, with its parts.
    Eval,
    /// Search the positions of the benchmark.
    Bench,
    /// List the commands with their arguments.
    Help,
}

/// A command as `help` and `protocol.md` list it.
#[derive(Debug)]
pub struct CommandSpec {
    /// The word that a line with this command begins with.
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
    spec("debug", "on|off", "report what is skipped, or stop reporting it"),
    spec("isready", "", "answer readyok, during a search too"),
    spec("setoption", "name NAME [value VALUE]", "set an option"),
    spec("ucinewgame", "", "start the next search with an empty transposition table"),
    spec("uginewgame", "", "the same as ucinewgame"),
    spec("position", "startpos|fen TEXT [moves MOVE...]", "set up a position"),
    spec("go", "[LIMIT...]", "search; ends with one bestmove"),
    spec("stop", "", "end the search now"),
    spec("ponderhit", "", "the move pondered on was played: the clock starts"),
    spec("query", "p1turn|gameover|result", "answer a question about the position"),
    spec("d", "", "show the board"),
    spec("eval", "", "show the evaluation of the position"),
    spec("bench", "", "search fixed positions on one thread: nodes, time, signature"),
    spec("help", "", "list the commands"),
    spec("quit", "", "end the program"),
];

impl Command {
    /// Parses a line into its command and the number of unknown words before it, which UCI
    /// requires to be skipped. `None` if the line is blank.
    ///
    /// # Errors
    /// A message for the manager if no word is a command or the command is malformed.
    pub fn parse(line: &str) -> Result<Option<(Self, usize)>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first() else { return Ok(None) };
        let skipped = words.iter().position(|word| is_command(word)).unwrap_or(words.len());
        match words.get(skipped..).unwrap_or_default() {
            [] => {
                let got = shortened(first);
                Err(format!("expected a command, got '{got}' (help lists the commands)"))
            }
            [command, rest @ ..] => Ok(Some((Self::of_words(command, rest)?, skipped))),
        }
    }

    /// Approximate bytes of memory for the command and its answer: all waiting commands are
    /// answered before any of the answers is written.
    pub fn size(&self) -> usize {
        /// More than the longest answer takes.
        const LONG_ANSWER: usize = 16 << 10;
        let text = match self {
            Self::Uci | Self::Ugi | Self::Help | Self::Board | Self::Eval => LONG_ANSWER,
            Self::SetOption { name, value } => name.len().saturating_add(value.len()),
            Self::Position { text, moves } => {
                text.as_ref().map_or(0, String::len).saturating_add(moves.len())
            }
            Self::Go(go) => go.size(),
            _ => 0,
        };
        size_of::<Self>().saturating_add(text)
    }

    fn of_words(command: &str, words: &[&str]) -> Result<Self, String> {
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
            ("query", ["p1turn", ..]) => Self::Query(Query::P1Turn),
            ("query", ["gameover", ..]) => Self::Query(Query::GameOver),
            ("query", ["result", ..]) => Self::Query(Query::Outcome),
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

fn unexpected(command: &str, expected: &str, got: &[&str]) -> Result<Command, String> {
    let got = got.first().map_or("nothing".to_owned(), |word| format!("'{}'", shortened(word)));
    Err(format!("{command}: expected {expected}, got {got}"))
}

/// The `position` command for a game from `start`.
pub fn position(start: &Position, letters: impl Iterator<Item = char>) -> String {
    let moves: String = letters.flat_map(|letter| [' ', letter]).collect();
    let separator = if moves.is_empty() { "" } else { " moves" };
    format!("position fen {start}{separator}{moves}")
}

/// The words before `separator` and those after it, which are none if it is missing.
fn split_at_word<'a, 'b>(words: &'a [&'b str], separator: &str) -> (&'a [&'b str], &'a [&'b str]) {
    let mut parts = words.splitn(2, |&word| word == separator);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}
