//! Which positions some thread is searching.
//!
//! Threads of one proof share its memory, and all ask the same question. A
//! thread puts off a move that another thread is just searching, so that they
//! divide the tree between them; in the end it looks whether the answer has
//! come. This is ABDADA (Weill, "The ABDADA distributed minimax-search
//! algorithm", ICCA Journal 19(1), 1996), with the marks in a small table of
//! their own. A lost or foreign mark only changes who searches what.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::memory::Place;
use crate::mix::mix;

const SLOTS: usize = 1 << 10;

/// The marks of all threads.
pub(super) struct Busy {
    /// What is being searched, 0 for nothing; empty with a single thread.
    slots: Box<[AtomicU64]>,
    /// The fewest seeds in play of a position that is worth a mark.
    least: u32,
}

/// A position being searched, to be handed back.
#[must_use]
pub(super) struct Mark(Option<u64>);

impl Busy {
    /// Marks for `threads`, for positions with at least `least` seeds in play.
    pub fn new(threads: usize, least: u32) -> Self {
        let slots = if threads > 1 { SLOTS } else { 0 };
        let least = if threads > 1 { least } else { u32::MAX };
        Self { slots: (0..slots).map(|_| AtomicU64::new(0)).collect(), least }
    }

    /// Marks a position as being searched.
    #[inline]
    pub fn enter(&self, place: Option<Place>, in_play: u32) -> Mark {
        let key = self.key(place, in_play);
        if let Some(key) = key {
            self.slots[slot(key)].store(key, Relaxed);
        }
        Mark(key)
    }

    /// Whether a position is being searched.
    #[inline]
    pub fn holds(&self, place: Option<Place>, in_play: u32) -> bool {
        self.key(place, in_play).is_some_and(|key| self.slots[slot(key)].load(Relaxed) == key)
    }

    /// Takes a mark away, unless another one has replaced it.
    #[inline]
    pub fn leave(&self, mark: Mark) {
        if let Mark(Some(key)) = mark {
            let slot = &self.slots[slot(key)];
            if slot.load(Relaxed) == key {
                slot.store(0, Relaxed);
            }
        }
    }

    /// Takes all marks away: a thread that was stopped leaves its own behind.
    pub fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.store(0, Relaxed));
    }

    #[inline]
    fn key(&self, place: Option<Place>, in_play: u32) -> Option<u64> {
        if in_play < self.least { None } else { place.map(|place| mix(place.bits()) | 1) }
    }
}

#[inline]
fn slot(key: u64) -> usize {
    (key >> 32) as usize % SLOTS
}
