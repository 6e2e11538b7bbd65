//! Line charts.

use super::canvas::{Canvas, FAINT, INK, LETTER, WIDTH, series_style};
use super::data::{Chart, Fitted, Series};
use kalah_text::width::columns;

/// Edges of the area that lines are drawn in.
const LEFT: f64 = 70.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = 374.0;
/// Room between the frame and the first and last x.
const INSET: f64 = 10.0;

/// The area that lines are drawn in.
struct LineArea<'a> {
    x: Fitted<'a>,
    y: Fitted<'a>,
    right: f64,
}

impl LineArea<'_> {
    fn at_x(&self, place: f64) -> f64 {
        LEFT + INSET + (self.right - LEFT - 2.0 * INSET) * place
    }

    fn at_y(&self, place: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * place
    }

    fn across(&self, number: f64) -> f64 {
        self.at_x(self.x.place(number))
    }

    fn up(&self, number: f64) -> f64 {
        self.at_y(self.y.place(number))
    }

    /// Grid lines behind the marks, and the vertical axis.
    fn draw_grid(&self, canvas: &mut Canvas) {
        for (place, text) in self.y.ticks() {
            let at = self.at_y(place);
            canvas.line((LEFT, at), (self.right, at), FAINT, 1.0);
            canvas.text((LEFT - 8.0, at + 4.0), "end", 12, &text);
        }
        canvas.upright((20.0, (TOP + BOTTOM) / 2.0), 13, &self.y.axis.label);
    }

    /// The horizontal axis.
    fn draw_base(&self, canvas: &mut Canvas) {
        let right = self.right;
        for (place, text) in self.x.ticks() {
            let at = self.at_x(place);
            canvas.line((at, BOTTOM), (at, BOTTOM + 5.0), INK, 1.0);
            canvas.text((at, BOTTOM + 20.0), "middle", 12, &text);
        }
        canvas.line((LEFT, BOTTOM), (right, BOTTOM), INK, 1.2);
        canvas.text(((LEFT + right) / 2.0, BOTTOM + 42.0), "middle", 13, &self.x.axis.label);
    }

    /// A line through its points, each with its standard error.
    fn draw_series(&self, canvas: &mut Canvas, index: usize, shown: &[Point]) {
        let style = series_style(index);
        let at: Vec<_> = shown.iter().map(|&(x, y, _)| (self.across(x), self.up(y))).collect();
        canvas.polyline(&at, style);
        for (&(_, y, error), &(across, up)) in shown.iter().zip(&at) {
            if error > 0.0 {
                let end = |y| (across, self.up(y).clamp(TOP, BOTTOM));
                canvas.line(end(y - error), end(y + error), style.color, 1.3);
            }
            canvas.mark((across, up), style);
        }
    }
}

type Point = (f64, f64, f64);

/// `series` as one SVG element.
pub(super) fn lines(chart: &Chart, series: &[Series]) -> String {
    let mut canvas = Canvas::titled(&chart.title, &chart.subtitle, WIDTH, 430.0);
    let names = series.iter().map(|series| &series.name);
    let level_names = chart.levels.iter().map(|(_, meaning)| meaning);
    let longest = names.chain(level_names).map(|name| columns(name)).max().unwrap_or(0);
    let can_show = |&(x, y, _): &Point| x.is_finite() && y.is_finite();
    let shown: Vec<Vec<Point>> = series
        .iter()
        .map(|series| series.points.iter().copied().filter(can_show).collect())
        .collect();
    let all = shown.iter().flatten();
    let heights = all.clone().flat_map(|&(_, y, error)| [y - error, y + error]);
    let frame = LineArea {
        x: Fitted::tight(&chart.x, all.map(|point| point.0)),
        y: Fitted::new(&chart.y, heights.chain(chart.levels.iter().map(|level| level.0))),
        right: WIDTH - 60.0 - LETTER * longest as f64,
    };
    frame.draw_grid(&mut canvas);
    frame.draw_base(&mut canvas);
    for (level, _) in &chart.levels {
        let at = frame.up(*level);
        canvas.dashed((LEFT, at), (frame.right, at), INK, 1.0, "3 3");
    }
    for (index, shown) in shown.iter().enumerate() {
        frame.draw_series(&mut canvas, index, shown);
    }
    let ends = ends(chart, &shown, &frame);
    for (index, at) in spread(ends, TOP, BOTTOM) {
        let from = frame.right + 12.0;
        let name = match series.get(index) {
            Some(series) => {
                canvas.sample((from, at), series_style(index));
                &series.name
            }
            None => {
                canvas.dashed((from, at), (from + 26.0, at), INK, 1.0, "3 3");
                &chart.levels[index - series.len()].1
            }
        };
        canvas.text((from + 33.0, at + 4.0), "start", 12, name);
    }
    let words = format!("{}. {} against {}.", chart.subtitle, chart.y.label, chart.x.label);
    canvas.finish(&chart.title, &words)
}

/// Where each line and each level with a meaning ends: the levels are numbered after
/// the series.
fn ends(chart: &Chart, shown: &[Vec<Point>], frame: &LineArea<'_>) -> Vec<(usize, f64)> {
    let levels = chart.levels.iter().enumerate();
    let named = levels.filter(|(_, (_, meaning))| !meaning.is_empty());
    let levels = named.map(|(nth, (level, _))| (shown.len() + nth, frame.up(*level)));
    let last = shown
        .iter()
        .enumerate()
        .filter_map(|(index, shown)| shown.last().map(|&(_, y, _)| (index, frame.up(y))));
    levels.chain(last).collect()
}

/// The heights of names, moved apart so that none covers another.
fn spread(mut ends: Vec<(usize, f64)>, top: f64, bottom: f64) -> Vec<(usize, f64)> {
    const APART: f64 = 18.0;
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
    // Two passes through the sorted list are enough, because each keeps the order: one down from
    // the top, and one up from the bottom where there was no room left.
    let mut next = top;
    for end in &mut ends {
        end.1 = end.1.max(next);
        next = end.1 + APART;
    }
    let mut next = bottom;
    for end in ends.iter_mut().rev() {
        end.1 = end.1.min(next);
        next = end.1 - APART;
    }
    ends
}
