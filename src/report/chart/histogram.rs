//! How often each number occurs.

use super::axis::{Axis, Fitted};
use super::canvas::{Anchor, Canvas, FAINT, INK, look};

/// Bars over the numbers of a sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// What the chart says.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// What the numbers count.
    pub axis: Axis,
    /// What one of the counted things is called, in the plural.
    pub counted: String,
    /// The sample; numbers that are not finite are left out.
    pub sample: Vec<f64>,
    /// How many bars at most.
    pub bins: usize,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 730.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = 300.0;

impl Histogram {
    /// How many numbers lie in each bin, with the bin's ends; the upper end
    /// belongs to the last bin only. Bins of a whole axis are whole numbers
    /// wide.
    pub fn counts(&self) -> Vec<(f64, f64, usize)> {
        let sample: Vec<f64> = self.sample.iter().copied().filter(|x| x.is_finite()).collect();
        let low = sample.iter().copied().fold(f64::INFINITY, f64::min);
        let high = sample.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Vec::new();
        }
        let bins = self.bins.max(1) as f64;
        let (low, width) = if self.axis.whole {
            (low - 0.5, ((high - low + 1.0) / bins).ceil())
        } else {
            (low, if high > low { (high - low) / bins } else { 1.0 })
        };
        let last = if self.axis.whole { high + 0.5 } else { high.max(low + width) };
        let many = (((last - low) / width - 1e-9).ceil() as usize).max(1);
        let mut counts = vec![0; many];
        for number in sample {
            counts[(((number - low) / width) as usize).min(many - 1)] += 1;
        }
        let bin = |(nth, count)| (low + width * nth as f64, low + width * (nth + 1) as f64, count);
        counts.into_iter().enumerate().map(bin).collect()
    }

    /// The chart as one SVG element.
    pub fn to_svg(&self) -> String {
        let counts = self.counts();
        let mut canvas = Canvas::new(WIDTH, HEIGHT);
        canvas.title((16.0, 26.0), &self.title);
        canvas.text((16.0, 46.0), Anchor::Start, 12, &self.subtitle);
        let vertical = Axis::whole(&self.counted);
        let heights = counts.iter().map(|&(_, _, count)| count as f64);
        let y = Fitted::new(&vertical, heights.chain([0.0]));
        let x = Fitted::tight(&self.axis, counts.iter().flat_map(|&(low, high, _)| [low, high]));
        let across = |number| LEFT + (RIGHT - LEFT) * x.place(number);
        for (place, text) in y.ticks() {
            let at = BOTTOM - (BOTTOM - TOP) * place;
            canvas.line((LEFT, at), (RIGHT, at), FAINT, 1.0);
            canvas.text((LEFT - 8.0, at + 4.0), Anchor::End, 12, &text);
        }
        for (low, high, count) in counts {
            let top = BOTTOM - (BOTTOM - TOP) * y.place(count as f64);
            let size = (across(high) - across(low), BOTTOM - top);
            canvas.rect((across(low), top), size, look(0).color);
        }
        for (place, text) in x.ticks() {
            let at = LEFT + (RIGHT - LEFT) * place;
            canvas.line((at, BOTTOM), (at, BOTTOM + 5.0), INK, 1.0);
            canvas.text((at, BOTTOM + 20.0), Anchor::Middle, 12, &text);
        }
        canvas.line((LEFT, BOTTOM), (RIGHT, BOTTOM), INK, 1.2);
        canvas.text(((LEFT + RIGHT) / 2.0, HEIGHT - 14.0), Anchor::Middle, 13, &self.axis.label);
        canvas.upright((20.0, (TOP + BOTTOM) / 2.0), 13, &self.counted);
        canvas.finish(&self.title, &self.subtitle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_lost_and_whole_numbers_stand_in_whole_bins() {
        let sample = vec![1.0, 2.0, 2.0, 5.0, f64::NAN];
        let histogram =
            Histogram { sample, bins: 10, axis: Axis::whole("margin"), ..Histogram::default() };
        let counts: Vec<usize> = histogram.counts().into_iter().map(|bin| bin.2).collect();
        assert_eq!(counts, [1, 2, 0, 0, 1]);
        let halves = Histogram { bins: 2, axis: Axis::linear("seconds"), ..histogram };
        assert_eq!(halves.counts(), [(1.0, 3.0, 3), (3.0, 5.0, 1)]);
        let empty = Histogram { sample: Vec::new(), ..halves };
        assert!(empty.counts().is_empty() && empty.to_svg().contains("</svg>"));
    }
}
