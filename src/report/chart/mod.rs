//! Charts as SVG text.
//!
//! Each chart is plain data with public fields and a `to_svg`. Text is drawn in
//! near-black; series differ in colour (the palette of Okabe and Ito, "Color
//! universal design", 2008), in dash and in mark.

mod axis;
mod bars;
mod canvas;
mod grid;
mod histogram;
mod line;

pub use axis::{Axis, Scale};
pub use bars::{BarChart, Bars};
pub use grid::{GridChart, Square};
pub use histogram::Histogram;
pub use line::{LineChart, Series};
