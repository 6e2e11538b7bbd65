//! What the terminal can show, from the environment and the options.

use std::env;
use std::io::{self, IsTerminal};

use super::board::{Annotations, Glyphs, View, board};
use super::palette::{Palette, Theme};
use crate::game::{Position, Side};

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terminal {
    /// Whether the input comes from a terminal.
    pub(crate) typed: bool,
    /// Whether lines are edited as they are typed, which takes a terminal that can go back
    /// in its line, and a reader that is not told each change.
    pub(crate) edited: bool,
    /// Whether boards are drawn; otherwise positions are sentences.
    pub(crate) drawn: bool,
    pub(crate) palette: Palette,
    pub(crate) glyphs: Glyphs,
}

/// What the user asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TerminalOptions {
    /// Sentences without drawings and colours.
    pub(crate) plain: bool,
    /// No characters beyond ASCII.
    pub(crate) ascii: bool,
}

impl Terminal {
    /// The terminal of this process.
    pub(crate) fn of_process(options: TerminalOptions) -> Self {
        const WITH_COLOURS: [&str; 8] =
            ["xterm", "screen", "tmux", "rxvt", "alacritty", "kitty", "foot", "linux"];
        let variable = |name| env::var(name).unwrap_or_default();
        let term = variable("TERM");
        let dumb = term == "dumb" || (term.is_empty() && cfg!(unix));
        let colours = !variable("COLORTERM").is_empty()
            || term.contains("256color")
            || WITH_COLOURS.iter().any(|name| term.starts_with(name))
            || cfg!(windows);
        let typed = io::stdin().is_terminal();
        let drawn = io::stdout().is_terminal() && !options.plain;
        let palette = match () {
            () if !drawn || dumb || !variable("NO_COLOR").is_empty() => Palette::None,
            () if colours => Palette::Colours(Theme::default()),
            () => Palette::Emphasis,
        };
        let locales = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
        let locale = locales.iter().find(|locale| !locale.is_empty());
        let utf8 =
            locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
        let unicode = !options.ascii && !dumb && (utf8 || cfg!(windows));
        let glyphs = if unicode { Glyphs::Unicode } else { Glyphs::Ascii };
        Self { typed, edited: typed && drawn && !dumb, drawn, palette, glyphs }
    }

    pub(crate) fn with_theme(self, theme: Theme) -> Self {
        Self { palette: self.palette.with(theme), ..self }
    }

    /// The board as lines for this terminal, `bottom`'s row as the near one.
    pub(crate) fn draw(
        self,
        position: &Position,
        annotations: &Annotations,
        bottom: Side,
    ) -> String {
        let view = View { width: self.width(), height: None, glyphs: self.glyphs, bottom };
        let lines = board(position, annotations, &view);
        lines.iter().map(|line| self.palette.paint(line) + "\n").collect()
    }

    /// Columns of the terminal now; 80 if it does not say.
    pub(crate) fn width(self) -> usize {
        let size = terminal_size::terminal_size();
        size.map_or(80, |(width, _)| usize::from(width.0)).max(20)
    }
}
