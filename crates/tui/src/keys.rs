//! The meaning of keys. Letters from `a` to `p` may be pits, so every command has a key
//! that is not one of them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use kalah_game::Pit;
use kalah_play::game::Intent;
use kalah_terminal::command::{COMMANDS, PlayCommand, UserAction};
use kalah_view::styled::{Role, StyledLine};

/// The meaning of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyMeaning {
    Act(UserAction),
    Left,
    Right,
    Up,
    Down,
    SowChosen,
    /// Start typing a command.
    Command,
    /// Close the popup.
    Close,
    /// Cancel the engine's task, or else end the game.
    Interrupt,
    /// Return to the shell until `fg`.
    Suspend,
    Nothing,
}

/// The keys that the bottom line of the screen offers during a game, after those that sow.
pub(super) const IN_PLAY: [&str; 5] = ["t hint", "u undo", "r redo", "v values", "x analysis"];

/// The keys that it offers at the end.
pub(super) const AT_THE_END: [&str; 4] = ["n new game", "x analysis", "u undo", "< > step"];

/// All keys and their meanings.
const ALL: [(&str, &str); 16] = [
    ("a letter", "sow that pit"),
    ("arrows, Enter", "choose a pit and sow it"),
    ("click", "sow one of your pits"),
    ("t", "hint: the move the full engine would make"),
    ("v", "values of all pits, exact ones marked"),
    ("u, Backspace", "undo your last decision"),
    ("r", "redo"),
    ("x", "analysis of the game"),
    ("< and >", "step through the game"),
    ("w", "swap sides (pie rule)"),
    ("y", "turn the board around"),
    ("n", "make the engine move now (unless n is a pit); at the end, start a new game"),
    (":", "any command, as in line mode"),
    ("?, F1", "these keys"),
    ("Ctrl-C", "cancel an analysis, or leave"),
    ("q", "save the game and leave"),
];

/// The keys, followed by the commands that can be typed.
pub(super) fn with_commands(commands: Vec<StyledLine>) -> Vec<StyledLine> {
    let keys = ALL.map(|(key, about)| {
        StyledLine::default()
            .with(Role::Strong, format!("{key:<14}"))
            .with(Role::Plain, format!(" {about}"))
    });
    let heading = StyledLine::plain("Commands to type after ':'");
    keys.into_iter().chain([StyledLine::default(), heading]).chain(commands).collect()
}

/// The meaning of `key` on a board with `pits` pits per row, in a game that is over or not.
pub(super) fn meaning(key: KeyEvent, pits: usize, is_over: bool) -> KeyMeaning {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => KeyMeaning::Interrupt,
            KeyCode::Char('d') => KeyMeaning::Act(UserAction::Quit),
            KeyCode::Char('z') => KeyMeaning::Suspend,
            _ => KeyMeaning::Nothing,
        };
    }
    match key.code {
        KeyCode::Left => KeyMeaning::Left,
        KeyCode::Right => KeyMeaning::Right,
        KeyCode::Up => KeyMeaning::Up,
        KeyCode::Down => KeyMeaning::Down,
        KeyCode::Enter | KeyCode::Char(' ') => KeyMeaning::SowChosen,
        KeyCode::Esc => KeyMeaning::Close,
        KeyCode::Backspace => KeyMeaning::Act(UserAction::Intend(Intent::TakeBack)),
        KeyCode::F(1) => KeyMeaning::Act(UserAction::Help),
        KeyCode::PageUp => KeyMeaning::Act(UserAction::Back),
        KeyCode::PageDown => KeyMeaning::Act(UserAction::Next),
        KeyCode::Home => KeyMeaning::Act(UserAction::Intend(Intent::GoTo(0))),
        KeyCode::End => KeyMeaning::Act(UserAction::Intend(Intent::GoTo(usize::MAX))),
        KeyCode::Char(letter) if is_over && latin_letter(letter) == 'n' => {
            KeyMeaning::Act(UserAction::New)
        }
        KeyCode::Char(letter) => letter_meaning(latin_letter(letter), pits),
        _ => KeyMeaning::Nothing,
    }
}

/// The small letter for a key. On Russian, Ukrainian and Greek keyboards, it is the Latin letter in
/// the same place, because a terminal reports only the character.
fn latin_letter(typed: char) -> char {
    const PLACES: [(&str, &str); 2] = [
        ("йцукенгшщзфывапролдячсмитьі", "qwertyuiopasdfghjklzxcvbnms"),
        ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
    ];
    let small = typed.to_lowercase().next().unwrap_or(typed);
    let mut all = PLACES.iter().flat_map(|(letters, latin)| letters.chars().zip(latin.chars()));
    match all.find(|&(letter, _)| letter == small) {
        Some((_, latin)) => latin,
        None => small,
    }
}

fn letter_meaning(letter: char, pits: usize) -> KeyMeaning {
    // Pits first, as on the command line: a player who types moves must never run a command.
    let index = (letter as usize).checked_sub('a' as usize);
    if let Some(index) = index.filter(|&index| index < pits) {
        return KeyMeaning::Act(UserAction::Sow(vec![Pit::new(index)]));
    }
    match letter {
        ',' => KeyMeaning::Act(UserAction::Back),
        '.' => KeyMeaning::Act(UserAction::Next),
        ':' => KeyMeaning::Command,
        _ => {
            // Keys come before abbreviations: `n` is `now` here, but `next` when typed.
            let letter = letter.to_string();
            let by_key = COMMANDS.iter().find(|command| command.key == letter);
            let command =
                by_key.or_else(|| COMMANDS.iter().find(|command| command.short == letter));
            match command.and_then(PlayCommand::action) {
                Some(action) => KeyMeaning::Act(action),
                None => KeyMeaning::Nothing,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_play::question::Question;

    fn key(letter: char, pits: usize) -> KeyMeaning {
        meaning(KeyEvent::from(KeyCode::Char(letter)), pits, false)
    }

    #[test]
    fn a_letter_is_a_pit_wherever_the_board_has_it() {
        assert_eq!(key('F', 6), KeyMeaning::Act(UserAction::Sow(vec![Pit::new(5)])));
        assert_eq!(key('h', 6), KeyMeaning::Act(UserAction::Intend(Intent::Ask(Question::Hint))));
        assert_eq!(key('h', 8), KeyMeaning::Act(UserAction::Sow(vec![Pit::new(7)])));
        assert_eq!(key('p', 16), KeyMeaning::Act(UserAction::Sow(vec![Pit::new(15)])));
    }

    #[test]
    fn a_key_on_a_russian_or_greek_keyboard_counts_by_its_place() {
        let sow = |index| KeyMeaning::Act(UserAction::Sow(vec![Pit::new(index)]));
        // In the places of a, b, f and t; the Cyrillic f looks like an a.
        for (letter, expected) in [
            ('ф', sow(0)),
            ('И', sow(1)),
            ('а', sow(5)),
            ('β', sow(1)),
            ('Φ', sow(5)),
            ('е', KeyMeaning::Act(UserAction::Intend(Intent::Ask(Question::Hint)))),
            ('ж', KeyMeaning::Nothing),
        ] {
            assert_eq!(key(letter, 6), expected, "{letter}");
        }
    }

    #[test]
    fn the_widest_board_leaves_every_command_a_key() {
        let commands = ['q', 'r', 't', 'u', 'v', 'w', 'x', 'y', '<', '>', ':', '?'];
        for letter in commands {
            let means = key(letter, 16);
            assert!(
                !matches!(means, KeyMeaning::Nothing | KeyMeaning::Act(UserAction::Sow(_))),
                "{letter}"
            );
        }
    }

    #[test]
    fn letters_with_control_do_not_sow() {
        for (letter, key) in [
            ('c', KeyMeaning::Interrupt),
            ('d', KeyMeaning::Act(UserAction::Quit)),
            ('a', KeyMeaning::Nothing),
        ] {
            let event = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
            assert_eq!(meaning(event, 6, false), key);
        }
    }

    #[test]
    fn n_starts_a_new_game_only_at_the_end() {
        let key = KeyEvent::from(KeyCode::Char('n'));
        for (pits, now) in
            [(13, UserAction::Intend(Intent::Hurry)), (14, UserAction::Sow(vec![Pit::new(13)]))]
        {
            assert_eq!(meaning(key, pits, false), KeyMeaning::Act(now));
            assert_eq!(meaning(key, pits, true), KeyMeaning::Act(UserAction::New));
        }
    }
}
