//! Charts as SVG text.
//!
//! A [`Chart`] is plain data: words, two axes, and one kind of [`Marks`]. Text is
//! near-black; series differ in colour (the palette of Okabe and Ito, "Color
//! universal design", 2008), in dash and in the shape of their points, so that
//! colour-blind readers and grey paper lose nothing.

mod axis;
mod canvas;
mod tree;

use super::format;
use axis::Fitted;
use canvas::{Anchor, Canvas, FAINT, INK, series_style};

pub use axis::Axis;
pub use tree::{TitledTree, TreeNode, trees_to_svg};

/// A picture of measurements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What the chart says.
    pub title: String,
    /// Under which conditions: board, ensemble, what is counted.
    pub subtitle: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis upwards; bars have none, and squares only its label.
    pub y: Axis,
    /// The measurements, and how they are drawn.
    pub marks: Marks,
    /// Values worth a line across the chart, and what they mean: of y, of bars x.
    pub levels: Vec<(f64, String)>,
}

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Something measured against something chosen; more than seven lines are
    /// hard to distinguish.
    Lines(Vec<Series>),
    /// How often the numbers of a sample occur, in so many bins at most. Numbers
    /// that are not finite are left out.
    Histogram(Vec<f64>, usize),
    /// A few things, named from the top down, compared in at most three ways. The
    /// bars lie on their sides, so that names have room.
    Bars(Vec<String>, Vec<Bars>),
    /// Numbers by row and column.
    Squares {
        /// A name for each row, from the top down.
        rows: Vec<String>,
        /// A name for each column.
        columns: Vec<String>,
        /// The squares, row by row.
        squares: Vec<Square>,
    },
}

impl Default for Marks {
    fn default() -> Self {
        Marks::Lines(Vec::new())
    }
}

/// A line of a chart.
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

/// The bars of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What is written in the key.
    pub name: String,
    /// One a group; none is drawn for what is not finite.
    pub lengths: Vec<f64>,
    /// Standard errors, one a group, or none at all.
    pub errors: Vec<f64>,
}

/// A number in a square, and what stands below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Square {
    /// Written large; may be empty.
    pub text: String,
    /// Written small below it; may be empty.
    pub note: String,
    /// The colour: below 0 vermilion, above 0 blue, the farther the stronger, up
    /// to 1.
    pub shade: f64,
}

const WIDTH: f64 = 760.0;
/// The mean width of a letter of a name or subtitle, and the height of its line.
const LETTER: f64 = 6.5;
const LINE: f64 = 16.0;
/// Left edge and top of the area of lines and histograms.
const LEFT: f64 = 70.0;
const TOP: f64 = 66.0;

/// The area that lines or a histogram are drawn in.
struct Frame<'a> {
    x: Fitted<'a>,
    y: Fitted<'a>,
    right: f64,
    bottom: f64,
    /// Room between the frame and the first and last x.
    inset: f64,
}

impl Frame<'_> {
    fn at_x(&self, place: f64) -> f64 {
        LEFT + self.inset + (self.right - LEFT - 2.0 * self.inset) * place
    }

    fn at_y(&self, place: f64) -> f64 {
        self.bottom - (self.bottom - TOP) * place
    }

    fn across(&self, number: f64) -> f64 {
        self.at_x(self.x.place(number))
    }

    fn up(&self, number: f64) -> f64 {
        self.at_y(self.y.place(number))
    }

    /// Lines behind the marks, and the axis upwards.
    fn draw_grid(&self, canvas: &mut Canvas) {
        for (place, text) in self.y.ticks() {
            let at = self.at_y(place);
            canvas.line((LEFT, at), (self.right, at), FAINT, 1.0);
            canvas.text((LEFT - 8.0, at + 4.0), Anchor::End, 12, &text);
        }
        canvas.upright((20.0, (TOP + self.bottom) / 2.0), 13, &self.y.axis.label);
    }

    /// The axis from left to right.
    fn draw_base(&self, canvas: &mut Canvas) {
        let (right, bottom) = (self.right, self.bottom);
        for (place, text) in self.x.ticks() {
            let at = self.at_x(place);
            canvas.line((at, bottom), (at, bottom + 5.0), INK, 1.0);
            canvas.text((at, bottom + 20.0), Anchor::Middle, 12, &text);
        }
        canvas.line((LEFT, bottom), (right, bottom), INK, 1.2);
        canvas.text(((LEFT + right) / 2.0, bottom + 42.0), Anchor::Middle, 13, &self.x.axis.label);
    }
}

const BARS_TOP: f64 = 92.0;
const BARS_RIGHT: f64 = WIDTH - 90.0;
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
        self.left + (BARS_RIGHT - self.left) * self.axis.place(length)
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        for (place, text) in self.axis.ticks() {
            let at = self.left + (BARS_RIGHT - self.left) * place;
            canvas.line((at, BARS_TOP), (at, self.bottom), FAINT, 1.0);
            canvas.text((at, self.bottom + 18.0), Anchor::Middle, 12, &text);
        }
    }

    /// A bar, its error, and its number at the right of all bars.
    fn draw_bar(&self, canvas: &mut Canvas, at: f64, kind: usize, bars: &Bars, row: usize) {
        let length = bars.lengths.get(row).filter(|length| length.is_finite());
        let Some(&length) = length else { return };
        let (from, to) = (self.across(length.min(0.0)), self.across(length.max(0.0)));
        canvas.rect((from, at), (to - from, BAR), series_style(kind).color);
        let error = bars.errors.get(row).copied().unwrap_or(0.0);
        // Errors are shown with one digit at least.
        let decimals = if (0.01..0.95).contains(&error) { 1 } else { 0 };
        let mut number = format::fixed(length, decimals);
        if error >= 0.01 {
            let ends = [length - error, length + error].map(|end| self.across(end));
            canvas.whisker(ends, at + BAR / 2.0);
            number += &format!(" ± {}", format::fixed(error, decimals));
        }
        canvas.text((BARS_RIGHT + 8.0, at + 10.5), Anchor::Start, 11, &number);
    }
}

impl Chart {
    /// The chart as one SVG element.
    pub fn to_svg(&self) -> String {
        match &self.marks {
            Marks::Lines(series) => self.lines(series),
            Marks::Histogram(sample, bins) => self.histogram(sample, *bins),
            Marks::Bars(groups, bars) => self.bars(groups, bars),
            Marks::Squares { rows, columns, squares } => self.squares(rows, columns, squares),
        }
    }

    /// An empty drawing under title and subtitle, `height` high below the first
    /// line of the subtitle; further lines move it down.
    fn canvas(&self, width: f64, height: f64) -> Canvas {
        let lines = format::wrapped(&self.subtitle, ((width - 32.0) / LETTER) as usize);
        let mut canvas = Canvas::new(width, height);
        canvas.title((16.0, 26.0), &self.title);
        for (nth, line) in lines.iter().enumerate() {
            canvas.text((16.0, 46.0 + LINE * nth as f64), Anchor::Start, 12, line);
        }
        canvas.shift_down(LINE * lines.len().saturating_sub(1) as f64);
        canvas
    }

    fn lines(&self, series: &[Series]) -> String {
        let mut canvas = self.canvas(WIDTH, 430.0);
        let names = series.iter().map(|series| &series.name);
        let names = names.chain(self.levels.iter().map(|(_, meaning)| meaning));
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let shown: Vec<Vec<_>> = series.iter().map(|series| self.points(series)).collect();
        let all = shown.iter().flatten();
        let heights = all.clone().flat_map(|&((_, y), error)| [y - error, y + error]);
        let levels = self.levels.iter().map(|level| level.0);
        let frame = Frame {
            x: Fitted::tight(&self.x, all.map(|(point, _)| point.0)),
            y: Fitted::new(&self.y, heights.chain(levels)),
            right: WIDTH - 60.0 - LETTER * longest as f64,
            bottom: 374.0,
            inset: 10.0,
        };
        frame.draw_grid(&mut canvas);
        frame.draw_base(&mut canvas);
        let mut ends = Vec::new();
        for (nth, (level, meaning)) in self.levels.iter().enumerate() {
            let at = frame.up(*level);
            canvas.dashed((LEFT, at), (frame.right, at), INK, 1.0, "3 3");
            if !meaning.is_empty() {
                ends.push((series.len() + nth, at));
            }
        }
        for (index, shown) in shown.iter().enumerate() {
            let at = |&((x, y), _): &((f64, f64), f64)| (frame.across(x), frame.up(y));
            canvas.polyline(&shown.iter().map(at).collect::<Vec<_>>(), series_style(index));
            for point in shown {
                let ((_, y), error) = *point;
                let (across, up) = at(point);
                if error > 0.0 && self.y.can_show(y - error) {
                    let [low, high] =
                        [y - error, y + error].map(|end| frame.up(end).clamp(TOP, frame.bottom));
                    canvas.line((across, low), (across, high), series_style(index).color, 1.3);
                }
                canvas.mark((across, up), series_style(index));
            }
            ends.extend(shown.last().map(|last| (index, at(last).1)));
        }
        for (index, at) in spread(ends, TOP, frame.bottom) {
            let from = frame.right + 12.0;
            let name = match series.get(index) {
                Some(series) => {
                    canvas.sample((from, at), series_style(index));
                    &series.name
                }
                None => {
                    canvas.dashed((from, at), (from + 26.0, at), INK, 1.0, "3 3");
                    &self.levels[index - series.len()].1
                }
            };
            canvas.text((from + 33.0, at + 4.0), Anchor::Start, 12, name);
        }
        let description = format!("{}. {} against {}.", self.subtitle, self.y.label, self.x.label);
        canvas.finish(&self.title, &description)
    }

    /// The points that the axes can show, with their errors.
    fn points(&self, series: &Series) -> Vec<((f64, f64), f64)> {
        let errors = series.errors.iter().copied().chain(std::iter::repeat(0.0));
        let points = series.points.iter().copied().zip(errors);
        points.filter(|(point, _)| self.x.can_show(point.0) && self.y.can_show(point.1)).collect()
    }

    fn histogram(&self, sample: &[f64], bins: usize) -> String {
        let mut canvas = self.canvas(WIDTH, 356.0);
        let counts = counts(sample, bins, self.x.is_whole());
        let heights = counts.iter().map(|&(_, _, count)| count as f64);
        let frame = Frame {
            x: Fitted::tight(&self.x, counts.iter().flat_map(|&(low, high, _)| [low, high])),
            y: Fitted::new(&self.y, heights.chain([0.0])),
            right: 730.0,
            bottom: 300.0,
            inset: 0.0,
        };
        frame.draw_grid(&mut canvas);
        for (low, high, count) in counts {
            let top = frame.up(count as f64);
            let size = (frame.across(high) - frame.across(low), frame.bottom - top);
            canvas.rect((frame.across(low), top), size, series_style(0).color);
        }
        frame.draw_base(&mut canvas);
        canvas.finish(&self.title, &self.subtitle)
    }

    fn bars(&self, groups: &[String], bars: &[Bars]) -> String {
        let group = BAR * bars.len() as f64 + GAP;
        let bottom = BARS_TOP + group * groups.len() as f64;
        let longest = groups.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let ends = bars.iter().flat_map(|bars| {
            let errors = bars.errors.iter().copied().chain(std::iter::repeat(0.0));
            bars.lengths
                .iter()
                .zip(errors)
                .flat_map(|(length, error)| [length - error, length + error])
        });
        let levels = self.levels.iter().map(|level| level.0);
        let axis = Fitted::new(&self.x, ends.chain(levels).chain([0.0]));
        let area = BarArea { axis, left: 24.0 + 7.2 * longest as f64, bottom };
        let mut canvas = self.canvas(WIDTH, bottom + 62.0);
        let mut key = 16.0;
        for (kind, bars) in bars.iter().enumerate() {
            canvas.rect((key, 57.0), (14.0, BAR), series_style(kind).color);
            canvas.text((key + 20.0, 68.0), Anchor::Start, 12, &bars.name);
            key += 44.0 + 6.8 * bars.name.chars().count() as f64;
        }
        area.draw_grid(&mut canvas);
        for (row, name) in groups.iter().enumerate() {
            let top = BARS_TOP + group * row as f64 + GAP / 2.0;
            let middle = top + (group - GAP) / 2.0 + 4.0;
            canvas.text((area.left - 8.0, middle), Anchor::End, 12, name);
            for (kind, bars) in bars.iter().enumerate() {
                area.draw_bar(&mut canvas, top + BAR * kind as f64, kind, bars, row);
            }
        }
        for (level, meaning) in &self.levels {
            let at = area.across(*level);
            canvas.dashed((at, BARS_TOP - 4.0), (at, bottom), INK, 1.0, "3 3");
            canvas.text((at, BARS_TOP - 8.0), Anchor::Middle, 11, meaning);
        }
        let zero = area.across(0.0);
        canvas.line((zero, BARS_TOP), (zero, bottom), INK, 1.2);
        let middle = (area.left + BARS_RIGHT) / 2.0;
        canvas.text((middle, bottom + 42.0), Anchor::Middle, 13, &self.x.label);
        canvas.finish(&self.title, &self.subtitle)
    }

    fn squares(&self, rows: &[String], columns: &[String], squares: &[Square]) -> String {
        const SIDE: f64 = 64.0;
        const LEFT: f64 = 64.0;
        const TOP: f64 = 78.0;
        let middle = |index: usize| SIDE * (index as f64 + 0.5);
        let width = LEFT + SIDE * columns.len() as f64 + 24.0;
        let mut canvas = self.canvas(width.max(420.0), TOP + SIDE * rows.len() as f64 + 24.0);
        canvas.text((LEFT, 48.0), Anchor::Start, 12, &self.x.label);
        canvas.upright((20.0, TOP + middle(0) + SIDE), 12, &self.y.label);
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
        canvas.finish(&self.title, &format!("{} by {}", self.y.label, self.x.label))
    }
}

/// The heights of names, moved so that none covers another.
fn spread(mut ends: Vec<(usize, f64)>, top: f64, bottom: f64) -> Vec<(usize, f64)> {
    const APART: f64 = 18.0;
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
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

/// How many numbers lie in each bin, with the bin's ends; the upper end belongs
/// to the last bin only. Bins of whole numbers are whole numbers wide.
fn counts(sample: &[f64], bins: usize, whole: bool) -> Vec<(f64, f64, usize)> {
    let sample = sample.iter().copied().filter(|number| number.is_finite());
    let low = sample.clone().fold(f64::INFINITY, f64::min);
    let high = sample.clone().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return Vec::new();
    }
    let bins = bins.max(1) as f64;
    let (low, width) = if whole {
        (low - 0.5, ((high - low + 1.0) / bins).ceil())
    } else {
        (low, if high > low { (high - low) / bins } else { 1.0 })
    };
    let last = if whole { high + 0.5 } else { high.max(low + width) };
    let many = (((last - low) / width - 1e-9).ceil() as usize).max(1);
    let mut counts = vec![0; many];
    for number in sample {
        counts[(((number - low) / width) as usize).min(many - 1)] += 1;
    }
    let bin = |(nth, count)| (low + width * nth as f64, low + width * (nth + 1) as f64, count);
    counts.into_iter().enumerate().map(bin).collect()
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
    fn each_series_is_drawn_and_named_and_what_cannot_be_shown_is_not() {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            name: name.to_owned(),
            points: points.to_vec(),
            errors: Vec::new(),
        };
        let chart = Chart {
            title: "a < b".to_owned(),
            x: Axis::whole("depth"),
            y: Axis::log("leaves"),
            marks: Marks::Lines(vec![
                series("one", &[(1.0, 10.0), (2.0, 100.0)]),
                series("two", &[(1.0, 0.0), (2.0, 50.0)]),
            ]),
            ..Chart::default()
        };
        let svg = chart.to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains(">one<") && svg.contains(">two<"));
        assert_eq!(svg.matches("<polyline").count(), 4, "two lines and their samples: {svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn every_number_gets_a_bar_and_what_is_no_number_none() {
        let bars =
            Bars { name: "leaves".to_owned(), lengths: vec![3.0, f64::NAN], errors: Vec::new() };
        let groups = ["one", "two"].map(str::to_owned).to_vec();
        let chart = Chart { marks: Marks::Bars(groups, vec![bars]), ..Chart::default() };
        let svg = chart.to_svg();
        // The background, the sample in the key and one bar.
        assert_eq!(svg.matches("<rect").count(), 3, "{svg}");
        assert!(svg.contains(">two<") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn a_long_subtitle_is_wrapped_and_moves_the_drawing_down() {
        let short = Chart { subtitle: "short".to_owned(), ..Chart::default() }.to_svg();
        let long = Chart { subtitle: "a word ".repeat(60), ..Chart::default() }.to_svg();
        assert!(short.contains("viewBox=\"0 0 760 430\""), "{short}");
        assert!(long.contains("viewBox=\"0 0 760 478\""), "{long}");
        let texts = long.lines().filter(|line| line.starts_with("<text"));
        assert_eq!(texts.filter(|text| text.contains("a word")).count(), 4, "{long}");
    }

    #[test]
    fn the_error_of_a_bar_is_drawn_and_written() {
        let bars = |errors| {
            let bars = Bars { name: "points".to_owned(), lengths: vec![52.0], errors };
            Chart { marks: Marks::Bars(vec!["a".to_owned()], vec![bars]), ..Chart::default() }
        };
        let (with, without) = (bars(vec![4.6]).to_svg(), bars(Vec::new()).to_svg());
        assert!(with.contains(">52 ± 5<") && without.contains(">52<"), "{with}");
        assert!(with.matches("<line").count() > without.matches("<line").count());
    }

    #[test]
    fn no_number_is_lost_and_whole_numbers_stand_in_whole_bins() {
        let sample = [1.0, 2.0, 2.0, 5.0, f64::NAN];
        let whole: Vec<usize> = counts(&sample, 10, true).iter().map(|bin| bin.2).collect();
        assert_eq!(whole, [1, 2, 0, 0, 1]);
        assert_eq!(counts(&sample, 2, false), [(1.0, 3.0, 3), (3.0, 5.0, 1)]);
        assert!(counts(&[], 2, false).is_empty());
        let empty = Chart { marks: Marks::Histogram(Vec::new(), 2), ..Chart::default() };
        assert!(empty.to_svg().contains("</svg>"));
    }

    #[test]
    fn every_square_and_name_is_in_the_picture() {
        let square = |text: &str| Square { text: text.into(), note: "won".into(), shade: 0.5 };
        let chart = Chart {
            title: "Margins".into(),
            x: Axis::whole("seeds"),
            y: Axis::whole("pits"),
            marks: Marks::Squares {
                rows: vec!["5".into(), "6".into()],
                columns: vec!["4".into()],
                squares: vec![square("+12"), square("-7")],
            },
            ..Chart::default()
        };
        let svg = chart.to_svg();
        for text in ["Margins", "pits", "seeds", ">5<", ">6<", ">4<", "+12", "-7", "won"] {
            assert!(svg.contains(text), "{text}");
        }
        assert_eq!(color(0.0), "#ffffff");
        assert_ne!(color(0.5), color(-0.5));
    }
}
