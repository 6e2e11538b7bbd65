//! What a typed line means.

use thiserror::Error;

use crate::game::{Pit, Position, Side};
use crate::sys::names::shortened;

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sow a pit of the side to move; it need not be legal.
    Sow(Pit),
    /// Take the first player's side.
    Swap,
    /// Go back to my last decision.
    Undo,
    /// Go forward to my next decision.
    Redo,
    /// Go back one sowing.
    Back,
    /// Go forward one sowing.
    Next,
    /// Go to the start of the game.
    First,
    /// Go to the last move known.
    Last,
    /// Play on from here.
    Go,
    /// The engine is to move at once.
    Now,
    /// Which pit would the engine sow?
    Hint,
    /// What is each pit worth?
    Eval,
    /// Where did each side lose how many seeds?
    Analyse,
    /// Write the game to a file.
    Save(Option<String>),
    /// Read a game from a file.
    Load(String),
    /// List the moves.
    Moves,
    /// Show the board again.
    Board,
    /// TextStyle from the other side.
    Flip,
    /// Tell the levels, or choose one.
    Level(Option<String>),
    /// Give up.
    Resign,
    /// Start again.
    New,
    /// List the commands.
    Help,
    /// Tell the rules.
    Rules,
    /// Leave.
    Quit,
}

/// Why a line means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// Nothing but spaces.
    #[error("type a pit's letter, {first} to {last}, or a command; help lists them")]
    Empty {
        /// The mover's first pit.
        first: char,
        /// The mover's last pit.
        last: char,
    },
    /// A number.
    #[error("pits have letters, {first} to {last}, not numbers; numbers count seeds")]
    Number {
        /// The mover's first pit.
        first: char,
        /// The mover's last pit.
        last: char,
    },
    /// Several pits on one line.
    #[error("expected one pit at a time, got '{0}'")]
    SeveralPits(String),
    /// The beginning of several commands.
    #[error("'{got}' may mean {}", .commands.join(" or "))]
    Ambiguous {
        /// What came.
        got: String,
        /// What it may mean.
        commands: Vec<&'static str>,
    },
    /// No command and no pit.
    #[error("expected a pit's letter, {first} to {last}, or a command (help lists them), got '{got}'{}", did_you_mean(*.close))]
    Unknown {
        /// The mover's first pit.
        first: char,
        /// The mover's last pit.
        last: char,
        /// What came, shortened.
        got: String,
        /// A command that is spelt almost so.
        close: Option<&'static str>,
    },
    /// More than the command takes.
    #[error("{command} takes nothing more, got '{got}'")]
    Surplus {
        /// The command.
        command: &'static str,
        /// What followed it, shortened.
        got: String,
    },
    /// Less than the command takes.
    #[error("{command} needs {missing}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What should follow it.
        missing: &'static str,
    },
}

fn did_you_mean(close: Option<&str>) -> String {
    close.map(|command| format!("; did you mean {command}?")).unwrap_or_default()
}

/// What follows a command's name.
#[derive(Clone, Copy, Debug)]
enum Takes {
    Nothing(fn() -> Action),
    Maybe(&'static str, fn(Option<String>) -> Action),
    One(&'static str, fn(String) -> Action),
}

/// A command that can be typed.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its full name; any beginning that no other command has will do.
    pub name: &'static str,
    /// A shorter name, given way to a pit of that letter.
    pub short: Option<&'static str>,
    /// What it does, in a few words.
    pub about: &'static str,
    takes: Takes,
}

impl Command {
    /// The name and what may follow it.
    pub fn usage(&self) -> String {
        match self.takes {
            Takes::Nothing(_) => self.name.to_owned(),
            Takes::Maybe(what, _) => format!("{} [{what}]", self.name),
            Takes::One(what, _) => format!("{} {what}", self.name),
        }
    }
}

const fn command(
    name: &'static str,
    short: Option<&'static str>,
    about: &'static str,
    takes: Takes,
) -> Command {
    Command { name, short, about, takes }
}

/// Every command, as `help` lists them.
pub const COMMANDS: [Command; 23] = [
    command("undo", Some("u"), "go back to your last decision", Takes::Nothing(|| Action::Undo)),
    command("redo", Some("r"), "take an undo back", Takes::Nothing(|| Action::Redo)),
    command(
        "hint",
        Some("h"),
        "the pit that the full engine would sow",
        Takes::Nothing(|| Action::Hint),
    ),
    command("eval", Some("e"), "what each pit is worth", Takes::Nothing(|| Action::Eval)),
    command(
        "analyse",
        None,
        "where each side lost how many seeds",
        Takes::Nothing(|| Action::Analyse),
    ),
    command("moves", Some("m"), "the moves so far", Takes::Nothing(|| Action::Moves)),
    command("board", None, "the board again", Takes::Nothing(|| Action::Board)),
    command("flip", None, "look from the other side", Takes::Nothing(|| Action::Flip)),
    command(
        "swap",
        None,
        "take the first player's side (pie rule)",
        Takes::Nothing(|| Action::Swap),
    ),
    command(
        "level",
        None,
        "tell the levels, or play against one",
        Takes::Maybe("NAME", Action::Level),
    ),
    command("now", None, "the engine moves at once", Takes::Nothing(|| Action::Now)),
    command("back", None, "step back one sowing", Takes::Nothing(|| Action::Back)),
    command("next", Some("n"), "step forward one sowing", Takes::Nothing(|| Action::Next)),
    command("first", None, "step back to the start", Takes::Nothing(|| Action::First)),
    command("last", None, "step forward to the end", Takes::Nothing(|| Action::Last)),
    command("go", None, "play on from the position shown", Takes::Nothing(|| Action::Go)),
    command("save", None, "write the game to a file", Takes::Maybe("FILE", Action::Save)),
    command("load", None, "read a game from a file", Takes::One("FILE", Action::Load)),
    command("resign", None, "give the game up", Takes::Nothing(|| Action::Resign)),
    command("new", None, "a new game", Takes::Nothing(|| Action::New)),
    command("rules", None, "how the game is played", Takes::Nothing(|| Action::Rules)),
    command("help", Some("?"), "this list", Takes::Nothing(|| Action::Help)),
    command("quit", Some("q"), "leave; the game is kept", Takes::Nothing(|| Action::Quit)),
];

/// Other words for commands.
const SYNONYMS: [(&str, &str); 5] = [
    ("exit", "quit"),
    ("analyze", "analyse"),
    ("pie", "swap"),
    ("start", "first"),
    ("end", "last"),
];

/// What `line` means to the side to move of `position`.
///
/// # Errors
/// [`InputError`] says what was expected and what came.
pub fn parse(line: &str, position: &Position) -> Result<Action, InputError> {
    let side = position.side();
    let [first, last] = ends(position, side);
    let mut words = line.split_whitespace();
    let Some(word) = words.next() else {
        return Err(InputError::Empty { first, last });
    };
    let rest = line.trim_start()[word.len()..].trim();
    if let Some(pit) = pit(word, position.pits()) {
        return match rest {
            "" => Ok(Action::Sow(pit)),
            _ => Err(InputError::SeveralPits(shortened(line.trim()))),
        };
    }
    if word.chars().all(|letter| letter.is_ascii_digit()) {
        return Err(InputError::Number { first, last });
    }
    let word = word.to_lowercase();
    let command = find(&word)?.ok_or_else(|| InputError::Unknown {
        first,
        last,
        got: shortened(line.trim()),
        close: closest(&word),
    })?;
    match (command.takes, rest) {
        (Takes::Nothing(action), "") => Ok(action()),
        (Takes::Nothing(_), _) => {
            Err(InputError::Surplus { command: command.name, got: shortened(rest) })
        }
        (Takes::Maybe(_, action), "") => Ok(action(None)),
        (Takes::Maybe(_, action), _) => Ok(action(Some(rest.to_owned()))),
        (Takes::One(missing, _), "") => {
            Err(InputError::Missing { command: command.name, missing: missing_name(missing) })
        }
        (Takes::One(_, action), _) => Ok(action(rest.to_owned())),
    }
}

fn missing_name(placeholder: &'static str) -> &'static str {
    if placeholder == "FILE" { "the name of a file" } else { placeholder }
}

/// The letters of `side`'s first and last pits.
pub fn ends(position: &Position, side: Side) -> [char; 2] {
    [0, position.pits() - 1].map(|index| Pit::new(index).letter(side))
}

/// The pit that a single letter names on a row of `pits`.
fn pit(word: &str, pits: usize) -> Option<Pit> {
    let letter = word.parse::<char>().ok().filter(char::is_ascii_alphabetic)?;
    let index = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
    (index < pits).then(|| Pit::new(index))
}

/// The command that `word` names or begins.
fn find(word: &str) -> Result<Option<Command>, InputError> {
    let full =
        SYNONYMS.iter().find(|(synonym, _)| *synonym == word).map_or(word, |&(_, name)| name);
    if let Some(&command) =
        COMMANDS.iter().find(|command| command.name == full || command.short == Some(full))
    {
        return Ok(Some(command));
    }
    let begun: Vec<&Command> =
        COMMANDS.iter().filter(|command| command.name.starts_with(full)).collect();
    match begun[..] {
        [] => Ok(None),
        [&command] => Ok(Some(command)),
        _ => Err(InputError::Ambiguous {
            got: word.to_owned(),
            commands: begun.iter().map(|command| command.name).collect(),
        }),
    }
}

/// The command whose spelling is nearest, if it is at most two letters off.
fn closest(word: &str) -> Option<&'static str> {
    let names = COMMANDS.iter().map(|command| command.name);
    let (distance, name) = names.map(|name| (spelling_distance(word, name), name)).min()?;
    (distance <= 2 && distance < name.len().min(word.chars().count())).then_some(name)
}

/// Letters to add, drop or change to make one word of the other (Levenshtein).
fn spelling_distance(word: &str, name: &str) -> usize {
    let name: Vec<char> = name.chars().collect();
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (index, letter) in word.chars().take(32).enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for column in 1..row.len() {
            let changed = diagonal + usize::from(letter != name[column - 1]);
            diagonal = row[column];
            row[column] = changed.min(diagonal + 1).min(row[column - 1] + 1);
        }
    }
    row[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Capture, Rules};

    fn board(pits: u32) -> Position {
        Position::start(Rules::new(pits, 4, Capture::Standard).unwrap())
    }

    fn parsed(line: &str) -> Action {
        parse(line, &board(6)).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn error(line: &str) -> String {
        parse(line, &board(6)).unwrap_err().to_string()
    }

    #[test]
    fn letters_on_the_board_are_pits_in_either_case() {
        for (index, letter) in ('a'..='f').enumerate() {
            assert_eq!(parsed(&letter.to_string()), Action::Sow(Pit::new(index)));
            assert_eq!(
                parsed(&format!(" {} ", letter.to_ascii_uppercase())),
                parsed(&letter.to_string())
            );
        }
    }

    #[test]
    fn every_command_is_known_by_its_name_and_its_short_name() {
        for command in COMMANDS {
            let line = match command.takes {
                Takes::One(..) => format!("{} x.kgn", command.name),
                _ => command.name.to_owned(),
            };
            let action = parsed(&line);
            assert_eq!(parsed(&line.to_uppercase().replace("X.KGN", "x.kgn")), action);
            if let Some(short) = command.short.filter(|short| pit(short, 6).is_none()) {
                assert_eq!(parsed(short), action);
            }
        }
    }

    #[test]
    fn a_beginning_is_enough_and_a_pit_goes_before_it() {
        assert_eq!(parsed("un"), Action::Undo);
        assert_eq!(parsed("h"), Action::Hint);
        assert_eq!(parse("h", &board(8)), Ok(Action::Sow(Pit::new(7))));
        assert_eq!(parse("hi", &board(8)), Ok(Action::Hint));
        assert_eq!(parsed("save my game.kgn"), Action::Save(Some("my game.kgn".to_owned())));
        assert_eq!(parsed("exit"), Action::Quit);
    }

    #[test]
    fn errors_help() {
        assert_eq!(error(""), "type a pit's letter, A to F, or a command; help lists them");
        assert_eq!(error("3"), "pits have letters, A to F, not numbers; numbers count seeds");
        assert_eq!(error("re"), "'re' may mean redo or resign");
        assert_eq!(error("a b"), "expected one pit at a time, got 'a b'");
        assert_eq!(
            error("umdo"),
            "expected a pit's letter, A to F, or a command (help lists them), got 'umdo'; did \
             you mean undo?"
        );
        assert_eq!(
            error("g7-x"),
            "expected a pit's letter, A to F, or a command (help lists them), got 'g7-x'"
        );
        assert_eq!(error("undo 3"), "undo takes nothing more, got '3'");
        assert_eq!(error("load"), "load needs the name of a file");
    }
}
