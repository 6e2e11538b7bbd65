//! Tables and pictures: how results are shown.
//!
//! A [`Table`] becomes aligned text, Markdown, CSV, JSON lines or HTML; a
//! [`LineChart`], a [`BarChart`] or a [`Histogram`] becomes SVG; a [`Page`] puts
//! both into one HTML file that needs nothing else. Colours are distinguished by
//! colour-blind readers and on grey paper, because marks and dashes differ too.
//!
//! These blocks know no games and no searches: callers give the numbers their
//! meaning.

mod chart;
mod findings;
pub mod format;
mod page;
mod table;
mod verdict;

pub use chart::{Axis, BarChart, Bars, GridChart, Histogram, LineChart, Scale, Series, Square};
pub use findings::{Findings, Picture, Section};
pub use page::Page;
pub use table::{Cell, Column, Style, Table};
pub use verdict::{Judged, Verdict, verdicts};
