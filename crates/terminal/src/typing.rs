//! Typing a command at a terminal: editing, history and completion for both front ends. The
//! front ends draw the line.
//!
//! Libraries such as rustyline and reedline wait for a whole line and draw it themselves.
//! Here, messages from the engine and changes to the clock in the prompt arrive between key
//! presses, and the full-screen front end draws its own line.

use crossterm::event::{Event, KeyCode, KeyEvent};
use tui_input::{Input, InputRequest, backend::crossterm::EventHandler};

use crate::command;
use kalah_game::Position;
use kalah_text::{foreign, width};

/// Maximum length of a line.
const MAX_CHARACTERS: usize = 200;

/// The effect of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The line may have changed.
    Nothing,
    /// The line is complete; the next one is empty.
    Line(String),
    /// The word before the cursor has several completions.
    Choices(Vec<String>),
}

/// The line being typed, and the lines before it.
#[derive(Default)]
pub struct Typing {
    input: Input,
    /// Latest last.
    history: Vec<String>,
    /// The index of the recalled entry in the history, and the text typed before recalling it.
    recalled: Option<(usize, String)>,
}

impl Typing {
    /// Whether nothing has been typed yet.
    pub fn is_empty(&self) -> bool {
        self.input.value().is_empty()
    }

    /// Drops the line.
    pub fn clear(&mut self) {
        self.input.reset();
        self.recalled = None;
    }

    /// Handles a key press; completion offers the pits of `position`.
    pub fn press(&mut self, key: KeyEvent, position: &Position) -> Typed {
        match key.code {
            KeyCode::Enter => {
                let line = self.input.value_and_reset();
                self.clear();
                self.keep(&line);
                return Typed::Line(line);
            }
            KeyCode::Tab => return self.complete(position),
            KeyCode::Up => self.recall(true),
            KeyCode::Down => self.recall(false),
            KeyCode::Char(_) if self.input.value().chars().count() >= MAX_CHARACTERS => {}
            _ => {
                self.recalled = None;
                self.input.handle_event(&Event::Key(key));
            }
        }
        Typed::Nothing
    }

    /// Inserts a pasted text at the cursor, with spaces for line breaks, so that nothing in it is
    /// executed before Enter.
    ///
    /// # Errors
    /// If the line would be too long; it is then unchanged.
    pub fn paste(&mut self, text: &str) -> Result<(), String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let length = self.input.value().chars().count() + text.chars().count();
        if length > MAX_CHARACTERS {
            return Err(format!("the pasted text is too long (limit {MAX_CHARACTERS} characters)"));
        }
        self.recalled = None;
        for character in text.chars() {
            self.input.handle(InputRequest::InsertChar(character));
        }
        Ok(())
    }

    /// Adds a line to the history. Single letters are left out, because typing a pit is quicker
    /// than recalling it.
    fn keep(&mut self, line: &str) {
        let line = line.trim();
        if line.chars().count() >= 2 && self.history.last().is_none_or(|last| last != line) {
            self.history.push(line.to_owned());
        }
    }

    /// Recalls an older or newer line that begins with the text typed so far.
    fn recall(&mut self, older: bool) {
        let lines = &self.history;
        let (from, typed) =
            self.recalled.take().unwrap_or((lines.len(), self.input.value().to_owned()));
        let mut fitting = (0..lines.len()).filter(|&index| lines[index].starts_with(&typed));
        let place = if older {
            fitting.take_while(|&index| index < from).last().unwrap_or(from)
        } else {
            fitting.find(|&index| index > from).unwrap_or(lines.len())
        };
        let line = lines.get(place).unwrap_or(&typed).clone();
        self.input = Input::new(line);
        self.recalled = Some((place, typed));
    }

    /// Completes the word before the cursor as far as it is unambiguous.
    fn complete(&mut self, position: &Position) -> Typed {
        let line = self.input.value();
        let cursor = line.char_indices().nth(self.input.cursor()).map_or(line.len(), |(at, _)| at);
        let (before, after) = line.split_at(cursor);
        let (start, choices) = command::completions(before, position);
        let Some(common) = common_prefix(&choices) else { return Typed::Nothing };
        // Nothing can be added to the word, so the choices are listed.
        if common.len() <= before.len() - start && choices.len() > 1 {
            return Typed::Choices(choices);
        }
        let completed = before[..start].to_owned() + &common;
        let cursor = completed.chars().count();
        self.input = Input::new(completed + after);
        self.input.handle(InputRequest::SetCursor(cursor));
        self.recalled = None;
        Typed::Nothing
    }

    /// The part of the line that fits into `columns` together with the cursor: the text before
    /// the cursor, and the rest.
    pub fn shown(&self, columns: usize) -> (String, String) {
        // A column is kept free for a cursor at the end.
        let room = columns.max(2) - 1;
        // A completed file name or a pasted text may contain control characters.
        let text = self.input.value().replace(foreign::is_control, "?");
        let cursor = text.char_indices().nth(self.input.cursor()).map_or(text.len(), |(at, _)| at);
        let (before, rest) = text.split_at(cursor);
        let mut starts = before.char_indices().map(|(start, _)| &before[start..]);
        let before = starts.find(|end| width::columns(end) <= room).unwrap_or_default();
        let rest = width::fitting(rest, room - width::columns(before));
        (before.to_owned(), rest.to_owned())
    }
}

/// The longest common prefix; none if there are no texts.
fn common_prefix(texts: &[String]) -> Option<String> {
    let mut common = texts.first()?.clone();
    for text in texts {
        // By characters, not bytes: file names may share part of a character.
        let same = common.chars().zip(text.chars()).take_while(|(one, other)| one == other);
        common.truncate(same.map(|(one, _)| one.len_utf8()).sum());
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crossterm::event::KeyModifiers;
    use kalah_game::Rules;

    fn press(typing: &mut Typing, code: KeyCode) -> Typed {
        typing.press(KeyEvent::from(code), &Position::start(Rules::default()))
    }

    fn type_text(typing: &mut Typing, text: &str) {
        for letter in text.chars() {
            press(typing, KeyCode::Char(letter));
        }
    }

    fn line(typing: &mut Typing) -> String {
        match press(typing, KeyCode::Enter) {
            Typed::Line(line) => line,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_is_edited_at_its_cursor() {
        let mut typing = Typing::default();
        type_text(&mut typing, "sve x");
        press(&mut typing, KeyCode::Home);
        press(&mut typing, KeyCode::Right);
        type_text(&mut typing, "a");
        assert_eq!(typing.shown(80), ("sa".to_owned(), "ve x".to_owned()));
        let ctrl_k = KeyEvent::new(KeyCode::Char('k'), KeyModifiers::CONTROL);
        typing.press(ctrl_k, &Position::start(Rules::default()));
        assert_eq!((line(&mut typing).as_str(), typing.is_empty()), ("sa", true));
        type_text(&mut typing, "0123456789");
        assert_eq!(typing.shown(5).0, "6789");
        typing.clear();
        type_text(&mut typing, "save 播棋");
        assert_eq!(typing.shown(6).0, " 播棋");
        assert_eq!(typing.shown(5).0, "播棋");
        assert_eq!(typing.shown(4).0, "棋");
        press(&mut typing, KeyCode::Left);
        assert_eq!(typing.shown(6), ("ve 播".to_owned(), String::new()));
        assert_eq!(typing.shown(10), ("save 播".to_owned(), "棋".to_owned()));
    }

    #[test]
    fn words_are_completed_as_far_as_they_are_unambiguous() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["first.kgn", "fish.kgn", "other"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let path = folder.path().display();
        for (text, line, choices) in [
            ("und", "undo", ""),
            ("LEV", "level ", ""),
            ("level be", "level beginner", ""),
            ("re", "re", "redo resign"),
            ("xyz", "xyz", ""),
            (&format!("load {path}/o"), &format!("load {path}/other"), ""),
            (&format!("save {path}/f"), &format!("save {path}/fi"), ""),
            (&format!("l {path}/fi"), &format!("l {path}/fi"), ""),
            (
                &format!("load {path}/fi"),
                &format!("load {path}/fi"),
                &format!("{path}/first.kgn {path}/fish.kgn"),
            ),
        ] {
            assert_eq!(completed(text), (line.to_owned(), choices.to_owned()));
        }
        assert!(completed("").1.starts_with("A B C D E F undo "));
    }

    /// The line after Tab, and the choices listed.
    fn completed(text: &str) -> (String, String) {
        let mut typing = Typing::default();
        type_text(&mut typing, text);
        let choices = match press(&mut typing, KeyCode::Tab) {
            Typed::Choices(choices) => choices.join(" "),
            _ => String::new(),
        };
        (line(&mut typing), choices)
    }

    #[test]
    fn lines_are_recalled_by_prefix() {
        let mut typing = Typing::default();
        for text in ["hint", "save a", "c", "eval", "eval"] {
            type_text(&mut typing, text);
            line(&mut typing);
        }
        for (code, shown) in [
            (KeyCode::Up, "eval"),
            (KeyCode::Up, "save a"),
            (KeyCode::Up, "hint"),
            (KeyCode::Up, "hint"),
            (KeyCode::Down, "save a"),
            (KeyCode::Down, "eval"),
            (KeyCode::Down, ""),
            (KeyCode::Char('s'), "s"),
            (KeyCode::Up, "save a"),
            (KeyCode::Up, "save a"),
            (KeyCode::Down, "s"),
        ] {
            press(&mut typing, code);
            assert_eq!(typing.shown(80).0, shown);
        }
    }
}
