//! Lines with marks: something measured against something chosen.

use super::axis::{Axis, Fitted};
use super::canvas::{Anchor, Canvas, FAINT, INK, look};

/// A line of a [`LineChart`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What is written at its end.
    pub name: String,
    /// The points, from left to right. Those that the axes cannot show (not
    /// finite; not above zero on a logarithmic axis) are left out.
    pub points: Vec<(f64, f64)>,
    /// Standard errors, one a point, or none at all.
    pub errors: Vec<f64>,
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// What the chart says.
    pub title: String,
    /// Under which conditions: board, ensemble, what is counted.
    pub subtitle: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The lines; more than seven are hard to tell apart.
    pub series: Vec<Series>,
    /// Heights worth a line of their own, and what they mean.
    pub levels: Vec<(f64, String)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = 374.0;

impl LineChart {
    /// The chart as one SVG element.
    pub fn to_svg(&self) -> String {
        let mut canvas = Canvas::new(WIDTH, HEIGHT);
        canvas.title((16.0, 26.0), &self.title);
        canvas.text((16.0, 46.0), Anchor::Start, 12, &self.subtitle);

        let right = WIDTH - 60.0 - 6.8 * self.longest_name() as f64;
        let x = Fitted::tight(&self.x, self.shown().map(|(point, _)| point.0));
        let y = Fitted::new(&self.y, self.heights());
        let across = |number| LEFT + 10.0 + (right - LEFT - 20.0) * x.place(number);
        let up = |number| BOTTOM - (BOTTOM - TOP) * y.place(number);

        for (place, text) in y.ticks() {
            let at = BOTTOM - (BOTTOM - TOP) * place;
            canvas.line((LEFT, at), (right, at), FAINT, 1.0);
            canvas.text((LEFT - 8.0, at + 4.0), Anchor::End, 12, &text);
        }
        for (place, text) in x.ticks() {
            let at = LEFT + 10.0 + (right - LEFT - 20.0) * place;
            canvas.line((at, BOTTOM), (at, BOTTOM + 5.0), INK, 1.0);
            canvas.text((at, BOTTOM + 20.0), Anchor::Middle, 12, &text);
        }
        canvas.line((LEFT, BOTTOM), (right, BOTTOM), INK, 1.2);
        canvas.text(((LEFT + right) / 2.0, HEIGHT - 14.0), Anchor::Middle, 13, &self.x.label);
        canvas.upright((20.0, (TOP + BOTTOM) / 2.0), 13, &self.y.label);
        for (level, meaning) in &self.levels {
            canvas.dashed((LEFT, up(*level)), (right, up(*level)), INK, 1.0, "3 3");
            let at_the_top = up(*level) < TOP + 12.0;
            let beside = up(*level) + if at_the_top { 14.0 } else { -5.0 };
            canvas.text((LEFT + 6.0, beside), Anchor::Start, 11, meaning);
        }
        for (index, series) in self.series.iter().enumerate() {
            let shown: Vec<_> = self.points(series).collect();
            let points: Vec<_> = shown.iter().map(|&((px, py), _)| (across(px), up(py))).collect();
            canvas.polyline(&points, look(index));
            for (&at, &((_, py), error)) in points.iter().zip(&shown) {
                if error > 0.0 && self.y.can_show(py - error) {
                    let bar = ((at.0, up(py - error)), (at.0, up(py + error)));
                    canvas.line(bar.0, bar.1, look(index).color, 1.3);
                }
                canvas.mark(at, look(index));
            }
        }
        self.names(&mut canvas, right, &up);
        let description = format!("{}. {} against {}.", self.subtitle, self.y.label, self.x.label);
        canvas.finish(&self.title, &description)
    }

    /// Writes each name at the end of its line, moved so that none covers
    /// another.
    fn names(&self, canvas: &mut Canvas, right: f64, up: &impl Fn(f64) -> f64) {
        const APART: f64 = 18.0;
        let mut ends: Vec<(usize, f64)> = self
            .series
            .iter()
            .enumerate()
            .filter_map(|(index, series)| Some((index, up(self.points(series).last()?.0.1))))
            .collect();
        ends.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut lowest = TOP - APART;
        for end in &mut ends {
            end.1 = end.1.max(lowest + APART);
            lowest = end.1;
        }
        let mut ceiling = BOTTOM + APART;
        for end in ends.iter_mut().rev() {
            end.1 = end.1.min(ceiling - APART);
            ceiling = end.1;
        }
        for (index, at) in ends {
            canvas.sample((right + 12.0, at), look(index));
            canvas.text((right + 45.0, at + 4.0), Anchor::Start, 12, &self.series[index].name);
        }
    }

    /// The points that the axes can show, with their errors.
    fn points<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = ((f64, f64), f64)> + Clone {
        let errors = series.errors.iter().copied().chain(std::iter::repeat(0.0));
        let points = series.points.iter().copied().zip(errors);
        points.filter(|(point, _)| self.x.can_show(point.0) && self.y.can_show(point.1))
    }

    fn shown(&self) -> impl Iterator<Item = ((f64, f64), f64)> + Clone {
        self.series.iter().flat_map(|series| self.points(series))
    }

    fn heights(&self) -> impl Iterator<Item = f64> {
        let errors = self.shown().flat_map(|((_, y), error)| [y - error, y + error]);
        errors.chain(self.levels.iter().map(|level| level.0))
    }

    fn longest_name(&self) -> usize {
        self.series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_series_is_drawn_and_named_and_what_cannot_be_shown_is_not() {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            name: name.to_owned(),
            points: points.to_vec(),
            errors: Vec::new(),
        };
        let chart = LineChart {
            title: "a < b".to_owned(),
            x: Axis::whole("depth"),
            y: Axis::log("leaves"),
            series: vec![
                series("one", &[(1.0, 10.0), (2.0, 100.0)]),
                series("two", &[(1.0, 0.0), (2.0, 50.0)]),
            ],
            ..LineChart::default()
        };
        let svg = chart.to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains(">one<") && svg.contains(">two<"));
        assert_eq!(svg.matches("<polyline").count(), 4, "two lines and their samples: {svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
