//! Tables and charts for the presentation of results.
//!
//! A [`Table`] becomes aligned text, Markdown, CSV, JSON lines or HTML; a
//! [`Chart`] becomes SVG; [`Findings`] join both into text, files or one HTML page
//! without external resources. The meaning of the numbers is left to the caller: nothing
//! here depends on games or searches.

mod chart;
mod findings;
mod policy;
mod table;

pub use chart::{Axis, Bars, Chart, Marks, Series, Square, TitledTree, TreeNode, trees_to_svg};
#[cfg(feature = "serve")]
pub(crate) use findings::CONTENT_STYLE;
pub use findings::{Findings, Section};
pub use table::{Cell, Column, Style, Table, WIDTH};
