//! Lines of text whose parts know what they are, not how they look.
//!
//! The view and the pages are made of these; a front end turns a [`Role`] into
//! the colours that its terminal has. Nothing here knows a terminal.

use crate::game::Side;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Text without a role.
    #[default]
    Plain,
    /// Something that matters more than what is around it.
    Strong,
    /// Something that matters less: frames, empty pits.
    Quiet,
    /// What belongs to a player.
    Of(Side),
    /// What belongs to the player who is to move.
    Mover(Side),
    /// The pit that was sown last.
    Last,
    /// A pit that is pointed out: a hint, a choice.
    Chosen,
    /// The best choice, or one as good.
    Good,
    /// A loss, or something that went wrong.
    Bad,
}

/// A piece of text in one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text, without line breaks.
    pub text: String,
    /// The role of all of it.
    pub role: Role,
}

/// A line of text, each neighbouring pair of spans in different roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Span>);

impl Line {
    /// A line in the plain role.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::default().with(Role::Plain, text)
    }

    /// The line with more text at its end.
    #[must_use]
    pub fn with(mut self, role: Role, text: impl Into<String>) -> Self {
        self.push(role, text);
        self
    }

    /// Adds text at the end.
    pub fn push(&mut self, role: Role, text: impl Into<String>) {
        let text = text.into();
        match self.0.last_mut() {
            Some(last) if last.role == role => last.text.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.0.push(Span { text, role }),
        }
    }

    /// Columns that the line takes; every character used takes one.
    pub fn width(&self) -> usize {
        self.0.iter().map(|span| span.text.chars().count()).sum()
    }

    /// The text without its roles or spaces at the end.
    pub fn text(&self) -> String {
        let text: String = self.0.iter().map(|span| span.text.as_str()).collect();
        text.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_one_role_are_one_span() {
        let line = Line::plain("a").with(Role::Plain, "b").with(Role::Strong, "c");
        assert_eq!((line.0.len(), line.width(), line.text()), (2, 3, "abc".to_owned()));
    }
}
