//! Bars in groups: few things compared in a few ways.

use super::axis::{Axis, Fitted};
use super::canvas::{Anchor, Canvas, FAINT, INK, look};

/// The bars of one kind, a bar for each group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What is written in the key.
    pub name: String,
    /// How long each bar is, group by group.
    pub lengths: Vec<f64>,
}

/// Groups of bars that lie on their sides, so that names have room.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarChart {
    /// What the chart says.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// What the lengths count.
    pub axis: Axis,
    /// The names of the groups, top down.
    pub groups: Vec<String>,
    /// The kinds of bars, at most three in a readable chart.
    pub bars: Vec<Bars>,
    /// Lengths worth a line of their own, and what they mean.
    pub levels: Vec<(f64, String)>,
}

const WIDTH: f64 = 760.0;
const TOP: f64 = 92.0;
const BAR: f64 = 13.0;
const GAP: f64 = 12.0;

impl BarChart {
    /// The chart as one SVG element.
    pub fn to_svg(&self) -> String {
        let group = BAR * self.bars.len() as f64 + GAP;
        let bottom = TOP + group * self.groups.len() as f64;
        let height = bottom + 62.0;
        let longest = self.groups.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let left = 24.0 + 7.2 * longest as f64;
        let right = WIDTH - 70.0;
        let mut canvas = Canvas::new(WIDTH, height);
        canvas.title((16.0, 26.0), &self.title);
        canvas.text((16.0, 46.0), Anchor::Start, 12, &self.subtitle);
        self.key(&mut canvas);

        let lengths = self.bars.iter().flat_map(|bars| bars.lengths.iter().copied());
        let levels = self.levels.iter().map(|level| level.0);
        let axis = Fitted::new(&self.axis, lengths.chain(levels).chain([0.0]));
        let across = |length| left + (right - left) * axis.place(length);
        for (place, text) in axis.ticks() {
            let at = left + (right - left) * place;
            canvas.line((at, TOP), (at, bottom), FAINT, 1.0);
            canvas.text((at, bottom + 18.0), Anchor::Middle, 12, &text);
        }
        for (row, name) in self.groups.iter().enumerate() {
            let top = TOP + group * row as f64 + GAP / 2.0;
            let middle = top + (group - GAP) / 2.0 + 4.0;
            canvas.text((left - 8.0, middle), Anchor::End, 12, name);
            for (kind, bars) in self.bars.iter().enumerate() {
                let Some(&length) = bars.lengths.get(row).filter(|length| length.is_finite())
                else {
                    continue;
                };
                let (from, to) = (across(0.0).min(across(length)), across(0.0).max(across(length)));
                let at = top + BAR * kind as f64;
                canvas.rect((from, at), (to - from, BAR), look(kind).color);
                let text = super::super::format::fixed(length, 0);
                canvas.text((to + 4.0, at + 10.0), Anchor::Start, 10, &text);
            }
        }
        for (level, meaning) in &self.levels {
            let at = across(*level);
            canvas.dashed((at, TOP - 4.0), (at, bottom), INK, 1.0, "3 3");
            canvas.text((at, TOP - 8.0), Anchor::Middle, 11, meaning);
        }
        canvas.line((across(0.0), TOP), (across(0.0), bottom), INK, 1.2);
        canvas.text(((left + right) / 2.0, bottom + 42.0), Anchor::Middle, 13, &self.axis.label);
        canvas.finish(&self.title, &self.subtitle)
    }

    fn key(&self, canvas: &mut Canvas) {
        let mut at = 16.0;
        for (kind, bars) in self.bars.iter().enumerate() {
            canvas.rect((at, 57.0), (14.0, BAR), look(kind).color);
            canvas.text((at + 20.0, 68.0), Anchor::Start, 12, &bars.name);
            at += 44.0 + 6.8 * bars.name.chars().count() as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_gets_a_bar_and_what_is_no_number_none() {
        let chart = BarChart {
            groups: vec!["one".to_owned(), "two".to_owned()],
            bars: vec![Bars { name: "leaves".to_owned(), lengths: vec![3.0, f64::NAN] }],
            ..BarChart::default()
        };
        let svg = chart.to_svg();
        // The background, the sample in the key and one bar.
        assert_eq!(svg.matches("<rect").count(), 3, "{svg}");
        assert!(svg.contains(">two<") && !svg.contains("NaN"), "{svg}");
    }
}
