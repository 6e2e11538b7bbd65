//! Lines of text whose parts have roles instead of colours.
//!
//! Drawings and pages consist of these lines; a front end turns each [`Role`] into a style
//! that its terminal supports.

use kalah_game::Side;
use kalah_text::{foreign::Foreign, width::columns};

/// The meaning of a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Text without a role.
    #[default]
    Plain,
    /// More important than its surroundings.
    Strong,
    /// Less important: frames, empty pits.
    Quiet,
    /// Belongs to a player.
    Of(Side),
    /// Belongs to the player to move.
    Mover(Side),
    /// The pit that was sown last.
    Last,
    /// A highlighted pit: a hint, a choice.
    Chosen,
    /// The best choice, or an equal one.
    Good,
    /// A loss or an error.
    Bad,
}

/// A piece of text with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyledSpan {
    /// The text, without line breaks or other control characters.
    pub text: String,
    /// The role of the whole text.
    pub role: Role,
}

/// A line of text; neighbouring spans have different roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledLine(pub Vec<StyledSpan>);

impl StyledLine {
    /// A line in the plain role.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::default().with(Role::Plain, text)
    }

    /// Returns the line with text appended.
    #[must_use]
    pub fn with(mut self, role: Role, text: impl Into<String>) -> Self {
        self.push(role, text);
        self
    }

    /// Appends text; control characters in it are escaped.
    pub fn push(&mut self, role: Role, text: impl Into<String>) {
        // Here and not at each caller, so that no name or comment reaches a terminal raw.
        let text = Foreign(&text.into()).to_string();
        match self.0.last_mut() {
            Some(last) if last.role == role => last.text.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push(StyledSpan { text, role }),
        }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.0.iter().map(|span| columns(&span.text)).sum()
    }

    /// The text without roles or trailing spaces.
    pub fn text(&self) -> String {
        let text: String = self.0.iter().map(|span| span.text.as_str()).collect();
        text.trim_end().to_owned()
    }
}
