//! Finished tables, which are read-only, and how they are probed.

use std::{path::PathBuf, sync::OnceLock, time::Duration};

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::found::UnusedLayers;
use super::layout::{Layout, TableSlot};
use super::packed::{self, width};
use kalah_game::{Board, Gain, Pit, Position, Row, Variant, Wide};
use kalah_sys::log;
use kalah_sys::memory::{MappedLayer, ZeroedBytes, prefetch};

/// Error when tables were made for another variant than the one that they are needed for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected endgame tables for {expected}, got tables for {got}")]
#[non_exhaustive]
pub struct OtherTables {
    /// The variant of the current position.
    pub expected: Variant,
    /// The variant of the tables.
    pub got: Variant,
}

/// The exact gains of all positions with up to N seeds in play.
#[derive(Debug)]
pub struct Tables {
    pub(super) layout: Layout,
    pub(super) variant: Variant,
    pub(super) wins: Wins,
    pub(super) origin: Origin,
    pub(super) checksum: OnceLock<u64>,
}

/// The packed numbers of seeds that the mover of each position still wins.
#[derive(Debug)]
pub(super) enum Wins {
    /// All layers, one after the other.
    Memory(ZeroedBytes),
    /// Each layer in a mapped file of its own.
    Files(Box<[MappedLayer]>),
}

/// Where tables came from, and how long that took.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The folder that layers were read from, and the seeds of the largest of them.
    pub read: Option<(PathBuf, u32)>,
    /// The seeds of the layers that were built.
    pub built: Vec<u32>,
    /// The time for reading and building.
    pub time: Duration,
    /// The layers of the folder that cannot be used.
    pub unused: Option<UnusedLayers>,
}

impl Tables {
    /// Reports the layers of the folder that are not used.
    #[must_use]
    pub fn warning_of_unused_layers(self) -> Self {
        self.origin.unused.iter().for_each(|unused| log::warn!("{unused}"));
        self
    }

    /// Whether the mapped files are unchanged since they were opened. Probing a file that another
    /// program has truncated in place kills the process (SIGBUS), so callers check this before each
    /// search.
    pub fn are_intact(&self) -> bool {
        match &self.wins {
            Wins::Memory(_) => true,
            Wins::Files(layers) => layers.iter().all(MappedLayer::is_intact),
        }
    }

    /// Where the tables came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The board and rule of all positions.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Checks that the tables are for `variant`.
    pub fn require_variant(&self, variant: Variant) -> Result<(), OtherTables> {
        if self.variant == variant {
            Ok(())
        } else {
            Err(OtherTables { expected: variant, got: self.variant })
        }
    }

    /// The maximum number of seeds in play.
    #[inline]
    pub fn seeds(&self) -> u32 {
        self.layout.ranks.seeds
    }

    /// Whether the boards fit on packed rows of type `R`.
    pub(super) fn fits<R: Row>(&self) -> bool {
        self.variant.pits() <= R::LANES && self.seeds() <= R::CAPACITY
    }

    /// A checksum of all gains, the same whether they were built or read: the XXH3 of the
    /// layers' checksums, which are also in their files. The first call reads all tables.
    pub fn checksum(&self) -> u64 {
        *self.checksum.get_or_init(|| {
            // Layer by layer, so that tables in memory and mapped files have the same checksum.
            let layers = (0..=self.seeds()).map(|seeds| xxh3_64(self.layer(seeds)));
            xxh3_64(&layers.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
        })
    }

    /// The packed values of the positions with `seeds` seeds in play.
    pub(super) fn layer(&self, seeds: u32) -> &[u8] {
        match &self.wins {
            Wins::Memory(all) => &all[self.layout.layer(seeds)],
            Wins::Files(layers) => layers[seeds as usize].bytes(),
        }
    }

    /// The bytes of this process's own memory that the tables take: none if they are mapped.
    pub fn bytes_in_memory(&self) -> u64 {
        match &self.wins {
            Wins::Memory(all) => all.len() as u64,
            Wins::Files(_) => 0,
        }
    }

    /// The number of positions with exactly `seeds` seeds in play.
    pub fn layer_len(&self, seeds: u32) -> u64 {
        self.layout.layer_len(seeds)
    }

    /// The gain of `board`, which must be of [`Tables::variant`]; `None` if it holds more
    /// than [`Tables::seeds`] seeds. Finished positions are included.
    #[inline]
    pub fn gain<R: Row>(&self, board: Board<R>) -> Option<Gain> {
        let own = board.own.sum();
        let opponent = board.opponent.sum();
        let in_play = own + opponent;
        if in_play > self.seeds() {
            return None;
        }
        Some(self.gain_at(self.slot(board, own, opponent), in_play))
    }

    /// The exact margin of `position`, which must be of [`Tables::variant`], from its
    /// mover's point of view; `None` if the tables do not hold it.
    pub fn margin(&self, position: &Position) -> Option<Gain> {
        let gain = self.gain(position.board::<Wide>())?;
        Some(position.lead(position.side()) + gain)
    }

    /// The exact margin of each move of `position`, pits in sowing order, as in
    /// [`Tables::margin`].
    pub fn move_margins(&self, position: &Position) -> Option<Vec<(Pit, Gain)>> {
        let margins = position.children().map(|(played, after)| {
            Some((played.pit, played.turn.from_child(self.margin(&after)?)))
        });
        margins.collect()
    }

    /// The place of `board`, whose rows hold `own` and `opponent` seeds, at most
    /// [`Tables::seeds`] together.
    #[inline]
    pub fn slot<R: Row>(&self, board: Board<R>, own: u32, opponent: u32) -> TableSlot {
        self.layout.slot(board, own, opponent)
    }

    /// The gain of the position at `slot`, which has `in_play` seeds.
    #[inline]
    pub fn gain_at(&self, slot: TableSlot, in_play: u32) -> Gain {
        let (bytes, bit) = self.wins_at(slot, in_play);
        self.variant.gain(packed::get(bytes, bit, width(in_play)).into(), in_play)
    }

    /// Prefetches the cache line of `slot`, whose position has `in_play` seeds.
    #[inline]
    pub fn prefetch(&self, slot: TableSlot, in_play: u32) {
        let (bytes, bit) = self.wins_at(slot, in_play);
        prefetch(&bytes[(bit / 8) as usize]);
    }

    /// Memory that holds the value at `slot`, and the value's first bit in it.
    #[inline]
    fn wins_at(&self, slot: TableSlot, in_play: u32) -> (&[u8], u64) {
        match &self.wins {
            Wins::Memory(all) => (all, slot.0),
            Wins::Files(layers) => {
                let begin = self.layout.layer(in_play).start as u64;
                (layers[in_play as usize].bytes(), slot.0 - 8 * begin)
            }
        }
    }
}
