//! Bounds on what a manager may ask for that uses this machine from elsewhere: a page in a
//! browser must neither read files nor use up memory or time.

use std::time::Duration;

use super::options::{EngineOption, Kind};

/// Bounds on the options and the work of a session. Options that name files and those of
/// the lab's algorithms, whose memory has no bound, cannot be set at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restrictions {
    /// The largest `Hash`, in MiB.
    pub hash: u32,
    /// The largest `Threads` and `SolverThreads`.
    pub threads: u32,
    /// The largest `TableSeeds`.
    pub table_seeds: u32,
    /// The longest search, count or benchmark, even if its limits allow more.
    pub time: Duration,
}

impl Restrictions {
    /// An option with the values that it may have; none if it cannot be set.
    pub fn apply(&self, option: &EngineOption) -> Option<EngineOption> {
        let max = match option.name {
            "Hash" => self.hash,
            "Threads" | "SolverThreads" => self.threads,
            "TableSeeds" => self.table_seeds,
            "Algorithm" | "Algorithm Suffixes" | "Move Order" | "Extra Turns" => return None,
            _ => u32::MAX,
        };
        let mut option = option.clone();
        match &mut option.kind {
            Kind::File { .. } => return None,
            Kind::Spin { range, .. } => *range = *range.start()..=max.min(*range.end()),
            _ => (),
        }
        Some(option)
    }
}
