//! Shows roles of text as colours and emphasis, or as plain text.

use crossterm::style::{Color, ContentStyle, Stylize};

use kalah_text::named_enum;
use kalah_view::styled::{Role, StyledLine};

/// The styles that a terminal supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// Plain text.
    None,
    /// Colours of the 256-colour table, and bold, underlined and reversed characters.
    Colours(Theme),
}

named_enum! {
    /// The background that colours are made for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Theme: "theme" {
        /// Colours that are readable on any background
        #[default]
        Any = "any",
        /// Light colours for a dark background
        Dark = "dark",
        /// Dark colours for a light background
        Light = "light",
    }
}

impl Theme {
    /// The colours of South, of North, and of quiet, good and bad text. The players' colours
    /// can be told apart without distinguishing red from green.
    fn colours(self) -> [u8; 5] {
        match self {
            Theme::Any => [31, 130, 243, 28, 161],
            Theme::Dark => [81, 215, 248, 114, 210],
            Theme::Light => [24, 94, 240, 22, 124],
        }
    }

    fn colour(self, role: Role) -> Option<u8> {
        let [south, north, quiet, good, bad] = self.colours();
        match role {
            Role::Of(side) | Role::Mover(side) => Some([south, north][side.index()]),
            Role::Quiet => Some(quiet),
            Role::Good => Some(good),
            Role::Bad => Some(bad),
            _ => None,
        }
    }
}

impl Palette {
    /// The style of a role; the terminal's own style for a role without one.
    pub fn style(self, role: Role) -> ContentStyle {
        let mut style = ContentStyle::new();
        let Palette::Colours(theme) = self else { return style };
        style.foreground_color = theme.colour(role).map(Color::AnsiValue);
        match role {
            Role::Strong | Role::Mover(_) | Role::Bad => style.bold(),
            Role::Last => style.bold().underlined(),
            Role::Chosen => style.bold().reverse(),
            _ => style,
        }
    }

    /// The line with escape sequences, without trailing spaces.
    pub(crate) fn paint(self, line: &StyledLine) -> String {
        let mut painted = String::new();
        // Trailing spaces may belong to several spans, so they are cut off by count.
        let mut left = line.text().chars().count();
        for span in &line.0 {
            let text: String = span.text.chars().take(left).collect();
            left -= text.chars().count();
            if !text.is_empty() {
                painted += &self.style(span.role).apply(text).to_string();
            }
        }
        painted
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
    fn colours_are_readable_on_their_backgrounds() {
        for (theme, on_black, on_white) in
            [(Theme::Any, 4.0, 4.0), (Theme::Dark, 8.0, 0.0), (Theme::Light, 0.0, 5.5)]
        {
            for colour in theme.colours() {
                let light = luminance(colour) + 0.05;
                assert!(light / 0.05 >= on_black && 1.05 / light >= on_white, "{colour}");
            }
        }
    }
}
