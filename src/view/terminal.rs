//! What the terminal can show, from the environment and the options.

use std::env;
use std::io::IsTerminal;

use super::board::Glyphs;
use super::palette::Palette;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Whether somebody types.
    pub typed: bool,
    /// Whether boards are drawn, or all is told in sentences.
    pub drawn: bool,
    /// Colours.
    pub palette: Palette,
    /// Characters.
    pub glyphs: Glyphs,
}

/// What the person wants of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerminalOptions {
    /// No drawing, no colours: sentences.
    pub plain: bool,
    /// No characters beyond ASCII.
    pub ascii: bool,
}

/// What the environment tells of a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Environment {
    term: String,
    colour_term: bool,
    no_colour: bool,
    locale: String,
    reads_terminal: bool,
    writes_terminal: bool,
}

impl Environment {
    fn now() -> Self {
        let value = |name| env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(value);
        Self {
            term: value("TERM"),
            colour_term: !value("COLORTERM").is_empty(),
            no_colour: !value("NO_COLOR").is_empty(),
            locale: locale.into_iter().find(|value| !value.is_empty()).unwrap_or_default(),
            reads_terminal: std::io::stdin().is_terminal(),
            writes_terminal: std::io::stdout().is_terminal(),
        }
    }

    fn terminal(&self, options: TerminalOptions) -> Terminal {
        let drawn = self.writes_terminal && !options.plain;
        let dumb = self.term == "dumb" || (self.term.is_empty() && cfg!(unix));
        let known = ["xterm", "screen", "tmux", "rxvt", "alacritty", "kitty", "foot", "linux"];
        let colours = self.colour_term
            || self.term.contains("256color")
            || known.iter().any(|name| self.term.starts_with(name))
            || cfg!(windows);
        let palette = match () {
            _ if !drawn || dumb || self.no_colour => Palette::None,
            _ if colours => Palette::Colours,
            _ => Palette::Emphasis,
        };
        let locale = self.locale.to_lowercase().replace('-', "");
        let unicode = !options.ascii && !dumb && (locale.contains("utf8") || cfg!(windows));
        let glyphs = if unicode { Glyphs::Unicode } else { Glyphs::Ascii };
        Terminal { typed: self.reads_terminal, drawn, palette, glyphs }
    }
}

impl Terminal {
    /// The terminal of this process.
    pub fn of_process(options: TerminalOptions) -> Self {
        Environment::now().terminal(options)
    }

    /// Columns of the terminal now; 80 if it does not say.
    pub fn width(self) -> usize {
        let size = terminal_size::terminal_size();
        size.map_or(80, |(width, _)| usize::from(width.0)).max(20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xterm() -> Environment {
        Environment {
            term: "xterm-256color".to_owned(),
            locale: "de_DE.UTF-8".to_owned(),
            reads_terminal: true,
            writes_terminal: true,
            ..Environment::default()
        }
    }

    fn shown(environment: Environment, options: TerminalOptions) -> (bool, Palette, Glyphs) {
        let terminal = environment.terminal(options);
        (terminal.drawn, terminal.palette, terminal.glyphs)
    }

    #[test]
    fn colours_and_drawing_are_for_terminals_that_have_them() {
        use Glyphs::*;
        let options = TerminalOptions::default();
        assert_eq!(shown(xterm(), options), (true, Palette::Colours, Unicode));
        let no_colour = Environment { no_colour: true, ..xterm() };
        assert_eq!(shown(no_colour, options), (true, Palette::None, Unicode));
        let dumb = Environment { term: "dumb".to_owned(), ..xterm() };
        assert_eq!(shown(dumb, options), (true, Palette::None, Ascii));
        let old = Environment { term: "vt100".to_owned(), locale: "C".to_owned(), ..xterm() };
        assert_eq!(shown(old, options), (true, Palette::Emphasis, Ascii));
        let pipe = Environment { writes_terminal: false, ..xterm() };
        assert_eq!(shown(pipe, options), (false, Palette::None, Unicode));
        let plain = TerminalOptions { plain: true, ascii: true };
        assert_eq!(shown(xterm(), plain), (false, Palette::None, Ascii));
    }
}
