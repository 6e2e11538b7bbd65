//! Sizes of the endgame tables and of the transposition table, and estimates of the sizes of
//! searches.
//!
//! Two more seeds in the tables nearly halve the search and take 2.2 times as long to
//! build. The cost of both is estimated from measurements on starts of 5 and 6 pits; a
//! wrong estimate costs time but never changes a value.

use crate::endgame::Extent;
use kalah_game::{Capture, Gain, Position, Variant};

/// Nodes of a search from 48 seeds on 6 pits with tables of 18 seeds and standard
/// captures.
const KALAH_6_4_NODES: f64 = 12e6;
/// The factor with empty captures.
const EMPTY_CAPTURE: f64 = 0.35;
/// The factor for each additional seed in play.
const PER_SEED: f64 = 1.42;
/// The factor for each additional pit per row, with the same number of seeds in play.
const PER_PIT: f64 = 2.0;
/// The factor for each seed fewer in the tables.
const PER_TABLE_SEED: f64 = 1.35;
/// The factor for each seed between the gain and the bound asked about.
const PER_SEED_AWAY: f64 = 0.74;
/// Larger numbers of seeds count as this many in [`relative_nodes`], so that no position vanishes
/// next to its siblings.
const MAX_COUNTED_SEEDS: f64 = 100.0;
/// The number of table positions that can be built in the time of one node: as measured, 48
/// with tables of 22 seeds, 58 with 25 and 53 with 27.
const BUILT_PER_NODE: f64 = 48.0;
/// The number of table positions that can be read and checked in the time of one node.
const READ_PER_NODE: f64 = 300.0;
/// Bytes of the transposition table per node, as measured: few positions recur after a long
/// time, and a smaller table causes fewer cache misses.
const BYTES_PER_NODE: f64 = 3.0;
/// The size of tables assumed for the questions of a proof in pieces: such tables are built
/// within seconds.
const USUAL_TABLE_SEEDS: u32 = 22;
const MIN_HASH: u64 = 1 << 20;
const MAX_HASH: u64 = 4 << 30;
/// This fraction of the free memory, 1/6, is left for the transposition table. A larger part would
/// do less for it than for the endgame tables: with tables of 31 seeds, (6,6) took 3.3 billion
/// nodes with 2 GiB and 3.0 with 4 GiB; with 32 seeds and 4 GiB, it took 1.7 billion.
const HASH_FRACTION: u64 = 6;
/// This fraction of the free memory, 1/32, stays unused, because other programs may allocate
/// some of it before the tables are built.
const SPARE_FRACTION: u64 = 32;

/// The sizes of a solver's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TablePlan {
    /// The maximum number of seeds in play that the endgame tables cover.
    pub table_seeds: u32,
    /// Bytes for the transposition table.
    pub hash: usize,
}

impl TablePlan {
    /// Plans a search of `variant` from `in_play` seeds, with at most
    /// `available` bytes for everything; given sizes are used as they are. Tables of up to
    /// `cached` seeds are read instead of being built.
    pub(super) fn new(
        variant: Variant,
        in_play: u32,
        available: u64,
        cached: Option<u32>,
        table_seeds: Option<u32>,
        hash: Option<usize>,
    ) -> Self {
        // Memory does more for the endgame tables: (6,4) takes 9.7 million nodes with a
        // transposition table of 16 MiB and 9.4 million with any from 64 MiB to 1 GiB.
        let min_hash = match hash {
            Some(hash) => hash as u64,
            None => MAX_HASH.min(available / HASH_FRACTION),
        };
        let room = available - available / SPARE_FRACTION;
        let table_room = room.saturating_sub(min_hash);
        let table_seeds = table_seeds.unwrap_or_else(|| {
            // More seeds in the tables shorten the search and lengthen the build.
            let cost = |extent: Extent| {
                let seeds = extent.seeds();
                let rate = if cached >= Some(seeds) { READ_PER_NODE } else { BUILT_PER_NODE };
                extent.positions() as f64 / rate + nodes(variant, in_play, seeds)
            };
            let max_seeds = in_play.saturating_sub(4).min(64);
            let cheapest = Extent::ascending(variant)
                .take(max_seeds as usize + 1)
                // The builder frees its own memory before the transposition table is allocated.
                .take_while(|&(extent, bytes)| {
                    bytes <= table_room && bytes.saturating_add(extent.builder_memory()) <= room
                })
                .min_by(|one, other| cost(one.0).total_cmp(&cost(other.0)));
            match cheapest {
                Some((extent, _)) => extent.seeds(),
                None => 0,
            }
        });
        let hash = hash.unwrap_or_else(|| {
            let wanted = nodes(variant, in_play, table_seeds) * BYTES_PER_NODE;
            let bytes = wanted.clamp(MIN_HASH as f64, MAX_HASH as f64) as u64;
            let tables = Self { table_seeds, hash: 0 }.bytes(variant);
            let left = room.saturating_sub(tables).max(min_hash);
            usize::try_from(bytes.next_power_of_two().min(left)).unwrap_or(usize::MAX)
        });
        Self { table_seeds, hash }
    }

    /// Bytes of both tables for positions of `variant`.
    pub(super) fn bytes(&self, variant: Variant) -> u64 {
        match Extent::new(variant, self.table_seeds) {
            Ok(extent) => extent.bytes().saturating_add(self.hash as u64),
            Err(_) => u64::MAX,
        }
    }
}

/// The size in bytes of the transposition table for a proof of `position` with endgame tables of
/// `table_seeds` seeds, if there is memory for any size.
pub fn planned_hash(position: &Position, table_seeds: u32) -> usize {
    let in_play = position.in_play();
    let seeds = Some(table_seeds);
    TablePlan::new(position.variant(), in_play, u64::MAX, None, seeds, None).hash
}

/// The estimated number of nodes of one question about `position`, whose estimated gain
/// is `distance` seeds from the bound asked about, with tables of a usual size.
pub(super) fn question_nodes(position: &Position, distance: u32) -> f64 {
    let nodes = nodes(position.variant(), position.in_play(), USUAL_TABLE_SEEDS);
    nodes * PER_SEED_AWAY.powf(f64::from(distance))
}

/// The estimated number of nodes below a position, relative to its siblings. The move to it banked
/// `banked` seeds; its estimated gain is `distance` seeds from the bound asked about.
///
/// Later siblings, which mostly bank less and should have larger trees, find more positions in the
/// transposition table. The square root of the general law allows for that: for (6,5), the estimate
/// reaches 10, 25, 50, 75 and 90 % after 6, 13, 61, 78 and 98 % of the nodes with standard
/// captures, and after 7, 16, 44, 72 and 97 % with empty captures. For (6,6), the
/// estimate of the time left was 0.25 to 3 times the true one in the first question, and 3 to 8 times
/// in the second.
pub(super) fn relative_nodes(banked: Gain, distance: f64) -> f64 {
    let banked = f64::from(banked.0).min(MAX_COUNTED_SEEDS);
    let distance = distance.min(MAX_COUNTED_SEEDS);
    (PER_SEED.powf(-banked) * PER_SEED_AWAY.powf(distance)).sqrt()
}

/// The *general law*: the estimated number of nodes of a search, exponential in the seeds in
/// play, the pits and the seeds of the tables.
fn nodes(variant: Variant, in_play: u32, table_seeds: u32) -> f64 {
    let part = match variant.capture() {
        Capture::Standard => 1.0,
        Capture::EmptyCapture => EMPTY_CAPTURE,
    };
    KALAH_6_4_NODES
        * part
        * PER_SEED.powf(f64::from(in_play) - 48.0)
        * PER_PIT.powf(variant.pits() as f64 - 6.0)
        * PER_TABLE_SEED.powf(18.0 - f64::from(table_seeds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_nodes_lie_below_a_move_that_banks_seeds_or_is_far_from_the_bound() {
        let nodes = |banked, distance| relative_nodes(Gain(banked), distance);
        assert!(nodes(0, 0.0) > nodes(1, 0.0) && nodes(0, 0.0) > nodes(0, 3.5));
        for least in [nodes(i32::MAX, 0.0), nodes(0, 1e9)] {
            assert!(least > 0.0 && nodes(0, 0.0) + least > nodes(0, 0.0));
        }
    }

    #[test]
    fn each_part_of_the_general_law_is_a_factor() {
        let nodes = |pits, capture, in_play, table_seeds| {
            nodes(Variant::new(pits, capture).unwrap(), in_play, table_seeds)
        };
        let reference = nodes(6, Capture::Standard, 48, 18);
        assert_eq!(reference, KALAH_6_4_NODES);
        for (part, factor) in [
            (nodes(6, Capture::EmptyCapture, 48, 18), EMPTY_CAPTURE),
            (nodes(6, Capture::Standard, 50, 18), PER_SEED.powi(2)),
            (nodes(8, Capture::Standard, 48, 18), PER_PIT.powi(2)),
            (nodes(6, Capture::Standard, 48, 16), PER_TABLE_SEED.powi(2)),
        ] {
            assert!((part / reference / factor - 1.0).abs() < 1e-9, "{part}");
        }
    }

    #[test]
    fn tables_grow_with_the_search_and_fit_in_memory() {
        let variant = Variant::new(6, Capture::Standard).unwrap();
        let seeds = |in_play, available| {
            TablePlan::new(variant, in_play, available, None, None, None).table_seeds
        };
        let plenty = 1 << 36;
        assert!(seeds(24, plenty) < seeds(36, plenty));
        assert!(seeds(36, plenty) < seeds(48, plenty));
        assert!(seeds(48, plenty) < seeds(60, plenty));
        let tight = TablePlan::new(variant, 60, 1 << 28, None, None, None);
        assert!(tight.bytes(variant) <= 1 << 28, "{tight:?}");
        // With 31 seeds, 2 GiB are left and not 4.
        let plan = TablePlan::new(variant, 72, 13 << 30, None, None, None);
        assert!(plan.table_seeds == 31 && (2 << 30..4 << 30).contains(&plan.hash), "{plan:?}");
        let set = TablePlan::new(variant, 60, plenty, None, Some(10), Some(1 << 22));
        assert_eq!(set, TablePlan { table_seeds: 10, hash: 1 << 22 });
        let cached = TablePlan::new(variant, 48, plenty, Some(21), None, None);
        assert!(cached.table_seeds == 21 && seeds(48, plenty) < 21);
    }

    #[test]
    fn tables_can_be_built_in_the_memory_that_they_were_planned_for() {
        for variant in (1..=16).map(|pits| Variant::new(pits, Capture::Standard).unwrap()) {
            for in_play in [2, 5, 12].map(|seeds| 2 * seeds * variant.pits() as u32) {
                for available in (25..36).flat_map(|bits| [1 << bits, 3 << (bits - 1)]) {
                    for hash in [None, Some(1 << 24)] {
                        let plan = TablePlan::new(variant, in_play, available, None, None, hash);
                        let extent = Extent::new(variant, plan.table_seeds).unwrap();
                        let needed = extent.build_memory().max(plan.bytes(variant));
                        assert!(needed <= available, "{variant}, {in_play} seeds: {plan:?}");
                    }
                }
            }
        }
    }
}
