//! The signature of the search: the nodes it visits on a fixed set of
//! positions at fixed depths, the same on every machine with one thread.

use std::collections::TryReserveError;
use std::fmt;
use std::time::{Duration, Instant};

use crate::depth::Depth;
use crate::engine::Engine;
use crate::game::Position;
use crate::search::{Limits, Stopper};

/// The positions, one a line: depth, capture rule, position text.
pub const POSITIONS: &str = include_str!("positions.txt");

/// The memory of the bench in MiB: part of the signature.
const HASH: usize = 16;

/// What a bench has measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Boards visited in all searches together.
    pub nodes: u64,
    /// Time of all searches together.
    pub time: Duration,
}

impl Signature {
    /// Nodes a second.
    pub fn rate(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nodes     {}", self.nodes)?;
        writeln!(f, "time      {} ms", self.time.as_millis())?;
        write!(f, "rate      {:.2} million nodes a second", self.rate() / 1e6)
    }
}

/// Searches each position to its depth from an empty memory; `report` hears of
/// each with its nodes. With one thread the nodes are the signature; a stop ends
/// all, and what was measured then means little.
///
/// # Errors
/// If the system refuses 16 MiB for the table.
pub fn measure(
    threads: usize,
    deeper: u16,
    stopper: &Stopper,
    mut report: impl FnMut(&Position, Signature),
) -> Result<Signature, TryReserveError> {
    let mut engine = Engine::with_hash(HASH)?;
    engine.settings_mut().threads = threads;
    let mut all = Signature::default();
    for (position, depth) in positions() {
        engine.new_game();
        engine.set_position(position);
        let started = Instant::now();
        let limits = Limits::depth(depth + deeper);
        let result = engine.search(limits, stopper, &mut |_| ());
        let nodes = result.info.map_or(0, |info| info.nodes);
        let one = Signature { nodes, time: started.elapsed() };
        all.nodes += one.nodes;
        all.time += one.time;
        report(&position, one);
        if stopper.is_stopped() {
            break;
        }
    }
    Ok(all)
}

fn positions() -> impl Iterator<Item = (Position, Depth)> {
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().expect("three words a line");
        let depth = Depth(word().parse().expect("a depth"));
        let capture = word().parse().expect("a capture rule");
        (Position::parse(word(), capture).expect("a position"), depth)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_positions_can_be_read() {
        assert_eq!(super::positions().count(), 15);
    }
}
