//! The tables in memory and how they are asked.

use memmap2::{Mmap, MmapMut};
use thiserror::Error;

use super::build::Builder;
use super::extent::{Extent, ExtentError};
use super::layout::Layout;
use super::memory::allocate;
use crate::game::{Board, Row, Variant};
use crate::score::Gain;
use crate::sys::machine::available_memory;
use crate::sys::prefetch::prefetch;

/// Why tables cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// There are no such tables.
    #[error(transparent)]
    Extent(#[from] ExtentError),
    /// They need more than there is.
    #[error(
        "tables of {} up to {} seeds need {} MiB of memory, {} MiB are available: \
         {} seeds would fit",
        extent.variant(), extent.seeds(), extent.build_memory() >> 20, available >> 20,
        fitting.seeds()
    )]
    TooLarge {
        /// What was asked for.
        extent: Extent,
        /// Bytes that there are.
        available: u64,
        /// The largest tables that would fit.
        fitting: Extent,
    },
    /// The system gives no memory.
    #[error("no memory for the tables: {0}")]
    Memory(#[from] std::io::Error),
}

/// Told how many positions have been finished since it was last told.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// The exact gains of all positions with up to N seeds in play.
#[derive(Debug)]
pub struct Tables {
    layout: Layout,
    variant: Variant,
    /// The seeds that the mover still wins.
    wins: Mmap,
}

impl Tables {
    /// Tables for `variant` and up to `seeds` seeds in play, built by
    /// `threads` threads.
    ///
    /// # Errors
    /// [`BuildError`] if there are no such tables, or no memory for them.
    pub fn build(variant: Variant, seeds: u32, threads: usize) -> Result<Self, BuildError> {
        Self::build_with(Extent::new(variant, seeds)?, threads, &|_| ())
    }

    /// Tables of some extent, with news of the progress.
    ///
    /// # Errors
    /// [`BuildError`] if there is no memory for them.
    pub fn build_with(
        extent: Extent,
        threads: usize,
        progress: Progress,
    ) -> Result<Self, BuildError> {
        let mut site = Site::new(extent)?;
        while !site.is_finished() {
            site.fill_layer(threads, progress);
        }
        Ok(site.finish()?)
    }

    /// The board and rule.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The most seeds in play.
    #[inline]
    pub fn seeds(&self) -> u32 {
        self.layout.seeds()
    }

    /// Where each position lies.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The gain of `board`, a board of [`Tables::variant`]; `None` if it
    /// holds more than [`Tables::seeds`] seeds. Finished positions count too.
    #[inline]
    pub fn gain<R: Row>(&self, board: Board<R>) -> Option<Gain> {
        let (own, opponent) = (board.own.sum(), board.opponent.sum());
        (own + opponent <= self.seeds()).then(|| {
            let slot = self.layout.index(board, own, opponent);
            self.gain_at(slot, own + opponent)
        })
    }

    /// The place of `board`, whose rows hold `own` and `opponent` seeds, at most
    /// [`Tables::seeds`] together: for [`Tables::gain_at`] and
    /// [`Tables::prefetch`].
    #[inline]
    pub fn slot<R: Row>(&self, board: Board<R>, own: u32, opponent: u32) -> usize {
        self.layout.index(board, own, opponent)
    }

    /// The gain of the position at `slot`, which has `in_play` seeds.
    #[inline]
    pub fn gain_at(&self, slot: usize, in_play: u32) -> Gain {
        Gain(2 * i32::from(self.wins[slot]) - in_play as i32)
    }

    /// The bytes at some slots.
    #[cfg(test)]
    pub(super) fn wins(&self, slots: std::ops::Range<usize>) -> &[u8] {
        &self.wins[slots]
    }

    /// Asks for the byte at `slot` to be brought near; it changes no result.
    #[inline]
    pub fn prefetch(&self, slot: usize) {
        if let Some(byte) = self.wins.get(slot) {
            prefetch(byte);
        }
    }

    /// A check value of the layer of `seeds` seeds that other programs can
    /// compare: FNV-1a (64 bit) over the seeds that the mover wins in each
    /// unfinished position, by the mover's seeds, the rank of the mover's row,
    /// the rank of the other row.
    ///
    /// The basis is that of the values known, 1469598103934665603; the usual
    /// one of FNV has another digit, 14695981039346656037.
    pub fn check_value(&self, seeds: u32) -> u64 {
        const BASIS: u64 = 1_469_598_103_934_665_603;
        const PRIME: u64 = 0x100_0000_01b3;
        let ranks = self.layout.ranks();
        let mut hash = BASIS;
        for own in 1..seeds {
            let block = self.layout.block(own, seeds - own);
            for row in 0..ranks.rows(own) {
                for other in 0..ranks.rows(seeds - own) {
                    let slot = block.base + row * block.own + other * block.opponent;
                    hash = (hash ^ u64::from(self.wins[slot])).wrapping_mul(PRIME);
                }
            }
        }
        hash
    }
}

/// Tables while they are built: the layers below [`Site::next_layer`] are done.
#[derive(Debug)]
pub(super) struct Site {
    layout: Layout,
    variant: Variant,
    wins: MmapMut,
    builder: Builder,
    next: u32,
}

impl Site {
    /// Room for tables of some extent, nothing done yet.
    pub fn new(extent: Extent) -> Result<Self, BuildError> {
        if let Some(available) = available_memory().filter(|&bytes| bytes < extent.build_memory()) {
            let mut fitting = Extent::largest(extent.variant(), available);
            while fitting.seeds() > 0 && fitting.build_memory() > available {
                fitting = Extent::new(extent.variant(), fitting.seeds() - 1)?;
            }
            return Err(BuildError::TooLarge { extent, available, fitting });
        }
        let layout = extent.layout();
        Ok(Self {
            wins: allocate(layout.positions())?,
            builder: Builder::new(extent.variant().capture()),
            variant: extent.variant(),
            next: 0,
            layout,
        })
    }

    /// Where each position lies.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The seeds of the lowest layer that is not done.
    pub fn next_layer(&self) -> u32 {
        self.next
    }

    /// Whether all layers are done.
    pub fn is_finished(&self) -> bool {
        self.next > self.layout.seeds()
    }

    /// Works out the next layer.
    pub fn fill_layer(&mut self, threads: usize, progress: Progress) {
        let end = self.layout.layer(self.next).end;
        self.builder.fill(&self.layout, &mut self.wins[..end], self.next, threads, progress);
        self.next += 1;
    }

    /// Takes the next layer from elsewhere; it is done if `read` finds no fault.
    pub fn take_layer<T, E>(
        &mut self,
        read: impl FnOnce(&mut [u8]) -> Result<T, E>,
    ) -> Result<T, E> {
        let taken = read(&mut self.wins[self.layout.layer(self.next)])?;
        self.next += 1;
        Ok(taken)
    }

    /// The bytes of a layer that is done.
    pub fn layer(&self, seeds: u32) -> &[u8] {
        &self.wins[self.layout.layer(seeds)]
    }

    /// The finished tables.
    pub fn finish(self) -> std::io::Result<Tables> {
        debug_assert!(self.is_finished());
        let wins = self.wins.make_read_only()?;
        Ok(Tables { layout: self.layout, variant: self.variant, wins })
    }
}
