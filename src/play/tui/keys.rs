//! The meaning of keys. Letters from `a` to `p` may be pits, so every command has a key
//! that is not one of them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::game::Pit;
use crate::play::command::Action;
use crate::view::text::{Line, Role};

/// The meaning of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Act(Action),
    Left,
    Right,
    Up,
    Down,
    SowChosen,
    /// Start typing a command.
    Command,
    /// Change how fast moves are shown.
    Pace,
    /// Show or hide the evaluation bar.
    Bar,
    /// Close a page.
    Close,
    /// Cancel the engine's task, or else end the session.
    Interrupt,
    /// Return to the shell until `fg`.
    Suspend,
    Nothing,
}

/// The bottom line of the screen, for a board with six pits per row.
pub(super) const SUMMARY: &str =
    "A-F/arrows+Enter/click sow  t hint  u undo  r redo  v values  x analysis  ? keys  q quit";

/// All keys and their meanings.
const ALL: [(&str, &str); 18] = [
    ("a letter", "sow that pit"),
    ("arrows, Enter", "choose a pit and sow it"),
    ("click", "sow a pit of yours"),
    ("t", "hint: the move the full engine would make"),
    ("v", "values of all pits, exact ones marked"),
    ("u, Backspace", "undo back to your last decision"),
    ("r", "redo"),
    ("x", "analysis of the game"),
    ("< and >", "step through the game"),
    ("w", "swap sides (pie rule)"),
    ("y", "turn the board around"),
    ("s", "sowing speed: slow, fast, immediate"),
    ("z", "evaluation bar on or off"),
    ("n", "make the engine move now (unless n is a pit)"),
    (":", "any command, as in line mode"),
    ("?, F1", "these keys"),
    ("Ctrl-C", "cancel an analysis, or leave"),
    ("q", "save the game and leave"),
];

/// The keys, followed by the commands that can be typed.
pub(super) fn page(commands: Vec<Line>) -> Vec<Line> {
    let keys = ALL.map(|(key, about)| {
        Line::default()
            .with(Role::Strong, format!("{key:<14}"))
            .with(Role::Plain, format!(" {about}"))
    });
    let heading = Line::plain("Commands to type after ':'");
    keys.into_iter().chain([Line::default(), heading]).chain(commands).collect()
}

/// The meaning of `key` on a board with `pits` pits per row.
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
        KeyCode::Esc => Key::Close,
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
        for (letter, key) in
            [('c', Key::Interrupt), ('d', Key::Act(Action::Quit)), ('a', Key::Nothing)]
        {
            let event = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
            assert_eq!(meaning(event, 6), key);
        }
    }
}
