//! Horizontal bars.

use super::canvas::{Canvas, FAINT, INK, WIDTH, series_style};
use super::data::{Bars, Chart, Fitted};
use kalah_text::{format, width};

const TOP: f64 = 92.0;
const RIGHT: f64 = WIDTH - 90.0;
const BAR: f64 = 13.0;
const GAP: f64 = 12.0;

/// The area that bars are drawn in.
struct BarArea<'a> {
    axis: Fitted<'a>,
    left: f64,
    bottom: f64,
}

impl BarArea<'_> {
    fn across(&self, length: f64) -> f64 {
        self.left + (RIGHT - self.left) * self.axis.place(length)
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        for (place, text) in self.axis.ticks() {
            let at = self.left + (RIGHT - self.left) * place;
            canvas.line((at, TOP), (at, self.bottom), FAINT, 1.0);
            canvas.text((at, self.bottom + 18.0), "middle", 12, &text);
        }
    }

    /// A bar, its error, and its number to the right of all bars.
    fn draw_bar(&self, canvas: &mut Canvas, at: f64, kind: usize, bars: &Bars, row: usize) {
        let (length, error) = bars.lengths[row];
        if !length.is_finite() {
            return;
        }
        let from = self.across(length.min(0.0));
        let to = self.across(length.max(0.0));
        canvas.rect((from, at), (to - from, BAR), series_style(kind).color);
        // An error below 1 needs a decimal to be seen.
        let decimals = if (0.01..0.95).contains(&error) { 1 } else { 0 };
        let mut number = format::fixed(length, decimals);
        if error >= 0.01 {
            let ends = [length - error, length + error].map(|end| self.across(end));
            canvas.whisker(ends, at + BAR / 2.0);
            number += &format!(" ± {}", format::fixed(error, decimals));
        }
        canvas.text((RIGHT + 8.0, at + 10.5), "start", 11, &number);
    }
}

/// Groups of bars, one below the other, as one SVG element.
pub(super) fn bars(chart: &Chart, groups: &[String], bars: &[Bars]) -> String {
    let group = BAR * bars.len() as f64 + GAP;
    let bottom = TOP + group * groups.len() as f64;
    let longest = groups.iter().map(|name| width::columns(name)).max().unwrap_or(0);
    let lengths = bars.iter().flat_map(|bars| &bars.lengths);
    let ends = lengths.flat_map(|(length, error)| [length - error, length + error]);
    let levels = chart.levels.iter().map(|level| level.0);
    // Zero is included: lengths can only be compared if every bar begins there.
    let axis = Fitted::new(&chart.x, ends.chain(levels).chain([0.0]));
    let area = BarArea { axis, left: 24.0 + 7.2 * longest as f64, bottom };
    let mut canvas = Canvas::titled(&chart.title, &chart.subtitle, WIDTH, bottom + 62.0);
    let mut key = 16.0;
    for (kind, bars) in bars.iter().enumerate() {
        canvas.rect((key, 57.0), (14.0, BAR), series_style(kind).color);
        canvas.text((key + 20.0, 68.0), "start", 12, &bars.name);
        key += 44.0 + 6.8 * width::columns(&bars.name) as f64;
    }
    area.draw_grid(&mut canvas);
    for (row, name) in groups.iter().enumerate() {
        let top = TOP + group * row as f64 + GAP / 2.0;
        let middle = top + (group - GAP) / 2.0 + 4.0;
        canvas.text((area.left - 8.0, middle), "end", 12, name);
        for (kind, bars) in bars.iter().enumerate() {
            area.draw_bar(&mut canvas, top + BAR * kind as f64, kind, bars, row);
        }
    }
    for (level, meaning) in &chart.levels {
        let at = area.across(*level);
        canvas.dashed((at, TOP - 4.0), (at, bottom), INK, 1.0, "3 3");
        canvas.text((at, TOP - 8.0), "middle", 11, meaning);
    }
    let zero = area.across(0.0);
    canvas.line((zero, TOP), (zero, bottom), INK, 1.2);
    let middle = (area.left + RIGHT) / 2.0;
    canvas.text((middle, bottom + 42.0), "middle", 13, &chart.x.label);
    canvas.finish(&chart.title, &chart.subtitle)
}
