//! The extent of tables (pits, capture rule, maximum number of seeds) and the memory that they
//! need.

use thiserror::Error;

use super::layout::{binomial, layer_bytes, positions, rows};
use super::packed::{packed_len, width};
use kalah_game::Variant;
use kalah_sys::machine::MemoryError;
use kalah_text::format::counted;

/// The maximum number of seeds in play: a byte counts the seeds won, and the builder uses 255
/// for a pit that cannot be sown.
pub(super) const MAX_SEEDS: u32 = 250;

/// The maximum number of positions, which take up to one tebibyte.
const MAX_POSITIONS: u64 = 1 << 40;

/// The maximum number of positions in the tables that an engine starts with; they are built in
/// a few hundredths of a second.
const SMALL: u64 = 10_000_000;

/// The seeds in play, on 6 pits, of tables in the user's cache. With 23 seeds, the engine finds
/// nearly all best moves of the suites within 100 ms (see `doc/lab/strength.md`), and is ready
/// 0.7 s after its start.
const CACHED_SEEDS: u32 = 23;

/// Error when building tables or reading them into memory.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the fields")]
#[non_exhaustive]
pub enum BuildError {
    /// More positions than can be counted or addressed.
    #[error(
        "expected at most {max} seeds in play with {} per row, got {seeds}: larger tables {}",
        counted(*pits as u64, "pit"),
        if *max == MAX_SEEDS { "are not supported" } else { "do not fit in memory" }
    )]
    Seeds { pits: usize, seeds: u32, max: u32 },
    /// The tables need more memory than is available.
    #[error(
        "endgame tables for {}, up to {}, need {} MiB of memory, but only {} MiB are available: \
         {} seeds would fit",
        extent.variant(), counted(extent.seeds().into(), "seed"), extent.build_memory() >> 20,
        available >> 20, fitting.seeds()
    )]
    TooLarge { extent: Extent, available: u64, fitting: Extent },
    /// The system refused the memory, or a limit leaves too little.
    #[error("endgame tables: {0}")]
    Refused(#[from] MemoryError),
}

/// The positions that tables hold: all those with up to `seeds` seeds in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    variant: Variant,
    seeds: u32,
}

impl Extent {
    /// Tables for `variant` and up to `seeds` seeds in play.
    ///
    /// # Errors
    /// [`BuildError::Seeds`] if the tables are too large.
    pub fn new(variant: Variant, seeds: u32) -> Result<Self, BuildError> {
        let largest = Self::largest(variant, MAX_POSITIONS);
        if seeds > largest.seeds {
            return Err(BuildError::Seeds { pits: variant.pits(), seeds, max: largest.seeds });
        }
        Ok(Self { seeds, ..largest })
    }

    /// The largest tables that can be built in `bytes` of memory, at least those of the empty
    /// board.
    pub fn fitting(variant: Variant, bytes: u64) -> Self {
        let mut largest = Self { variant, seeds: 0 };
        for (extent, tables) in Self::ascending(variant).skip(1) {
            if tables.saturating_add(extent.builder_memory()) > bytes {
                break;
            }
            largest = extent;
        }
        largest
    }

    /// Tables with up to 0, 1, 2, … seeds in play, with their bytes.
    pub fn ascending(variant: Variant) -> impl Iterator<Item = (Self, u64)> {
        let largest = Self::largest(variant, MAX_POSITIONS);
        (0..=largest.seeds).scan(0, move |bytes, seeds| {
            *bytes += layer_bytes(variant.pits(), seeds).expect("64 bits can count an extent");
            Some((Self { variant, seeds }, *bytes))
        })
    }

    /// The largest tables of at most `max` positions, at least those of the empty board.
    pub fn largest(variant: Variant, max: u64) -> Self {
        let counts = (0..=MAX_SEEDS).map_while(|seeds| positions(variant.pits(), seeds));
        let fitting = counts.take_while(|&count| count <= max).count() as u32;
        Self { variant, seeds: fitting.saturating_sub(1) }
    }

    /// Tables small enough to be built whenever an engine starts.
    pub fn small(variant: Variant) -> Self {
        Self::largest(variant, SMALL)
    }

    /// Tables worth keeping in the user's cache: 519 MB, which are built in a few seconds.
    pub fn for_cache(variant: Variant) -> Self {
        Self::like_six_pits(variant, CACHED_SEEDS)
    }

    /// The largest tables with no more positions than those of `seeds` seeds in play on 6 pits.
    pub fn like_six_pits(variant: Variant, seeds: u32) -> Self {
        Self::largest(variant, positions(6, seeds).unwrap_or(MAX_POSITIONS))
    }

    /// The board and rule of all positions.
    pub fn variant(self) -> Variant {
        self.variant
    }

    /// The maximum number of seeds in play.
    pub fn seeds(self) -> u32 {
        self.seeds
    }

    /// The number of positions.
    pub fn positions(self) -> u64 {
        positions(self.variant.pits(), self.seeds).expect("64 bits can count an extent")
    }

    /// The bytes of the tables.
    pub fn bytes(self) -> u64 {
        let extent = Self::ascending(self.variant).nth(self.seeds as usize);
        extent.expect("an extent is at most the largest").1
    }

    /// An upper bound on the memory for building, in bytes.
    pub fn build_memory(self) -> u64 {
        self.bytes().saturating_add(self.builder_memory())
    }

    /// An upper bound on the bytes that the builder needs in addition to the tables: what it
    /// computes for sets of rows.
    pub fn builder_memory(self) -> u64 {
        // For the positions with both rows equally rich, the mirrored half that the table does not
        // store; then places, sowings and runs in proportion to the number of rows, and transitions
        // in proportion to the cube of the number of seeds, which exceed these on boards of one and
        // two pits (as measured, 6 bytes times the cube for 250 seeds, 9 for 100).
        let pits = self.variant.pits();
        let positions = rows(pits, self.seeds / 2).unwrap_or(u64::MAX).saturating_pow(2);
        let equal = packed_len(positions, width(self.seeds)).unwrap_or(u64::MAX);
        let all_rows = binomial(self.seeds + pits as u32, pits as u32).unwrap_or(u64::MAX);
        let per_row = all_rows.saturating_mul(40 * pits as u64);
        let transitions = 12 * u64::from(self.seeds).pow(3);
        equal.saturating_add(per_row).saturating_add(transitions)
    }
}
