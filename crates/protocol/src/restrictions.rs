//! Limits on what a remote manager may ask for: a page in a browser must neither read files
//! nor exhaust memory or time.

use std::time::Duration;

use kalah_engine::{EngineOption, OptionKind, Restriction};

/// Limits on the options and the work of a session. Options that name files cannot be set at
/// all, nor can those that are [withheld](Restriction::Withheld).
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
    /// The option restricted to the allowed values; none if it cannot be set.
    pub fn apply(&self, option: &EngineOption) -> Option<EngineOption> {
        let max = match option.restriction {
            Restriction::Free => u32::MAX,
            Restriction::Hash => self.hash,
            Restriction::Threads => self.threads,
            Restriction::TableSeeds => self.table_seeds,
            Restriction::Withheld => return None,
        };
        let mut option = option.clone();
        match &mut option.kind {
            // By type rather than by name, so that a new option of this type is not forgotten.
            OptionKind::File { .. } => return None,
            OptionKind::Spin { default, range, .. } => {
                *range = *range.start()..=max.min(*range.end());
                *default = (*default).min(*range.end());
            }
            _ => (),
        }
        Some(option)
    }
}
