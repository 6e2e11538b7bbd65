//! What the terminal can show, from the environment and the options.

use std::env;
use std::io::IsTerminal;

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
        let variable = |name: &str| env::var(name).unwrap_or_default();
        let writes = std::io::stdout().is_terminal();
        Self::new(variable, std::io::stdin().is_terminal(), writes, options)
    }

    /// A terminal in an environment where unset variables are empty.
    fn new(
        variable: impl Fn(&str) -> String,
        typed: bool,
        writes: bool,
        options: TerminalOptions,
    ) -> Self {
        const WITH_COLOURS: [&str; 8] =
            ["xterm", "screen", "tmux", "rxvt", "alacritty", "kitty", "foot", "linux"];
        let term = variable("TERM");
        let dumb = term == "dumb" || (term.is_empty() && cfg!(unix));
        let colours = !variable("COLORTERM").is_empty()
            || term.contains("256color")
            || WITH_COLOURS.iter().any(|name| term.starts_with(name))
            || cfg!(windows);
        let drawn = writes && !options.plain;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An xterm with other values for some variables.
    fn shown(
        changed: &[(&str, &str)],
        writes: bool,
        options: TerminalOptions,
    ) -> (bool, Palette, Glyphs) {
        let xterm = [("TERM", "xterm-256color"), ("LANG", "de_DE.UTF-8")];
        let variable = |name: &str| {
            let value = changed.iter().chain(&xterm).find(|(variable, _)| *variable == name);
            value.map(|&(_, value)| value.to_owned()).unwrap_or_default()
        };
        let terminal = Terminal::new(variable, true, writes, options);
        (terminal.drawn, terminal.palette, terminal.glyphs)
    }

    #[test]
    fn colours_and_drawing_are_for_terminals_that_have_them() {
        use Glyphs::*;
        let options = TerminalOptions::default();
        let drawn = |changed| shown(changed, true, options);
        assert_eq!(drawn(&[]), (true, Palette::Colours(Theme::Any), Unicode));
        assert_eq!(drawn(&[("NO_COLOR", "1")]), (true, Palette::None, Unicode));
        assert_eq!(drawn(&[("TERM", "dumb")]), (true, Palette::None, Ascii));
        let old = [("TERM", "vt100"), ("LANG", "C")];
        assert_eq!(drawn(&old), (true, Palette::Emphasis, Ascii));
        assert_eq!(shown(&[], false, options), (false, Palette::None, Unicode));
        let plain = TerminalOptions { plain: true, ascii: true };
        assert_eq!(shown(&[], true, plain), (false, Palette::None, Ascii));
    }
}
