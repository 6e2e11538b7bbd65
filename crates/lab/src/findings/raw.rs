//! The counts of every search, for programs that compute statistics of their own.

use std::io::{self, Write};

use serde::Serialize;

use crate::SearchCounts;
use crate::experiment::plan::Results;

/// The searches of one algorithm on one position, or on all positions of one game.
#[derive(Serialize)]
struct RawRecord<'a> {
    experiment: &'a str,
    condition: &'a str,
    seed: u64,
    depth: u16,
    algorithm: &'a str,
    /// The number of the position, game or tree.
    number: usize,
    #[serde(flatten)]
    counts: SearchCounts,
    value: i64,
    /// The processor time of each round.
    seconds: Vec<f64>,
}

/// Writes the counts per position, algorithm and condition as lines of JSON.
///
/// # Errors
/// If they cannot be written.
pub fn raw(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    for part in &results.parts {
        for own in &part.measurements.0 {
            let condition = own.condition.words();
            let algorithm = own.method.to_string();
            for (number, effort) in own.groups.iter().enumerate() {
                let seconds = own.rounds.iter().filter_map(|round| round.get(number)).copied();
                let record = RawRecord {
                    experiment: part.set.name,
                    condition: &condition,
                    seed: own.condition.seed,
                    depth: own.depth,
                    algorithm: &algorithm,
                    number,
                    counts: effort.counts,
                    value: effort.value,
                    seconds: seconds.collect(),
                };
                serde_json::to_writer(&mut *out, &record)?;
                writeln!(out)?;
            }
        }
    }
    Ok(())
}
