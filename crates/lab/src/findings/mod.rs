//! The findings of the comparisons: claims, verdicts, tables and charts.
//!
//! The measurements come from [`experiment`](super::experiment), and [`kalah_tables`] writes
//! tables and charts. `claims.tsv` lists all claims; the findings of each comparison include
//! the verdicts on its own claims.

mod bandits;
mod draft;
mod games;
mod noe;
mod noe_cases;
mod synthetic;
pub mod trace;
mod verdicts;

pub use bandits::bandits;
pub use games::games;
pub use noe::noe;
pub use synthetic::{REINEFELD, minimal, pearl, reinefeld};
