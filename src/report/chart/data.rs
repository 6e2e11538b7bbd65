//! What a chart shows, as plain data.

use super::axis::Axis;

/// A picture of measurements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The name of its file, without an ending.
    pub name: String,
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
    /// What to see in it, in words below it.
    pub caption: String,
}

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Something measured against something chosen; more than seven lines are
    /// hard to distinguish.
    Lines(Vec<Series>),
    /// How often the numbers of a sample occur, in at most this many bins. Numbers
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
    /// The points, from left to right, each with the standard error of its height.
    /// Those that the axes cannot show (not finite; not above zero on a logarithmic
    /// axis) are left out.
    pub points: Vec<(f64, f64, f64)>,
}

/// The bars of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What is written in the key.
    pub name: String,
    /// One a group, with its standard error; none is drawn for what is not finite.
    pub lengths: Vec<(f64, f64)>,
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
