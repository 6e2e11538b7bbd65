//! The findings of the comparisons: the answer in brief, verdicts, tables and charts.
//!
//! The measurements come from [`experiment`](super::experiment), and [`kalah_tables`] writes
//! tables and charts. The findings of each comparison include the verdicts on its own claims.

mod bandits;
mod games;
mod measured;
mod noe;
mod raw;
mod searches;
pub mod trace;
mod uniform;
mod verdicts;

pub use bandits::bandits;
pub use games::games;
pub use noe::noe;
pub use raw::raw;
pub use uniform::uniform;
