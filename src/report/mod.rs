//! Tables and charts: how results are shown.
//!
//! A [`Table`] becomes aligned text, Markdown, CSV, JSON lines or HTML; a
//! [`Chart`] becomes SVG; [`Findings`] join both into text, files or one HTML page
//! that needs nothing else. What the numbers mean is left to the caller: nothing
//! here knows of games and searches.

mod chart;
mod findings;
pub mod format;
mod table;

pub use chart::{Axis, Bars, Chart, Marks, Series, Square, TitledTree, TreeNode, trees_to_svg};
pub use findings::{Findings, Picture, Section};
pub use table::{Cell, Column, Style, Table, WIDTH};
