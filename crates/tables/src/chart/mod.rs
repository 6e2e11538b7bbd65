//! Charts as SVG text.
//!
//! A [`Chart`] is plain data: words, two axes, and one kind of [`Marks`]. Text is
//! near-black; series differ in colour (the palette of Okabe and Ito, "Color universal
//! design", 2008), in dash and in the shape of their points, so that nothing is lost to
//! colour-blind readers or in greyscale.

mod bars;
mod canvas;
mod data;
mod lines;

pub use data::{Axis, Bars, Chart, Marks, Series};

impl Chart {
    /// The chart as one SVG element.
    pub fn to_svg(&self) -> String {
        match &self.marks {
            Marks::Lines(series) => lines::lines(self, series),
            Marks::Bars(groups, bars) => bars::bars(self, groups, bars),
        }
    }
}
