//! Parsing what a player types: a pit to sow, or a command.

use std::fs;

use thiserror::Error;

use kalah_game::{Pit, Position};
use kalah_play::game::Intent;
use kalah_play::question::Question;
use kalah_play::seat::LEVELS;
use kalah_sys::folders::expand_home;
use kalah_text::names::{quoted, shortened};

/// What a player asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserAction {
    /// Sow these pits of the side to move, not necessarily a legal turn.
    Sow(Vec<Pit>),
    /// Something else that the game in play decides.
    Intend(Intent),
    /// Step back without resuming play.
    Back,
    /// Step forward without resuming play.
    Next,
    /// Judge every move of the game.
    Analyse,
    /// Save the game, or a copy of it in this file.
    Save(Option<String>),
    /// Load the game in this file.
    Load(String),
    /// List the moves.
    Moves,
    /// Show the board.
    Board,
    /// Turn the board around.
    Flip,
    /// List the levels, or change the engine's.
    Level(Option<String>),
    /// List the variations, or go to the one with this number.
    Variation(Option<String>),
    /// Start a new game.
    New,
    /// List the commands.
    Help,
    /// Show the rules.
    Rules,
    /// Leave.
    Quit,
}

/// The argument of a command, and the action that follows from it.
enum CommandArgument {
    Nothing(UserAction),
    /// May be omitted; the name is shown in the help.
    Optional(&'static str, fn(Option<String>) -> UserAction),
    FileName(fn(String) -> UserAction),
}

/// Names of arguments, for the help and for completion.
const LEVEL: &str = "NAME";
const FILE: &str = "FILE";

/// A command with its names, its description and its argument.
pub struct PlayCommand {
    /// The full name; any unambiguous prefix is accepted.
    pub(crate) name: &'static str,
    /// An abbreviation, or empty. On a board with a pit of that letter, the pit takes
    /// precedence.
    pub short: &'static str,
    /// The key in full-screen mode, or empty if the command must be typed there. Unlike `short`, it
    /// is not a pit of any board, except for `n`.
    pub key: &'static str,
    /// A short description; empty if the next command's description covers this one, too.
    pub(crate) about: &'static str,
    argument: CommandArgument,
}

impl PlayCommand {
    /// The name and its argument, as the help shows them.
    pub(crate) fn usage(&self) -> String {
        match self.argument {
            CommandArgument::Nothing(_) => self.name.to_owned(),
            CommandArgument::Optional(what, _) => format!("{} [{what}]", self.name),
            CommandArgument::FileName(_) => format!("{} {FILE}", self.name),
        }
    }

    /// The action without an argument; none if the command needs one.
    pub fn action(&self) -> Option<UserAction> {
        match &self.argument {
            CommandArgument::Nothing(action) => Some(action.clone()),
            CommandArgument::Optional(_, action) => Some(action(None)),
            CommandArgument::FileName(_) => None,
        }
    }
}

const fn command(
    name: &'static str,
    short: &'static str,
    key: &'static str,
    about: &'static str,
    argument: CommandArgument,
) -> PlayCommand {
    PlayCommand { name, short, key, about, argument }
}

use CommandArgument::{FileName, Nothing, Optional};

const fn does(intent: Intent) -> CommandArgument {
    Nothing(UserAction::Intend(intent))
}

/// Every command, in the order of the help: its name, abbreviation, key and description.
#[rustfmt::skip]
pub static COMMANDS: [PlayCommand; 24] = [
    command("undo", "u", "u", "", does(Intent::TakeBack)),
    command("redo", "r", "r", "take back your last decision, or replay it", does(Intent::Redo)),
    command("hint", "h", "t", "the move the full engine would make", does(Intent::Ask(Question::Hint))),
    command("eval", "e", "v", "the value of each pit", does(Intent::Ask(Question::Values))),
    command("analyse", "", "x", "show where each side lost seeds, and how many", Nothing(UserAction::Analyse)),
    command("moves", "m", "", "", Nothing(UserAction::Moves)),
    command("board", "", "", "list the moves so far, show the board", Nothing(UserAction::Board)),
    command("flip", "", "y", "turn the board around", Nothing(UserAction::Flip)),
    command("swap", "", "w", "take the first player's side (pie rule)", does(Intent::Swap)),
    command("level", "", "", "list the levels, or choose one", Optional(LEVEL, UserAction::Level)),
    command("now", "", "n", "make the engine move immediately", does(Intent::Hurry)),
    command("back", "", "<", "", Nothing(UserAction::Back)),
    command("next", "n", ">", "", Nothing(UserAction::Next)),
    command("first", "", "Home", "", does(Intent::GoTo(0))),
    command("last", "", "End", "step through the game", does(Intent::GoTo(usize::MAX))),
    command("variation", "", "", "list the other lines, or switch to one", Optional("N", UserAction::Variation)),
    command("go", "", "", "resume play from the position shown", does(Intent::Continue)),
    command("save", "", "", "", Optional(FILE, UserAction::Save)),
    command("load", "", "", "save the game to a file, load one from it", FileName(UserAction::Load)),
    command("resign", "", "", "resign the game", does(Intent::Resign)),
    // On a finished game, in which `n` for `now` and for a pit would have no effect.
    command("new", "", "n", "start a new game", Nothing(UserAction::New)),
    command("rules", "", "", "the rules of the game", Nothing(UserAction::Rules)),
    command("help", "?", "?", "this list", Nothing(UserAction::Help)),
    command("quit", "q", "q", "save the game and leave", Nothing(UserAction::Quit)),
];

/// How a player enters commands, which messages about commands depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommandInput {
    /// By typing their names.
    #[default]
    Lines,
    /// By pressing their keys, or typing their names after `:`.
    Keys,
}

impl CommandInput {
    /// What to enter for the commands with these names on a board with `pits` pits per row.
    pub(crate) fn enter<const N: usize>(
        self,
        names: [&'static str; N],
        pits: usize,
    ) -> [String; N] {
        names.map(|name| match (self, COMMANDS.iter().find(|command| command.name == name)) {
            (Self::Lines, _) | (_, None) => name.to_owned(),
            (Self::Keys, Some(command)) => match command.key.as_bytes() {
                [] => format!(":{name}"),
                // A pit takes precedence while the game lasts.
                &[letter @ b'a'..=b'p'] if usize::from(letter - b'a') < pits && name != "new" => {
                    format!(":{name}")
                }
                _ => command.key.to_owned(),
            },
        })
    }
}

/// Why a typed line was refused: a message for the person who typed it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PlayCommandError(String);

/// Parses a line typed by the side to move in `position`.
pub fn parse(line: &str, position: &Position) -> Result<UserAction, PlayCommandError> {
    let refused = |message| Err(PlayCommandError(message));
    let side = position.side();
    let letters = position.pit_letters(side);
    let line = line.trim();
    let word = line.split_whitespace().next().unwrap_or_default();
    let rest = line[word.len()..].trim();
    if word.is_empty() {
        return refused(format!("type a pit's letter, {letters}, or a command; help lists them"));
    }
    // Pits come before abbreviations: on wide boards, e, h, m and n are pits. Every command can
    // also be typed in full.
    if let Some(pit) = position.parse_pit(word) {
        if rest.is_empty() {
            return Ok(UserAction::Sow(vec![pit]));
        }
        return refused(format!("expected one pit at a time, got '{}'", shortened(line)));
    }
    // A likely mistake, because the board shows counts of seeds as numbers.
    if word.chars().all(|letter| letter.is_ascii_digit()) {
        return refused(format!(
            "expected a pit's letter, {letters}, got a number; numbers are counts of seeds"
        ));
    }
    // In capitals, letters are South's pits, as records write them: BA is a turn, ba begins 'back'.
    let turn = turn(word, position).filter(|_| rest.is_empty());
    if let Some(Ok(turn)) = turn.as_ref().filter(|_| word.chars().all(|c| c.is_ascii_uppercase())) {
        return Ok(UserAction::Sow(turn.clone()));
    }
    let name = word.to_lowercase();
    let Some(command) = find(&name)? else {
        return match turn {
            Some(Ok(pits)) => Ok(UserAction::Sow(pits)),
            Some(Err(error)) => {
                let word = quoted(word);
                refused(format!(
                    "expected pits that {side} can sow in one turn, got {word}: {error}"
                ))
            }
            None => {
                let closest = closest(&name).map(|name| format!("; did you mean {name}?"));
                refused(format!(
                    "expected a pit's letter, {letters}, or a command (help lists them), got {}{}",
                    quoted(line),
                    closest.unwrap_or_default()
                ))
            }
        };
    };
    let name = command.name;
    match (&command.argument, rest) {
        (CommandArgument::Nothing(action), "") => Ok(action.clone()),
        (CommandArgument::Nothing(_), _) => {
            refused(format!("expected nothing after {name}, got '{}'", shortened(rest)))
        }
        // Elsewhere, - stands for a pipe.
        (CommandArgument::Optional(FILE, _), "-") | (CommandArgument::FileName(_), "" | "-") => {
            refused(format!("{name} needs a file name"))
        }
        (CommandArgument::Optional(_, action), "") => Ok(action(None)),
        (CommandArgument::Optional(_, action), _) => Ok(action(Some(rest.to_owned()))),
        (CommandArgument::FileName(action), _) => Ok(action(rest.to_owned())),
    }
}

/// The pits of a word such as `CF`, which the side to move sows in one turn, or why it cannot; none
/// if the word does not consist of pits.
pub(crate) fn turn(word: &str, position: &Position) -> Option<Result<Vec<Pit>, String>> {
    let letters = word.char_indices().map(|(at, letter)| &word[at..at + letter.len_utf8()]);
    let pits: Vec<Pit> = letters.map(|letter| position.parse_pit(letter)).collect::<Option<_>>()?;
    let side = position.side();
    let mut position = *position;
    let mut last = None;
    for &pit in &pits {
        if let Some(last) = last.filter(|_| position.side() != side) {
            return Some(Err(format!("the turn ends after {last}")));
        }
        if let Err(error) = position.play(pit) {
            return Some(Err(error.to_string()));
        }
        last = Some(pit.letter(side));
    }
    Some(Ok(pits))
}

/// Completions for the last word of a line, and the byte offset at which that word begins.
/// The first word completes to legal pits and commands, the rest to the levels or files that
/// the command takes.
pub(crate) fn completions(text: &str, position: &Position) -> (usize, Vec<String>) {
    let start = text.len() - text.trim_start().len();
    let Some((word, argument)) = text[start..].split_once(' ') else {
        let word = text[start..].to_lowercase();
        let mut choices = Vec::new();
        for pit in position.moves() {
            let letter = pit.letter(position.side()).to_string();
            if word.is_empty() || letter.to_lowercase() == word {
                choices.push(letter);
            }
        }
        for command in COMMANDS.iter().filter(|command| command.name.starts_with(&word)) {
            choices.push(match command.argument {
                CommandArgument::Nothing(_) => command.name.to_owned(),
                _ => format!("{} ", command.name),
            });
        }
        return (start, choices);
    };
    let command = find(&word.to_lowercase()).ok().flatten();
    let choices = match command.map(|command| &command.argument) {
        Some(CommandArgument::Optional(LEVEL, _)) => {
            let names = LEVELS.iter().map(|level| level.name.to_owned());
            names.filter(|name| name.starts_with(&argument.to_lowercase())).collect()
        }
        Some(CommandArgument::Optional(FILE, _) | CommandArgument::FileName(_)) => {
            files_beginning(argument)
        }
        _ => Vec::new(),
    };
    (text.len() - argument.len(), choices)
}

/// The command with this name or prefix; an error if the prefix is ambiguous.
fn find(word: &str) -> Result<Option<&'static PlayCommand>, PlayCommandError> {
    let word = if word == "exit" { "quit" } else { word };
    if let Some(named) =
        COMMANDS.iter().find(|command| [command.name, command.short].contains(&word))
    {
        return Ok(Some(named));
    }
    // Prefixes come last, so that a new command never changes the meaning of a full name.
    let begun: Vec<_> = COMMANDS.iter().filter(|command| command.name.starts_with(word)).collect();
    match begun[..] {
        [] => Ok(None),
        [command] => Ok(Some(command)),
        _ => {
            let names: Vec<_> = begun.iter().map(|command| command.name).collect();
            Err(PlayCommandError(format!("'{word}' is ambiguous: {}", names.join(" or "))))
        }
    }
}

/// The command with the nearest spelling, if at most two letters differ.
fn closest(word: &str) -> Option<&'static str> {
    // No command is this long, and the distance takes quadratic time: a pasted text must not
    // reach it.
    let length = word.chars().take(32).count();
    if length == 32 {
        return None;
    }
    let names = COMMANDS.iter().map(|command| command.name);
    let (distance, name) = names.map(|name| (strsim::levenshtein(word, name), name)).min()?;
    // The second condition keeps a short word from matching a name with which it has no letter
    // in common.
    if distance <= 2 && distance < name.len().min(length) { Some(name) } else { None }
}

/// The files and folders whose paths begin with `name`.
fn files_beginning(name: &str) -> Vec<String> {
    let (folder, beginning) = match name.rfind('/') {
        Some(slash) => name.split_at(slash + 1),
        None => ("", name),
    };
    let place = if folder.is_empty() { "./".to_owned() } else { expand_home(folder) };
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_hidden = name.starts_with('.') && beginning.is_empty();
        if name.starts_with(beginning) && !is_hidden {
            let end = if entry.path().is_dir() { "/" } else { "" };
            files.push(format!("{folder}{name}{end}"));
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Capture, Rules};

    fn board(pits: u32) -> Position {
        Position::start(Rules::new(pits, 4, Capture::Standard).unwrap())
    }

    fn parsed(line: &str) -> UserAction {
        parse(line, &board(6)).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn error(line: &str) -> String {
        parse(line, &board(6)).unwrap_err().to_string()
    }

    #[test]
    fn letters_on_the_board_are_pits_in_either_case() {
        for (index, letter) in ('a'..='f').enumerate() {
            assert_eq!(parsed(&letter.to_string()), UserAction::Sow(vec![Pit::new(index)]));
            assert_eq!(
                parsed(&format!(" {} ", letter.to_ascii_uppercase())),
                parsed(&letter.to_string())
            );
        }
    }

    #[test]
    fn every_command_is_accepted_by_its_full_and_its_short_name() {
        for command in &COMMANDS {
            let line = match command.argument {
                CommandArgument::FileName(_) => format!("{} x.kgn", command.name),
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
    fn a_prefix_is_enough_and_a_pit_takes_precedence() {
        assert_eq!(parsed("un"), UserAction::Intend(Intent::TakeBack));
        assert_eq!(parsed("h"), UserAction::Intend(Intent::Ask(Question::Hint)));
        assert_eq!(parse("h", &board(8)), Ok(UserAction::Sow(vec![Pit::new(7)])));
        assert_eq!(parse("hi", &board(8)), Ok(UserAction::Intend(Intent::Ask(Question::Hint))));
        assert_eq!(parsed("save my game.kgn"), UserAction::Save(Some("my game.kgn".to_owned())));
        assert_eq!(parsed("exit"), UserAction::Quit);
    }

    #[test]
    fn a_whole_turn_is_sown_in_the_notation_of_records() {
        let turn =
            |pits: &[usize]| UserAction::Sow(pits.iter().map(|&index| Pit::new(index)).collect());
        for line in ["CF", "cf", " Cf "] {
            assert_eq!(parsed(line), turn(&[2, 5]));
        }
        // F ends the turn, and the second C is empty.
        for (line, reason) in [
            ("FC", "expected pits that South can sow in one turn, got 'FC': the turn ends after F"),
            ("CC", "expected pits that South can sow in one turn, got 'CC': pit C is empty"),
            (
                "CFA",
                "expected pits that South can sow in one turn, got 'CFA': the turn ends after F",
            ),
            ("CG", "expected a pit's letter, A to F, or a command (help lists them), got 'CG'"),
            ("C F", "expected one pit at a time, got 'C F'"),
        ] {
            assert_eq!(error(line), reason);
        }
        let keeps =
            Position::parse("<6,0,0,1,5,0,0,0,0,4,4,4,4,4,4> S", Capture::Standard).unwrap();
        assert_eq!(parse("BA", &keeps), Ok(turn(&[1, 0])));
        assert_eq!(parse("ba", &keeps), Ok(UserAction::Back));
    }

    #[test]
    fn errors_help() {
        assert_eq!(error(""), "type a pit's letter, A to F, or a command; help lists them");
        assert_eq!(
            error("3"),
            "expected a pit's letter, A to F, got a number; numbers are counts of seeds"
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
        for line in ["load", "load -", "save -"] {
            assert_eq!(error(line), format!("{} needs a file name", &line[..4]));
        }
    }
}
