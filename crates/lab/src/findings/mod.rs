//! The findings of the comparisons: the answer in brief, verdicts, tables and charts.
//!
//! The measurements come from [`experiment`](super::experiment), and [`kalah_tables`] writes
//! tables and charts. The findings of each comparison include the verdicts on its own claims.

mod brief;
mod curves;
mod noe;
mod raw;
mod report;
mod searches;
pub mod trace;
mod verdicts;

pub use raw::raw;
pub use report::report;
