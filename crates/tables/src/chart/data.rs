//! The contents of a chart as plain data; the places of numbers on an axis, and the labels next to
//! it.

use kalah_text::format;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Scale {
    #[default]
    Linear,
    Whole,
    /// From 0 to 1 at most, however far error bars reach.
    Share,
}

/// An axis of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The quantity, with its unit.
    pub(super) label: String,
    scale: Scale,
}

impl Axis {
    /// An axis in equal steps.
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Linear }
    }

    /// An axis in equal steps of whole numbers.
    pub fn whole(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Whole }
    }

    /// An axis in equal steps for shares of a whole: it never extends beyond 0 and 1.
    pub fn share(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Share }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.scale == Scale::Whole
    }
}

/// A picture of measurements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The name of its file, without an extension.
    pub name: String,
    /// What the chart shows.
    pub title: String,
    /// The conditions: board, ensemble, what is counted.
    pub subtitle: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis upwards; bars have none.
    pub y: Axis,
    /// The measurements, and how they are drawn.
    pub marks: Marks,
    /// Values marked by a line across the chart, and their meanings: of y, or of x for bars.
    pub levels: Vec<(f64, String)>,
    /// What the reader should notice, as text below the chart.
    pub caption: String,
}

/// The measurements of a chart, and how they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// A measured quantity against a chosen one; more than seven lines are hard to
    /// distinguish.
    Lines(Vec<Series>),
    /// A few things, named from the top down and compared in at most three ways. The bars
    /// are horizontal, so that names have room.
    Bars(Vec<String>, Vec<Bars>),
}

impl Default for Marks {
    fn default() -> Self {
        Marks::Lines(Vec::new())
    }
}

/// A line of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The label at its end.
    pub name: String,
    /// The points, from left to right, each with the standard error of its height.
    /// Those that are not finite are left out.
    pub points: Vec<(f64, f64, f64)>,
}

/// The bars of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// The label in the key.
    pub name: String,
    /// One length per group, with its standard error; a length that is not finite is not drawn.
    pub lengths: Vec<(f64, f64)>,
}

/// An axis with its range, fitted to data.
#[derive(Clone, Debug)]
pub(super) struct Fitted<'a> {
    pub(super) axis: &'a Axis,
    low: f64,
    high: f64,
    step: f64,
}

impl<'a> Fitted<'a> {
    /// A range that holds all of `numbers` and ends at labelled ones.
    pub(super) fn new(axis: &'a Axis, numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(numbers.filter(|number| number.is_finite()));
        // Without numbers, any range will do.
        let (low, high) = match axis.scale {
            _ if low > high => (0.0, 10.0),
            Scale::Share => (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)),
            Scale::Linear | Scale::Whole => (low, high),
        };
        let span = if high > low { high - low } else { low.abs().max(1.0) };
        let mut step = nice_step(span / 6.0);
        if axis.is_whole() {
            step = step.max(1.0);
        }
        // The tolerance keeps rounding errors from adding a step at either end.
        let low = (low / step + 1e-9).floor() * step;
        let high = (high / step - 1e-9).ceil() * step;
        Self { axis, low, high: high.max(low + step), step }
    }

    /// An axis that ends at its data, for depths and the like.
    pub(super) fn tight(axis: &'a Axis, numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let fitted = Self::new(axis, numbers.clone());
        let (low, high) = ends(numbers);
        if low < high { Self { low, high, ..fitted } } else { fitted }
    }

    /// The place of `number` along the axis, from 0 to 1.
    pub(super) fn place(&self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }

    /// The numbers to write, with their places.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let first = (self.low / self.step - 1e-9).ceil() as i64;
        let last = (self.high / self.step + 1e-9).floor() as i64;
        (first..=last)
            .map(|nth| {
                let number = nth as f64 * self.step;
                (self.place(number), self.written(number))
            })
            .collect()
    }

    fn written(&self, number: f64) -> String {
        if number.abs() >= 1000.0 {
            return format::short(number);
        }
        let decimals = (-self.step.log10().floor()).clamp(0.0, 6.0);
        format::fixed(number, decimals as usize)
    }
}

/// The minimum and the maximum of some numbers; infinity and minus infinity if there are none.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    })
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    // The tolerance allows for rounding errors of the power.
    steps.into_iter().find(|&step| step >= rough * 0.999).unwrap_or(10.0 * power)
}
