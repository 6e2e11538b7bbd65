//! What a key means. Letters from `a` to `p` may be pits, so that every command
//! has another key, too.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::game::Pit;
use crate::play::command::Action;
use crate::view::text::{Line, Role};

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Act(Action),
    Left,
    Right,
    Up,
    Down,
    SowChosen,
    /// To type a command.
    Command,
    /// To change how fast moves are shown.
    Pace,
    /// To show or hide the evaluation bar.
    Bar,
    /// To end what the engine was asked for, or else the session.
    Interrupt,
    /// To give the terminal back to the shell until `fg`.
    Suspend,
    Nothing,
}

/// The bottom line of the screen, on a board of six pits.
pub(super) const SUMMARY: &str =
    "A-F/arrows+Enter/click sow  t hint  u undo  r redo  v values  x analysis  ? keys  q quit";

/// All keys and what they do.
const ALL: [(&str, &str); 18] = [
    ("a letter", "sow that pit"),
    ("arrows, Enter", "choose a pit and sow it"),
    ("click", "sow a pit of yours"),
    ("t", "hint: the pit the full engine would sow"),
    ("v", "values of all pits, exact ones marked"),
    ("u, Backspace", "undo, to your last decision"),
    ("r", "redo"),
    ("x", "analysis of the game"),
    ("< and >", "step through the game"),
    ("w", "swap sides (pie rule)"),
    ("y", "show the board from the other side"),
    ("s", "show sowing slowly, fast, not at all"),
    ("z", "evaluation bar on or off"),
    ("n", "the engine moves now (if n is no pit)"),
    (":", "any command, as in line mode"),
    ("?, F1", "these keys"),
    ("Ctrl-C", "end an analysis, or leave"),
    ("q", "leave; the game is saved"),
];

/// The keys, and below them the commands that can be typed.
pub(super) fn page(commands: Vec<Line>) -> Vec<Line> {
    let keys = ALL.map(|(key, about)| {
        Line::default()
            .with(Role::Strong, format!("{key:<14}"))
            .with(Role::Plain, format!(" {about}"))
    });
    let heading = Line::plain("After ':' these commands can be typed:");
    keys.into_iter().chain([Line::default(), heading]).chain(commands).collect()
}

/// What `key` means on a board with rows of `pits`.
pub(super) fn meaning(key: KeyEvent, pits: usize) -> Key {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Key::Interrupt,
            KeyCode::Char('d') => Key::Act(Action::Quit),
            KeyCode::Char('z') => Key::Suspend,
            _ => Key::Nothing,
        };
    }
    match key.code {
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Enter | KeyCode::Char(' ') => Key::SowChosen,
        KeyCode::Backspace => Key::Act(Action::Undo),
        KeyCode::F(1) => Key::Act(Action::Help),
        KeyCode::PageUp => Key::Act(Action::Back),
        KeyCode::PageDown => Key::Act(Action::Next),
        KeyCode::Home => Key::Act(Action::First),
        KeyCode::End => Key::Act(Action::Last),
        KeyCode::Char(letter) => of_letter(letter.to_ascii_lowercase(), pits),
        _ => Key::Nothing,
    }
}

fn of_letter(letter: char, pits: usize) -> Key {
    let index = (letter as usize).checked_sub('a' as usize);
    if let Some(index) = index.filter(|&index| index < pits) {
        return Key::Act(Action::Sow(Pit::new(index)));
    }
    match letter {
        't' | 'h' => Key::Act(Action::Hint),
        'v' | 'e' => Key::Act(Action::Eval),
        'u' => Key::Act(Action::Undo),
        'r' => Key::Act(Action::Redo),
        'x' => Key::Act(Action::Analyse),
        '<' | ',' => Key::Act(Action::Back),
        '>' | '.' => Key::Act(Action::Next),
        'w' => Key::Act(Action::Swap),
        'y' => Key::Act(Action::Flip),
        'n' => Key::Act(Action::Now),
        '?' => Key::Act(Action::Help),
        'q' => Key::Act(Action::Quit),
        's' => Key::Pace,
        'z' => Key::Bar,
        ':' => Key::Command,
        _ => Key::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: char, pits: usize) -> Key {
        meaning(KeyEvent::from(KeyCode::Char(letter)), pits)
    }

    #[test]
    fn a_letter_is_a_pit_wherever_the_board_has_it() {
        assert_eq!(key('F', 6), Key::Act(Action::Sow(Pit::new(5))));
        assert_eq!(key('h', 6), Key::Act(Action::Hint));
        assert_eq!(key('h', 8), Key::Act(Action::Sow(Pit::new(7))));
        assert_eq!(key('p', 16), Key::Act(Action::Sow(Pit::new(15))));
    }

    #[test]
    fn the_widest_board_leaves_every_command_a_key() {
        let commands = ['q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '<', '>', ':', '?'];
        for letter in commands {
            let means = key(letter, 16);
            assert!(!matches!(means, Key::Nothing | Key::Act(Action::Sow(_))), "{letter}");
        }
    }

    #[test]
    fn control_letters_sow_nothing() {
        let control =
            |letter| meaning(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL), 6);
        assert_eq!(control('c'), Key::Interrupt);
        assert_eq!(control('d'), Key::Act(Action::Quit));
        assert_eq!(control('a'), Key::Nothing);
    }
}
