//! The signature of the engine: the number of nodes that one thread visits on a fixed set of
//! positions at fixed depths. It is the same on every machine, and a change that is not
//! meant to alter the search must not change it.

use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

use crate::Engine;
use crate::endgame::Extent;
use crate::search::{self, Limits, Stopper};
use kalah_game::{Depth, Position, Variant};
use kalah_sys::clock::Instant;
use kalah_sys::machine::{MemoryError, THREAD_BYTES, processors, require_address_space};
use kalah_sys::stop::Flag;

/// The positions, one per line: depth, capture rule, position text.
const POSITIONS: &str = include_str!("positions.txt");

/// MiB of the transposition table: part of the signature.
const HASH: usize = 16;

/// Nodes and time of the bench, or of one of its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "files", derive(serde::Serialize))]
pub struct Signature {
    /// Boards visited by all threads.
    pub nodes: u64,
    /// Wall-clock time.
    #[cfg_attr(feature = "files", serde(rename = "seconds", serialize_with = "seconds"))]
    pub time: Duration,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nodes     {}", self.nodes)?;
        writeln!(f, "time      {} ms", self.time.as_millis())?;
        write!(f, "rate      {:.2} million nodes per second", self.rate() / 1e6)
    }
}

#[cfg(feature = "files")]
fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Signature {
    /// Boards visited per second.
    pub(crate) fn rate(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Bytes of address space that the bench takes: its transposition table, the endgame tables of
/// all boards, and the threads.
fn address_space(threads: usize) -> u64 {
    let variants: HashSet<Variant> = positions().map(|(position, _)| position.variant()).collect();
    let tables = variants.into_iter().map(|variant| Extent::small(variant).build_memory());
    let threads = threads as u64 * (search::STACK_BYTES as u64 + THREAD_BYTES);
    ((HASH as u64) << 20) + tables.sum::<u64>() + threads
}

/// Searches each position from an empty table, `deeper` sowings beyond its depth;
/// `report` receives each position with its nodes. With one thread and `deeper` 0 the
/// nodes are the signature. A stop ends all searches.
///
/// # Errors
/// If there is not enough memory. Searches without their endgame tables would have a different
/// signature.
pub fn measure(
    threads: usize,
    deeper: u16,
    stopper: &Stopper,
    mut report: impl FnMut(&Position, Signature),
) -> Result<Signature, MemoryError> {
    require_address_space(address_space(threads))?;
    let mut engine = Engine::with_hash(HASH)?;
    engine.settings_mut().threads = threads;
    let mut all = Signature::default();
    for (position, depth) in positions() {
        engine.new_game();
        engine.set_position(position);
        // The table is cleared before the clock starts: only the searches are measured.
        let cleared = engine.resources().hash.prepare(&Flag::default(), processors());
        cleared.expect("the flag is never raised");
        let started = Instant::now();
        let limits = Limits::depth(depth + Depth(deeper));
        let result = engine.search(limits, stopper, &mut |_| ());
        let one = Signature { nodes: result.nodes(), time: started.elapsed() };
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
        let (depth, rest) = line.split_once(' ').expect("three words");
        let (capture, position) = rest.split_once(' ').expect("three words");
        let capture = capture.parse().expect("a capture rule");
        let position = Position::parse(position, capture).expect("a position");
        (position, Depth(depth.parse().expect("a depth")))
    })
}
