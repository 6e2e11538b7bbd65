//! The capabilities of the terminal, from the environment and the options.

use std::env;
use std::io::{self, IsTerminal};

use crate::palette::{Palette, Theme};
use kalah_game::{Position, Side};
use kalah_view::board::{Annotations, Glyphs, View, board};
use kalah_view::styled::StyledLine;

/// The capabilities of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Whether the input comes from a terminal.
    pub typed: bool,
    /// Whether lines are edited key by key. This requires a terminal that can return to the
    /// start of a line, and no screen reader, which would read out every redrawn line.
    pub edited: bool,
    /// Whether boards are drawn; otherwise positions are sentences.
    pub drawn: bool,
    /// The styles that it supports, with the chosen colours.
    pub palette: Palette,
    /// The characters of drawings.
    pub glyphs: Glyphs,
}

impl Terminal {
    /// The terminal of this process; `plain` asks for sentences without drawings or colours,
    /// `ascii` for ASCII characters only. On Windows, this makes the console interpret escape
    /// sequences, which consoles before Windows 10 cannot.
    pub fn from_environment(plain: bool, ascii: bool) -> Self {
        let term = variable("TERM");
        #[cfg(windows)]
        let shows_escapes = !crossterm::ansi_support::supports_ansi();
        // A terminal without a name may support no escape sequences.
        #[cfg(not(windows))]
        let shows_escapes = term.is_empty();
        let dumb = term == "dumb" || shows_escapes;
        let typed = io::stdin().is_terminal();
        let drawn = io::stdout().is_terminal() && !plain;
        // NO_COLOR counts if it is not empty (https://no-color.org).
        let palette = if !drawn || dumb || !variable("NO_COLOR").is_empty() {
            Palette::None
        } else {
            Palette::Colours(Theme::default())
        };
        // The first of these variables that is set decides, as for other programs (POSIX).
        let locales = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
        let locale = locales.iter().find(|locale| !locale.is_empty());
        let utf8 =
            locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
        let unicode = !ascii && !dumb && (utf8 || cfg!(windows));
        let glyphs = if unicode { Glyphs::Unicode } else { Glyphs::Ascii };
        Self { typed, edited: typed && drawn && !dumb, drawn, palette, glyphs }
    }

    /// The same terminal, with the colours of a theme if it shows any.
    #[must_use]
    pub fn with_theme(mut self, theme: Theme) -> Self {
        if let Palette::Colours(shown) = &mut self.palette {
            *shown = theme;
        }
        self
    }

    /// The board as lines for this terminal, with the row of `bottom` at the bottom.
    pub fn draw(self, position: &Position, annotations: &Annotations, bottom: Side) -> String {
        let view = View { width: self.width(), height: None, glyphs: self.glyphs, bottom };
        self.painted(&board(position, annotations, &view))
    }

    /// Lines as text for this terminal, with a line break after each.
    pub fn painted(&self, lines: &[StyledLine]) -> String {
        lines.iter().map(|line| self.palette.paint(line) + "\n").collect()
    }

    /// The current number of columns; 80 if unknown.
    pub fn width(self) -> usize {
        let size = terminal_size::terminal_size();
        size.map_or(80, |(width, _)| usize::from(width.0))
    }
}

/// An environment variable; empty if it is not set.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
