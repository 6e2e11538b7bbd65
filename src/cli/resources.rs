//! What a solver may use, as options.

use clap::Args as ClapArgs;

use super::guess;
use crate::solve::{Settings, TableChoice};
use crate::sys::machine::processors;

#[derive(Debug, Default, ClapArgs)]
pub(super) struct Resources {
    /// Threads that search [default: one a processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory for proved bounds, in MiB [default: what the search seems to need]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: Option<u32>,
    /// Build endgame tables up to so many seeds in play, 0 for none [default:
    /// what pays]
    #[arg(long, value_name = "SEEDS")]
    pub table_seeds: Option<u32>,
}

impl Resources {
    /// The settings of a solver that uses these.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads.map_or_else(processors, usize::from),
            hash: self.hash.map(|mebibytes| (mebibytes as usize) << 20),
            tables: self.table_seeds.map_or(TableChoice::Automatic, TableChoice::Seeds),
            guess: guess::margin,
            ..Settings::default()
        }
    }
}
