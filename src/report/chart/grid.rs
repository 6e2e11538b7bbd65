//! Numbers in squares, by row and column.

use super::canvas::{Anchor, Canvas};

/// A number in a square, and what stands below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Square {
    /// What is written large; nothing leaves the square white.
    pub text: String,
    /// What is written small.
    pub note: String,
    /// The colour: below 0 vermilion, above 0 blue, the farther the stronger,
    /// up to 1.
    pub shade: f64,
}

/// A picture of a table of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridChart {
    /// What it shows.
    pub title: String,
    /// What the rows are.
    pub row_label: String,
    /// What the columns are.
    pub column_label: String,
    /// A name for each row, from above.
    pub rows: Vec<String>,
    /// A name for each column.
    pub columns: Vec<String>,
    /// The squares of each row.
    pub squares: Vec<Vec<Square>>,
}

const SIDE: f64 = 64.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 78.0;

impl GridChart {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        let width = LEFT + SIDE * self.columns.len() as f64 + 24.0;
        let height = TOP + SIDE * self.rows.len() as f64 + 24.0;
        let mut canvas = Canvas::new(width.max(420.0), height);
        let middle = |index: usize| SIDE * (index as f64 + 0.5);
        canvas.title((16.0, 26.0), &self.title);
        canvas.text((LEFT, 48.0), Anchor::Start, 12, &self.column_label);
        canvas.upright((20.0, TOP + middle(0) + SIDE), 12, &self.row_label);
        for (index, name) in self.columns.iter().enumerate() {
            canvas.text((LEFT + middle(index), TOP - 8.0), Anchor::Middle, 13, name);
        }
        for (index, name) in self.rows.iter().enumerate() {
            canvas.text((LEFT - 12.0, TOP + middle(index) + 5.0), Anchor::End, 13, name);
        }
        for (row, squares) in self.squares.iter().enumerate() {
            for (column, square) in squares.iter().enumerate() {
                let corner = (LEFT + SIDE * column as f64, TOP + SIDE * row as f64);
                canvas.rect(corner, (SIDE, SIDE), &color(square.shade));
                let (x, y) = (corner.0 + SIDE / 2.0, corner.1 + SIDE / 2.0);
                canvas.text((x, y + 3.0), Anchor::Middle, 18, &square.text);
                canvas.text((x, y + 22.0), Anchor::Middle, 10, &square.note);
            }
        }
        canvas.finish(&self.title, &format!("{} by {}", self.row_label, self.column_label))
    }
}

/// White to blue or vermilion, never darker than the ink can stand out from.
fn color(shade: f64) -> String {
    let strength = shade.abs().min(1.0) * 0.75;
    let full = if shade < 0.0 { [213.0, 94.0, 0.0] } else { [86.0, 180.0, 233.0] };
    let [red, green, blue] = full.map(|part| (255.0 + (part - 255.0) * strength).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_and_name_is_in_the_picture() {
        let square = |text: &str| Square { text: text.into(), note: "won".into(), shade: 0.5 };
        let chart = GridChart {
            title: "Margins".into(),
            row_label: "pits".into(),
            column_label: "seeds".into(),
            rows: vec!["5".into(), "6".into()],
            columns: vec!["4".into()],
            squares: vec![vec![square("+12")], vec![square("-7")]],
        };
        let svg = chart.to_svg();
        for text in ["Margins", "pits", "seeds", ">5<", ">6<", ">4<", "+12", "-7", "won"] {
            assert!(svg.contains(text), "{text}");
        }
        assert_eq!(color(0.0), "#ffffff");
        assert_ne!(color(0.5), color(-0.5));
    }
}
