//! Tables and charts of results, and the statistics that they show.
//!
//! A [`Table`] becomes aligned text, Markdown, CSV, JSON lines or HTML, and a [`Chart`]
//! becomes SVG. [`Findings`] combine both into text, files, or one HTML document that needs
//! no other files. Measured numbers come with their standard errors, which [`statistics`]
//! computes.
//!
//! This crate is independent of games and searches: the caller decides what the numbers mean, names
//! them, and prints the text.
//!
//! ```
//! use kalah_tables::{Cell, Style, Table, statistics};
//!
//! let points = statistics::mean(&[1.0, 0.5, 1.0, 0.0, 1.0]);
//! let mut table = Table::new("Points per game", &["Player", "Games", "Mean"]);
//! table.push(vec!["kalah".into(), 5u32.into(), Cell::Estimate(points.value, points.error, 2)]);
//! assert_eq!(
//!     table.to_text(Style::Aligned),
//!     "Points per game\n\
//!      Player  Games          Mean\n\
//!      ──────  ─────  ────────────\n\
//!      kalah       5  +0.70 ± 0.20\n"
//! );
//! assert_eq!(
//!     table.to_text(Style::Csv),
//!     "player,games,mean,mean_standard_error\nkalah,5,0.7,0.2\n"
//! );
//! ```

mod table;

mod chart;

pub mod statistics;

mod findings;

pub use chart::{Axis, Bars, Chart, Marks, Series};
pub use findings::{CONTENT_STYLE, Findings, LOGO, Section, TOKENS_STYLE};
pub use table::{Cell, Column, Style, Table, WIDTH};
