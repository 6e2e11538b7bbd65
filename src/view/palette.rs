//! How the roles of text look: colours, or emphasis alone, or nothing.

use super::text::{Line, Role};
use crate::game::Side;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// Characters alone.
    None,
    /// Bold, underlined and reversed characters.
    Emphasis,
    /// Emphasis, and colours of the 256-colour table.
    Colours,
}

/// How one role looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// A number of the 256-colour table; none is the terminal's own colour.
    pub colour: Option<u8>,
    /// Bold characters.
    pub bold: bool,
    /// Underlined characters.
    pub underlined: bool,
    /// Background and foreground exchanged.
    pub reversed: bool,
}

// All of these have a contrast of at least 4 to 1 on black and on white, and
// the players' colours differ for those who cannot tell red from green.
const SOUTH: u8 = 31;
const NORTH: u8 = 130;
const QUIET: u8 = 243;
const GOOD: u8 = 28;
const BAD: u8 = 161;

impl Palette {
    /// How `role` looks.
    pub fn style(self, role: Role) -> TextStyle {
        if self == Palette::None {
            return TextStyle::default();
        }
        let plain = TextStyle::default();
        let bold = TextStyle { bold: true, ..plain };
        let coloured = |colour| TextStyle { colour: Some(colour), ..plain };
        let style = match role {
            Role::Plain => plain,
            Role::Strong => bold,
            Role::Quiet => coloured(QUIET),
            Role::Of(side) => coloured(colour_of(side)),
            Role::Mover(side) => TextStyle { bold: true, ..coloured(colour_of(side)) },
            Role::Last => TextStyle { bold: true, underlined: true, ..plain },
            Role::Chosen => TextStyle { bold: true, reversed: true, ..plain },
            Role::Good => coloured(GOOD),
            Role::Bad => TextStyle { bold: true, ..coloured(BAD) },
        };
        match self {
            Palette::Colours => style,
            _ => TextStyle { colour: None, ..style },
        }
    }

    /// The line as a terminal gets it, without spaces at its end.
    pub fn paint(self, line: &Line) -> String {
        let mut painted = String::new();
        let mut left = line.text().chars().count();
        for span in &line.0 {
            let text: String = span.text.chars().take(left).collect();
            left -= text.chars().count();
            let codes = self.style(span.role).codes();
            if codes.is_empty() || text.is_empty() {
                painted.push_str(&text);
            } else {
                painted.push_str(&format!("\x1b[{codes}m{text}\x1b[0m"));
            }
        }
        painted
    }
}

/// The colour of a player, a number of the 256-colour table.
pub fn colour_of(side: Side) -> u8 {
    match side {
        Side::South => SOUTH,
        Side::North => NORTH,
    }
}

impl TextStyle {
    /// The numbers of the escape sequence that sets it; empty for none.
    fn codes(self) -> String {
        let mut codes = Vec::new();
        if self.bold {
            codes.push("1".to_owned());
        }
        if self.underlined {
            codes.push("4".to_owned());
        }
        if self.reversed {
            codes.push("7".to_owned());
        }
        codes.extend(self.colour.map(|colour| format!("38;5;{colour}")));
        codes.join(";")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour of the 6 by 6 by 6 cube or the grey
    /// ramp, by the formula of the Web Content Accessibility Guidelines 2.1.
    fn luminance(colour: u8) -> f64 {
        const LEVELS: [f64; 6] = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0];
        let cube = usize::from(colour) - 16;
        let rgb = match colour {
            232.. => [8.0 + 10.0 * f64::from(colour - 232); 3],
            _ => [LEVELS[cube / 36], LEVELS[cube / 6 % 6], LEVELS[cube % 6]],
        };
        let linear = rgb.map(|value| {
            let value: f64 = value / 255.0;
            if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn colours_can_be_read_on_black_and_on_white() {
        for colour in [SOUTH, NORTH, QUIET, GOOD, BAD] {
            let light = luminance(colour) + 0.05;
            assert!(light / 0.05 >= 4.0 && 1.05 / light >= 4.0, "{colour}");
        }
    }

    #[test]
    fn each_palette_shows_what_it_has() {
        let line = Line::plain("a ").with(Role::Mover(Side::South), "b  ");
        assert_eq!(Palette::None.paint(&line), "a b");
        assert_eq!(Palette::Emphasis.paint(&line), "a \x1b[1mb\x1b[0m");
        assert_eq!(Palette::Colours.paint(&line), "a \x1b[1;38;5;31mb\x1b[0m");
    }
}
