//! Parsing what a player types: a pit to sow, or a command.

use super::saved;
use super::seat::LEVELS;
use crate::game::{Pit, Position};
use crate::sys::names::shortened;

/// What a player asks for; [`COMMANDS`] describes each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A pit of the side to move, not necessarily legal.
    Sow(Pit),
    Swap,
    Undo,
    Redo,
    Back,
    Next,
    First,
    Last,
    Go,
    Now,
    Hint,
    Eval,
    Analyse,
    Save(Option<String>),
    Load(String),
    Moves,
    Board,
    Flip,
    Level(Option<String>),
    Variation(Option<String>),
    /// The lesson with this number.
    Learn(Option<String>),
    Resign,
    New,
    Help,
    Rules,
    Quit,
}

/// The argument of a command.
enum Takes {
    Nothing(Action),
    /// May be omitted; the name is for the help.
    Optional(&'static str, fn(Option<String>) -> Action),
    FileName(fn(String) -> Action),
}

/// Names of arguments, for the help and for completion.
const LEVEL: &str = "NAME";
const FILE: &str = "FILE";

/// A command that can be typed.
pub(crate) struct Command {
    /// The full name; an unambiguous beginning is enough.
    pub(crate) name: &'static str,
    /// A shorter name, or empty. A pit of that letter takes precedence.
    pub(crate) short: &'static str,
    /// A description in a few words; empty if it shares that of the next command.
    pub(crate) about: &'static str,
    takes: Takes,
}

impl Command {
    /// The name and its argument.
    pub(crate) fn usage(&self) -> String {
        match self.takes {
            Takes::Nothing(_) => self.name.to_owned(),
            Takes::Optional(what, _) => format!("{} [{what}]", self.name),
            Takes::FileName(_) => format!("{} {FILE}", self.name),
        }
    }
}

const fn command(
    name: &'static str,
    short: &'static str,
    about: &'static str,
    takes: Takes,
) -> Command {
    Command { name, short, about, takes }
}

/// Every command, in the order of the help.
pub(crate) static COMMANDS: [Command; 25] = {
    use Takes::*;
    [
        command("undo", "u", "", Nothing(Action::Undo)),
        command(
            "redo",
            "r",
            "go back to your last decision, or forward again",
            Nothing(Action::Redo),
        ),
        command("hint", "h", "the move the full engine would make", Nothing(Action::Hint)),
        command("eval", "e", "the value of each pit", Nothing(Action::Eval)),
        command(
            "analyse",
            "",
            "where each side lost seeds, and how many",
            Nothing(Action::Analyse),
        ),
        command("moves", "m", "", Nothing(Action::Moves)),
        command("board", "", "list the moves so far, show the board", Nothing(Action::Board)),
        command("flip", "", "turn the board around", Nothing(Action::Flip)),
        command("swap", "", "take the first player's side (pie rule)", Nothing(Action::Swap)),
        command("level", "", "list the levels, or choose one", Optional(LEVEL, Action::Level)),
        command("now", "", "make the engine move immediately", Nothing(Action::Now)),
        command("back", "", "", Nothing(Action::Back)),
        command("next", "n", "", Nothing(Action::Next)),
        command("first", "", "", Nothing(Action::First)),
        command("last", "", "step through the game", Nothing(Action::Last)),
        command(
            "variation",
            "",
            "list other lines, or go to one",
            Optional("N", Action::Variation),
        ),
        command("go", "", "resume play from the position shown", Nothing(Action::Go)),
        command("save", "", "", Optional(FILE, Action::Save)),
        command("load", "", "save the game to a file, load one from it", FileName(Action::Load)),
        command("resign", "", "resign the game", Nothing(Action::Resign)),
        command("new", "", "start a new game", Nothing(Action::New)),
        command("learn", "", "", Optional("N", Action::Learn)),
        command("rules", "", "a tutorial, how the game is played", Nothing(Action::Rules)),
        command("help", "?", "this list", Nothing(Action::Help)),
        command("quit", "q", "save the game and leave", Nothing(Action::Quit)),
    ]
};

/// Synonyms of commands.
const SYNONYMS: [(&str, &str); 7] = [
    ("exit", "quit"),
    ("takeback", "undo"),
    ("forward", "next"),
    ("analyze", "analyse"),
    ("pie", "swap"),
    ("start", "first"),
    ("end", "last"),
];

/// Parses a line that the side to move in `position` typed.
///
/// # Errors
/// A message about what was expected and what was typed.
pub(crate) fn parse(line: &str, position: &Position) -> Result<Action, String> {
    let letters = position.pit_letters(position.side());
    let line = line.trim();
    let word = line.split_whitespace().next().unwrap_or_default();
    let rest = line[word.len()..].trim();
    if word.is_empty() {
        return Err(format!("type a pit's letter, {letters}, or a command; help lists them"));
    }
    if let Some(pit) = position.parse_pit(word) {
        return match rest {
            "" => Ok(Action::Sow(pit)),
            _ => Err(format!("expected one pit at a time, got '{}'", shortened(line))),
        };
    }
    if word.chars().all(|letter| letter.is_ascii_digit()) {
        return Err(format!(
            "expected a pit's letter, {letters}, got a number; numbers count seeds"
        ));
    }
    let word = word.to_lowercase();
    let Some(command) = find(&word)? else {
        let close = closest(&word).map(|name| format!("; did you mean {name}?"));
        return Err(format!(
            "expected a pit's letter, {letters}, or a command (help lists them), got \
             '{}'{}",
            shortened(line),
            close.unwrap_or_default()
        ));
    };
    let argument = (!rest.is_empty()).then(|| rest.to_owned());
    match (&command.takes, argument) {
        (Takes::Nothing(action), None) => Ok(action.clone()),
        (Takes::Nothing(_), Some(_)) => {
            Err(format!("expected nothing after {}, got '{}'", command.name, shortened(rest)))
        }
        (Takes::Optional(_, action), argument) => Ok(action(argument)),
        (Takes::FileName(_), None) => Err(format!("{} needs a file name", command.name)),
        (Takes::FileName(action), Some(name)) => Ok(action(name)),
    }
}

/// Completions of the last word of a line, and where in the line that word begins: pits
/// that can be sown and commands, or the levels or files that a command takes.
pub(crate) fn completions(text: &str, position: &Position) -> (usize, Vec<String>) {
    let start = text.len() - text.trim_start().len();
    let Some((word, argument)) = text[start..].split_once(' ') else {
        let word = text[start..].to_lowercase();
        let pits = position.moves().map(|pit| pit.letter(position.side()).to_string());
        let pits = pits.filter(|pit| word.is_empty() || pit.to_lowercase() == word);
        let commands = COMMANDS.iter().filter(|command| command.name.starts_with(&word));
        let commands = commands.map(|command| match command.takes {
            Takes::Nothing(_) => command.name.to_owned(),
            _ => format!("{} ", command.name),
        });
        return (start, pits.chain(commands).collect());
    };
    let command = find(&word.to_lowercase()).ok().flatten();
    let choices = match command.map(|command| &command.takes) {
        Some(Takes::Optional(LEVEL, _)) => {
            let names = LEVELS.iter().map(|level| level.name.to_owned());
            names.filter(|name| name.starts_with(&argument.to_lowercase())).collect()
        }
        Some(Takes::Optional(FILE, _) | Takes::FileName(_)) => saved::files_beginning(argument),
        _ => Vec::new(),
    };
    (text.len() - argument.len(), choices)
}

/// The command with this name or beginning; an error if several begin so.
fn find(word: &str) -> Result<Option<&'static Command>, String> {
    let synonym = SYNONYMS.iter().find(|(synonym, _)| *synonym == word);
    let word = synonym.map_or(word, |&(_, name)| name);
    if let Some(named) =
        COMMANDS.iter().find(|command| [command.name, command.short].contains(&word))
    {
        return Ok(Some(named));
    }
    let begun: Vec<_> = COMMANDS.iter().filter(|command| command.name.starts_with(word)).collect();
    match begun[..] {
        [] => Ok(None),
        [command] => Ok(Some(command)),
        _ => {
            let names: Vec<_> = begun.iter().map(|command| command.name).collect();
            Err(format!("'{word}' is ambiguous: {}", names.join(" or ")))
        }
    }
}

/// The command with the nearest spelling, if at most two letters differ.
fn closest(word: &str) -> Option<&'static str> {
    // Longer words resemble no command, and the distance takes quadratic time.
    let length = word.chars().take(32).count();
    if length == 32 {
        return None;
    }
    let names = COMMANDS.iter().map(|command| command.name);
    let (distance, name) = names.map(|name| (strsim::levenshtein(word, name), name)).min()?;
    (distance <= 2 && distance < name.len().min(length)).then_some(name)
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
        parse(line, &board(6)).unwrap_err()
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
        for command in &COMMANDS {
            let line = match command.takes {
                Takes::FileName(_) => format!("{} x.kgn", command.name),
                _ => command.name.to_owned(),
            };
            let action = parsed(&line);
            assert_eq!(parsed(&line.to_uppercase().replace("X.KGN", "x.kgn")), action);
            if !command.short.is_empty() && board(6).parse_pit(command.short).is_none() {
                assert_eq!(parsed(command.short), action);
            }
        }
    }

    #[test]
    fn a_beginning_is_enough_and_a_pit_takes_precedence() {
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
        assert_eq!(
            error("3"),
            "expected a pit's letter, A to F, got a number; numbers count seeds"
        );
        assert_eq!(error("re"), "'re' is ambiguous: redo or resign");
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
        assert_eq!(error("undo 3"), "expected nothing after undo, got '3'");
        assert_eq!(error("load"), "load needs a file name");
    }
}
