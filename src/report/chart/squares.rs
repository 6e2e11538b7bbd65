//! Numbers in squares by row and column.

use super::canvas::{Anchor, Canvas};
use super::data::{Chart, Square};

const SIDE: f64 = 64.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 78.0;

/// Squares in rows and columns as one SVG element.
pub(super) fn squares(
    chart: &Chart,
    rows: &[String],
    columns: &[String],
    squares: &[Square],
) -> String {
    let middle = |index: usize| SIDE * (index as f64 + 0.5);
    let width = LEFT + SIDE * columns.len() as f64 + 24.0;
    let mut canvas = Canvas::titled(
        &chart.title,
        &chart.subtitle,
        width.max(420.0),
        TOP + SIDE * rows.len() as f64 + 24.0,
    );
    canvas.text((LEFT, 48.0), Anchor::Start, 12, &chart.x.label);
    canvas.upright((20.0, TOP + middle(0) + SIDE), 12, &chart.y.label);
    for (index, name) in columns.iter().enumerate() {
        canvas.text((LEFT + middle(index), TOP - 8.0), Anchor::Middle, 13, name);
    }
    for (index, name) in rows.iter().enumerate() {
        canvas.text((LEFT - 12.0, TOP + middle(index) + 5.0), Anchor::End, 13, name);
    }
    for (index, square) in squares.iter().enumerate() {
        let (row, column) = (index / columns.len(), index % columns.len());
        let (x, y) = (LEFT + middle(column), TOP + middle(row));
        canvas.rect((x - SIDE / 2.0, y - SIDE / 2.0), (SIDE, SIDE), &color(square.shade));
        canvas.text((x, y + 3.0), Anchor::Middle, 18, &square.text);
        canvas.text((x, y + 22.0), Anchor::Middle, 10, &square.note);
    }
    canvas.finish(&chart.title, &format!("{} by {}", chart.y.label, chart.x.label))
}

/// White to blue or vermilion, never darker than the ink can stand out from.
fn color(shade: f64) -> String {
    let strength = shade.abs().min(1.0) * 0.75;
    let full = if shade < 0.0 { [213.0, 94.0, 0.0] } else { [86.0, 180.0, 233.0] };
    let [red, green, blue] = full.map(|part| (255.0 + (part - 255.0) * strength).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}
