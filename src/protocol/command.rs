//! A line to a command: the table of commands. Knows no position.

use thiserror::Error;

use super::go::Go;
use crate::sys::names::shortened;

/// What a manager or a person can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Speak UCI.
    Uci,
    /// Speak UGI.
    Ugi,
    /// Tell more, or no more.
    Debug(bool),
    /// Answer when everything before is done.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value; empty if there is none.
        value: String,
    },
    /// Forget the last game.
    NewGame,
    /// Set up a position.
    Position {
        /// Where to start from; none: the start position.
        text: Option<String>,
        /// What to play from there.
        moves: Vec<String>,
    },
    /// Search.
    Go(Go),
    /// End the search.
    Stop,
    /// The move pondered on was played.
    PonderHit,
    /// End.
    Quit,
    /// A question about the position.
    Query(Query),
    /// Show the board.
    Board,
    /// Show the evaluation.
    Eval,
    /// Measure the search.
    Bench,
    /// List the commands.
    Help,
}

/// What UGI asks about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether South is to move.
    P1Turn,
    /// Whether the game is over.
    GameOver,
    /// Who won.
    Outcome,
}

/// A command as it is listed.
#[derive(Debug)]
pub struct CommandSpec {
    /// Its first word.
    pub name: &'static str,
    /// What follows it.
    pub usage: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    read: fn(&[&str]) -> Result<Command, CommandError>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("expected a command, got '{0}' (help lists the commands)")]
    Unknown(String),
    /// Something else stands where a part of the command should.
    #[error("{command}: expected {expected}, got {got}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        got: String,
    },
}

/// Every command.
pub static COMMANDS: [CommandSpec; 17] = [
    CommandSpec {
        name: "uci",
        usage: "",
        doc: "speak UCI: name, options, uciok",
        read: |_| Ok(Command::Uci),
    },
    CommandSpec {
        name: "ugi",
        usage: "",
        doc: "speak UGI: name, options, ugiok",
        read: |_| Ok(Command::Ugi),
    },
    CommandSpec {
        name: "debug",
        usage: "on|off",
        doc: "say what is skipped, or no longer",
        read: read_debug,
    },
    CommandSpec {
        name: "isready",
        usage: "",
        doc: "answer readyok, during a search too",
        read: |_| Ok(Command::IsReady),
    },
    CommandSpec {
        name: "setoption",
        usage: "name NAME [value VALUE]",
        doc: "set an option",
        read: read_setoption,
    },
    CommandSpec {
        name: "ucinewgame",
        usage: "",
        doc: "forget what was learnt from the last game",
        read: |_| Ok(Command::NewGame),
    },
    CommandSpec { name: "uginewgame", usage: "", doc: "the same", read: |_| Ok(Command::NewGame) },
    CommandSpec {
        name: "position",
        usage: "startpos|fen TEXT [moves MOVE...]",
        doc: "set up a position",
        read: read_position,
    },
    CommandSpec {
        name: "go",
        usage: "[LIMIT...]",
        doc: "search; ends with one bestmove",
        read: |words| Ok(Command::Go(Go::read(words))),
    },
    CommandSpec { name: "stop", usage: "", doc: "end the search now", read: |_| Ok(Command::Stop) },
    CommandSpec {
        name: "ponderhit",
        usage: "",
        doc: "the move pondered on was played: the clock starts",
        read: |_| Ok(Command::PonderHit),
    },
    CommandSpec {
        name: "query",
        usage: "p1turn|gameover|result",
        doc: "answer a question about the position",
        read: read_query,
    },
    CommandSpec { name: "d", usage: "", doc: "show the board", read: |_| Ok(Command::Board) },
    CommandSpec {
        name: "eval",
        usage: "",
        doc: "show the evaluation of the position",
        read: |_| Ok(Command::Eval),
    },
    CommandSpec {
        name: "bench",
        usage: "",
        doc: "search fixed positions on one thread: nodes, time, signature",
        read: |_| Ok(Command::Bench),
    },
    CommandSpec { name: "help", usage: "", doc: "list the commands", read: |_| Ok(Command::Help) },
    CommandSpec { name: "quit", usage: "", doc: "end", read: |_| Ok(Command::Quit) },
];

impl Command {
    /// Reads a line; none if it is blank. Unknown words before the command are
    /// skipped, as UCI wants it: the number of them comes along.
    ///
    /// # Errors
    /// [`CommandError`] if no word is a command or the command is malformed.
    pub fn read(line: &str) -> Result<Option<(Self, usize)>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut rest = words.as_slice();
        while let [word, after @ ..] = rest {
            if let Some(spec) = COMMANDS.iter().find(|spec| spec.name == *word) {
                let skipped = words.len().saturating_sub(rest.len());
                return Ok(Some(((spec.read)(after)?, skipped)));
            }
            rest = after;
        }
        match words.first() {
            None => Ok(None),
            Some(word) => Err(CommandError::Unknown(shortened(word))),
        }
    }
}

fn unexpected(command: &'static str, expected: &'static str, got: Option<&&str>) -> CommandError {
    let got = got.map_or_else(|| "nothing".to_owned(), |word| format!("'{}'", shortened(word)));
    CommandError::Unexpected { command, expected, got }
}

fn read_debug(words: &[&str]) -> Result<Command, CommandError> {
    match words {
        ["on", ..] => Ok(Command::Debug(true)),
        ["off", ..] => Ok(Command::Debug(false)),
        _ => Err(unexpected("debug", "on or off", words.first())),
    }
}

fn read_setoption(words: &[&str]) -> Result<Command, CommandError> {
    let ["name", rest @ ..] = words else {
        return Err(unexpected("setoption", "name", words.first()));
    };
    let mut parts = rest.splitn(2, |&word| word == "value");
    let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if name.is_empty() {
        return Err(unexpected("setoption", "a name", rest.first()));
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn read_position(words: &[&str]) -> Result<Command, CommandError> {
    let mut parts = words.splitn(2, |&word| word == "moves");
    let (from, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let text = match from {
        ["startpos"] => None,
        ["fen", text @ ..] if !text.is_empty() => Some(text.join(" ")),
        ["startpos", rest @ ..] => return Err(unexpected("position", "moves", rest.first())),
        ["fen"] => return Err(unexpected("position", "a position after fen", None)),
        _ => return Err(unexpected("position", "startpos or fen", from.first())),
    };
    Ok(Command::Position { text, moves: moves.iter().map(|&word| word.to_owned()).collect() })
}

fn read_query(words: &[&str]) -> Result<Command, CommandError> {
    match words {
        ["p1turn", ..] => Ok(Command::Query(Query::P1Turn)),
        ["gameover", ..] => Ok(Command::Query(Query::GameOver)),
        ["result", ..] => Ok(Command::Query(Query::Outcome)),
        _ => Err(unexpected("query", "p1turn, gameover or result", words.first())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        Command::read(line).unwrap().unwrap().0
    }

    fn error(line: &str) -> String {
        Command::read(line).unwrap_err().to_string()
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(Command::read("joho debug on"), Ok(Some((Command::Debug(true), 1))));
        assert_eq!(Command::read(" \t "), Ok(None));
        assert_eq!(
            error("\0hello world"),
            "expected a command, got '\\0hello' (help lists the commands)"
        );
    }

    #[test]
    fn options_may_have_several_words_in_name_and_value() {
        let set = |name: &str, value: &str| Command::SetOption {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        assert_eq!(read("setoption name Move Overhead value 20"), set("Move Overhead", "20"));
        assert_eq!(read("setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(read("setoption name T value a  value b"), set("T", "a value b"));
        assert_eq!(error("setoption"), "setoption: expected name, got nothing");
        assert_eq!(error("setoption Hash 3"), "setoption: expected name, got 'Hash'");
        assert_eq!(error("setoption name value 3"), "setoption: expected a name, got 'value'");
    }

    #[test]
    fn a_position_is_the_start_or_a_text_then_moves() {
        let position = |text: Option<&str>, moves: &[&str]| Command::Position {
            text: text.map(str::to_owned),
            moves: moves.iter().map(|&word| word.to_owned()).collect(),
        };
        assert_eq!(read("position startpos"), position(None, &[]));
        assert_eq!(read("position startpos moves"), position(None, &[]));
        assert_eq!(
            read("position fen <1,0,0,4,4> N moves a A"),
            position(Some("<1,0,0,4,4> N"), &["a", "A"])
        );
        assert_eq!(error("position"), "position: expected startpos or fen, got nothing");
        assert_eq!(error("position fen"), "position: expected a position after fen, got nothing");
        assert_eq!(error("position x"), "position: expected startpos or fen, got 'x'");
        assert_eq!(error("position startpos C"), "position: expected moves, got 'C'");
    }

    #[test]
    fn names_of_commands_are_told_apart() {
        for (index, spec) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[..index].iter().all(|other| other.name != spec.name));
        }
    }
}
