//! Roles of text as colours, emphasis alone, or nothing.

use super::text::{Line, Role};
use crate::game::Side;

/// The styles that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    None,
    /// Bold, underlined and reversed characters.
    Emphasis,
    /// Emphasis, and colours of the 256-colour table.
    Colours,
}

/// The style of one role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextStyle {
    /// A number of the 256-colour table; none is the terminal's own colour.
    pub(crate) colour: Option<u8>,
    pub(crate) bold: bool,
    pub(crate) underlined: bool,
    pub(crate) reversed: bool,
}

// All of these have a contrast of at least 4 to 1 on black and on white, and
// the players' colours differ for those who cannot tell red from green.
const SOUTH: u8 = 31;
const NORTH: u8 = 130;
const QUIET: u8 = 243;
const GOOD: u8 = 28;
const BAD: u8 = 161;

impl Palette {
    /// The style of `role`.
    pub(crate) fn style(self, role: Role) -> TextStyle {
        let colour = match role {
            Role::Of(side) | Role::Mover(side) => Some(colour_of(side)),
            Role::Quiet => Some(QUIET),
            Role::Good => Some(GOOD),
            Role::Bad => Some(BAD),
            _ => None,
        };
        let bold =
            matches!(role, Role::Strong | Role::Mover(_) | Role::Last | Role::Chosen | Role::Bad);
        let (underlined, reversed) = (role == Role::Last, role == Role::Chosen);
        match self {
            Palette::None => TextStyle::default(),
            Palette::Emphasis => TextStyle { colour: None, bold, underlined, reversed },
            Palette::Colours => TextStyle { colour, bold, underlined, reversed },
        }
    }

    /// The line with escape sequences, without spaces at its end.
    pub(crate) fn paint(self, line: &Line) -> String {
        let mut painted = String::new();
        let mut left = line.text().chars().count();
        for span in &line.0 {
            let text: String = span.text.chars().take(left).collect();
            left -= text.chars().count();
            let codes = self.style(span.role).codes();
            painted += &match codes.is_empty() || text.is_empty() {
                true => text,
                false => format!("\x1b[{codes}m{text}\x1b[0m"),
            };
        }
        painted
    }
}

/// The colour of a player, a number of the 256-colour table.
pub(crate) fn colour_of(side: Side) -> u8 {
    match side {
        Side::South => SOUTH,
        Side::North => NORTH,
    }
}

impl TextStyle {
    /// The numbers of the escape sequence that sets it; empty for none.
    fn codes(self) -> String {
        let emphasis = [(self.bold, "1"), (self.underlined, "4"), (self.reversed, "7")];
        let emphasis = emphasis.into_iter().filter(|(wanted, _)| *wanted);
        let mut codes: Vec<String> = emphasis.map(|(_, code)| code.to_owned()).collect();
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
