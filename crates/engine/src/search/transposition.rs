//! The transposition table: results of boards already searched.
//!
//! The table is shared by all threads without locks and without `unsafe`. An
//! entry is two atomic words, the second xored onto the first (Hyatt and
//! Mann, "A lockless transposition-table implementation", ICGA Journal 25(1),
//! 2002), so that a torn entry is missed rather than returned with wrong contents.
//!
//! ```text
//!  word 0   key of the board, xored with word 1
//!  word 1   value + 2^22  23 bits    hundredths of a seed, the mover's gain
//!           depth          9 bits    sowings looked ahead
//!           bound          2 bits    1 upper, 2 lower, 3 exact; 0 no entry
//!           proved         1 bit     the bound holds to the end of the game
//!           move           5 bits    0 none, otherwise the pit's index + 1
//!           generation     6 bits    which search wrote it
//!           evaluation    15 bits    0 none, otherwise the static evaluation + 2^14
//!           uncertainty    3 bits    that of the evaluation
//! ```
//!
//! Two boards with the same 64-bit key would be mistaken for each other. With 10^9 boards
//! stored during a game, this happens in about one probe in 10^10. As the move is checked
//! for legality, the worst consequence is a wrong value, perhaps marked as proved. The
//! solver does not use this table.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::Zeroable;

use kalah_game::{Depth, Pit, Score, Value, Window};
use kalah_sys::machine::MemoryError;
use kalah_sys::memory::{Reserved, prefetch};
use kalah_sys::parallel;
use kalah_sys::stop::{Flag, Stopped};

use super::node::NodeValue;
use super::parameters::Parameters;
use crate::evaluation::{Estimate, Uncertainty};

/// How a value relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// This is the true value.
    #[default]
    Exact,
}

impl Bound {
    /// How `value`, the result of a fail-soft search in `window`, bounds the true value.
    #[inline]
    pub(super) fn from_result<V: Score>(value: V, window: Window<V>) -> Self {
        if window.fails_low(value) {
            Bound::Upper
        } else if window.fails_high(value) {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// Whether the true value may be `guess` if `value` bounds it in this way.
    #[inline]
    pub(super) fn allows(self, value: Value, guess: Value) -> bool {
        match self {
            Bound::Exact => guess == value,
            Bound::Upper => guess <= value,
            Bound::Lower => guess >= value,
        }
    }

    /// Whether a value with this bound makes a search in `window` unnecessary.
    #[inline]
    pub(super) fn answers<V: Score>(self, value: V, window: Window<V>) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Upper => window.fails_low(value),
            Bound::Lower => window.fails_high(value),
        }
    }
}

/// The result of a search of one board, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TranspositionEntry {
    /// The mover's gain, to be read with `bound`.
    pub value: Value,
    /// How `value` relates to the true gain.
    pub bound: Bound,
    /// Number of sowings searched below the board.
    pub depth: Depth,
    /// Whether the bound holds to the end of the game, whatever the depth.
    pub proved: bool,
    /// The best move, or the one that caused a cutoff.
    pub best: Option<Pit>,
    /// The static evaluation of the board, if it was needed.
    pub estimate: Option<Estimate>,
}

impl TranspositionEntry {
    /// Whether the result is as good as that of a search to `depth`: at least as deep, or
    /// proved.
    #[inline]
    pub(super) fn reaches(&self, depth: Depth) -> bool {
        self.proved || self.depth >= depth
    }

    /// Whether the entry makes a search to `depth` in `window` unnecessary.
    #[inline]
    pub(super) fn cuts_off(&self, depth: Depth, window: Window<Value>) -> bool {
        self.reaches(depth) && self.bound.answers(self.value, window)
    }

    #[inline]
    pub(super) fn found(&self) -> NodeValue {
        NodeValue { value: self.value, proved: self.proved }
    }

    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let best = match self.best {
            Some(pit) => pit.index() as u64 + 1,
            None => 0,
        };
        let estimate = match self.estimate {
            Some(Estimate { value: Value(value), uncertainty })
                if value.abs() < ESTIMATE_OFFSET =>
            {
                (value + ESTIMATE_OFFSET) as u64 | u64::from(uncertainty.0) << ESTIMATE_BITS
            }
            _ => 0,
        };
        (self.value.0 + VALUE_OFFSET) as u64
            | u64::from(self.depth.0) << DEPTH_SHIFT
            | bound << BOUND_SHIFT
            | u64::from(self.proved) << PROVED_SHIFT
            | best << MOVE_SHIFT
            | u64::from(generation & GENERATIONS) << GENERATION_SHIFT
            | estimate << ESTIMATE_SHIFT
    }

    #[inline]
    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> BOUND_SHIFT & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            // Zeroed memory, as the system provides it, is an empty slot.
            _ => return None,
        };
        let best = (data >> MOVE_SHIFT & 31) as usize;
        Some(Self {
            value: Value((data & VALUE_MASK) as i32 - VALUE_OFFSET),
            bound,
            depth: Depth((data >> DEPTH_SHIFT & 511) as u16),
            proved: data >> PROVED_SHIFT & 1 == 1,
            best: if (1..=16).contains(&best) { Some(Pit::new(best - 1)) } else { None },
            estimate: match (data >> ESTIMATE_SHIFT & ESTIMATE_MASK) as i32 {
                0 => None,
                value => Some(Estimate {
                    value: Value(value - ESTIMATE_OFFSET),
                    uncertainty: Uncertainty((data >> UNCERTAINTY_SHIFT) as u8),
                }),
            },
        })
    }
}

/// More than the seeds of any board.
const VALUE_OFFSET: i32 = 1 << 22;
const VALUE_MASK: u64 = (1 << 23) - 1;
const DEPTH_SHIFT: u32 = 23;
const BOUND_SHIFT: u32 = 32;
const PROVED_SHIFT: u32 = 34;
const MOVE_SHIFT: u32 = 35;
const GENERATION_SHIFT: u32 = 40;
const GENERATIONS: u8 = 63;
const ESTIMATE_SHIFT: u32 = 46;
const UNCERTAINTY_SHIFT: u32 = 64 - Uncertainty::BITS;
const ESTIMATE_BITS: u32 = UNCERTAINTY_SHIFT - ESTIMATE_SHIFT;
const ESTIMATE_MASK: u64 = (1 << ESTIMATE_BITS) - 1;
/// Evaluations of this size, which need more than 163 seeds in play, are not stored.
const ESTIMATE_OFFSET: i32 = 1 << (ESTIMATE_BITS - 1);

#[derive(Debug, Zeroable)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline]
    fn read(&self) -> (u64, u64) {
        // Relaxed loads suffice: if the two words come from different writes, the xor does
        // not yield the key.
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    #[inline]
    fn write(&self, key: u64, data: u64) {
        // If another thread writes between the two stores, the words no longer match and the
        // entry is not found: a lost entry only costs time.
        self.data.store(data, Relaxed);
        self.check.store(key ^ data, Relaxed);
    }
}

/// The four slots of a cache line, so that a probe costs at most one cache miss. A board's
/// entry is in one of them.
#[derive(Debug, Zeroable)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// Number of buckets that a thread clears between two checks for a stop: 4 MiB.
const CLEARED_AT_ONCE: usize = 1 << 16;

/// The transposition table, shared by all threads.
///
/// Its memory is reserved immediately but written only before the first search:
/// writing gigabytes takes seconds, during which a session should remain responsive.
#[derive(Debug)]
pub struct TranspositionTable {
    /// Unset until they are written.
    buckets: OnceLock<Box<[Bucket]>>,
    /// The memory, until it is written. Locked while the table is prepared.
    reserved: Mutex<Option<Reserved<Bucket>>>,
    /// The size of the table in MiB.
    pub(crate) mebibytes: usize,
    /// Whether all entries must be removed before the next use.
    is_stale: AtomicBool,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A prepared table of `mebibytes` MiB, at least one.
    ///
    /// # Errors
    /// If the system refuses the allocation. An allocation that it grants but
    /// cannot back is not detected here: compare with
    /// [`available_memory`](kalah_sys::machine::available_memory) first.
    pub fn new(mebibytes: usize) -> Result<Self, MemoryError> {
        let table = Self::reserve(mebibytes)?;
        table.prepare(&Flag::default(), 1).expect("the flag is never raised");
        Ok(table)
    }

    /// A table that must be prepared before it is used.
    pub(crate) fn reserve(mebibytes: usize) -> Result<Self, MemoryError> {
        let len = mebibytes.max(1).saturating_mul(1 << 20) / size_of::<Bucket>();
        Ok(Self {
            buckets: OnceLock::new(),
            reserved: Mutex::new(Some(Reserved::new(len)?)),
            mebibytes: (len * size_of::<Bucket>()) >> 20,
            is_stale: AtomicBool::new(false),
            generation: AtomicU8::new(0),
        })
    }

    /// Removes all entries before the next use.
    pub(crate) fn clear_later(&self) {
        self.is_stale.store(self.is_written(), Relaxed);
    }

    /// Whether the reserved memory has been written and is therefore occupied.
    pub(crate) fn is_written(&self) -> bool {
        self.buckets.get().is_some()
    }

    /// Whether [`TranspositionTable::prepare`] returns immediately.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_written() && !self.is_stale.load(Relaxed)
    }

    /// Writes the table or removes its entries, if necessary, on up to `threads` threads:
    /// most of the time is spent by the system on providing the pages.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised before the table is ready.
    pub(crate) fn prepare(&self, stop: &Flag, threads: usize) -> Result<(), Stopped> {
        let mut reserved = self.reserved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(memory) = reserved.take() {
            match memory.zeroed_unless(stop, threads) {
                Ok(buckets) => drop(self.buckets.set(buckets)),
                Err(memory) => *reserved = Some(memory),
            }
        }
        let buckets = self.buckets.get().ok_or(Stopped)?;
        if self.is_stale.load(Relaxed) {
            let chunks = buckets.chunks(CLEARED_AT_ONCE);
            parallel::for_each_unless(stop, threads, chunks, |buckets| {
                for slot in buckets.iter().flat_map(|bucket| &bucket.0) {
                    slot.write(0, 0);
                }
            })?;
            self.generation.store(0, Relaxed);
            self.is_stale.store(false, Relaxed);
        }
        Ok(())
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        self.buckets.get().expect("a prepared table")
    }

    /// Starts a new generation of entries: older ones are replaced first.
    pub(super) fn start_search(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of the product spreads keys evenly over any size.
        let buckets = self.buckets();
        &buckets[((u128::from(key) * buckets.len() as u128) >> 64) as usize]
    }

    /// Prefetches the bucket of `key`.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// The entry of the board with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<TranspositionEntry> {
        let slots = self.bucket(key).0.iter().map(Slot::read);
        slots
            .filter(|&(found, _)| found == key)
            .find_map(|(_, data)| TranspositionEntry::unpack(data))
    }

    /// Stores `entry` in place of the board's old entry or, if it has none, of the least
    /// valuable one in its bucket: shallow and old ones go first (compare Breuker et al.,
    /// "Replacement schemes for transposition tables", ICCA Journal 17(4),
    /// 1994). Keeping the deeper of a board's two entries gained nothing
    /// (`doc/lab/strength.md`): the newer one is for the window that is being searched.
    #[inline]
    pub(super) fn store(&self, key: u64, mut entry: TranspositionEntry, parameters: Parameters) {
        let generation = self.generation.load(Relaxed) & GENERATIONS;
        let mut least = (i32::MAX, &self.bucket(key).0[0]);
        for slot in &self.bucket(key).0 {
            let (found, data) = slot.read();
            let old = TranspositionEntry::unpack(data);
            if found == key
                && let Some(old) = old
            {
                // If the new entry has no move, the old one still orders the moves.
                entry.best = entry.best.or(old.best);
                least.1 = slot;
                break;
            }
            let worth = worth(old, data, generation, parameters);
            if worth < least.0 {
                least = (worth, slot);
            }
        }
        least.1.write(key, entry.pack(generation));
    }

    /// How full the table is with entries of the current search, in permille,
    /// estimated from its first buckets.
    pub(super) fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed) & GENERATIONS;
        let sample = &self.buckets()[..self.buckets().len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let data = slots.map(|slot| slot.data.load(Relaxed));
        let current = data.filter(|&data| {
            TranspositionEntry::unpack(data).is_some() && generation_of(data) == generation
        });
        (current.count() * 1000 / (4 * sample.len())) as u32
    }
}

#[inline]
fn generation_of(data: u64) -> u8 {
    (data >> GENERATION_SHIFT) as u8 & GENERATIONS
}

/// The value of keeping an entry rather than others in its bucket, in sowings of depth: more for
/// a proof, because it holds at any depth, and less with each later search.
#[inline]
fn worth(
    entry: Option<TranspositionEntry>,
    data: u64,
    generation: u8,
    parameters: Parameters,
) -> i32 {
    let Some(entry) = entry else { return i32::MIN };
    // Modulo 64: an entry from 64 searches ago looks new, which only delays its replacement.
    let age = generation.wrapping_sub(generation_of(data)) & GENERATIONS;
    let proof = parameters.table_proof() * i32::from(entry.proved);
    i32::from(entry.depth.0) + proof - parameters.table_age() * i32::from(age)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u16) -> TranspositionEntry {
        TranspositionEntry {
            value: Value(value),
            bound: Bound::Exact,
            depth: Depth(depth),
            proved: false,
            best: Some(Pit::new(15)),
            estimate: None,
        }
    }

    #[test]
    fn stored_entries_can_be_read_back() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, value) in [(1, -3_276_700), (u64::MAX, 3_276_700), (0, 0)] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                let stored = TranspositionEntry { bound, proved: value > 0, ..entry(value, 500) };
                table.store(key, stored, Parameters::IN_USE);
                assert_eq!(table.probe(key), Some(stored));
            }
        }
        for (value, kept) in [(0, true), (16_383, true), (-16_383, true), (16_384, false)] {
            let uncertainty = Uncertainty::of_error(Value(value));
            let estimate = Some(Estimate { value: Value(value), uncertainty });
            let stored = TranspositionEntry { estimate, ..entry(50, 6) };
            table.store(0, stored, Parameters::IN_USE);
            let expected = if kept { estimate } else { None };
            assert_eq!(table.probe(0).unwrap().estimate, expected);
        }
        assert_eq!(table.probe(2), None);
        table.store(0, TranspositionEntry { best: None, ..entry(50, 6) }, Parameters::IN_USE);
        assert_eq!(table.probe(0), Some(entry(50, 6)), "the old move is kept");
    }

    #[test]
    fn a_table_is_written_and_cleared_when_it_is_next_needed_unless_stopped() {
        let (go_on, stop) = (Flag::default(), Flag::default());
        stop.raise();
        let table = TranspositionTable::reserve(1).unwrap();
        assert_eq!(table.prepare(&stop, 2), Err(Stopped));
        table.clear_later();
        assert!(!table.is_written() && !table.is_ready());
        assert_eq!(table.prepare(&go_on, 2), Ok(()));
        assert!(table.is_ready());
        table.store(1, entry(0, 5), Parameters::IN_USE);
        table.clear_later();
        assert_eq!(table.prepare(&stop, 2), Err(Stopped));
        assert!(table.is_written() && !table.is_ready());
        assert_eq!(table.prepare(&go_on, 2), Ok(()));
        assert!(table.is_ready() && table.probe(1).is_none());
    }

    #[test]
    fn a_torn_entry_is_not_recognised() {
        let slot = Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) };
        slot.write(7, entry(100, 3).pack(0));
        slot.data.store(entry(200, 3).pack(0), Relaxed);
        assert_ne!(slot.read().0, 7);
    }

    #[test]
    fn shallow_and_old_entries_give_way_to_new_ones() {
        let table = TranspositionTable::new(1).unwrap();
        // Keys that differ only in their low bits share a bucket.
        for key in 0..4 {
            table.store(key, entry(0, 10 + key as u16), Parameters::IN_USE);
        }
        table.store(4, entry(0, 1), Parameters::IN_USE);
        assert_eq!(table.probe(0), None, "the shallowest entry is replaced");
        for _ in 0..9 {
            table.start_search();
        }
        table.store(5, entry(0, 1), Parameters::IN_USE);
        table.store(6, entry(0, 1), Parameters::IN_USE);
        assert!(table.probe(5).is_some() && table.probe(6).is_some());
    }

    #[test]
    fn a_bound_cuts_off_if_it_decides_the_window_and_is_deep_enough() {
        for value in -3..=3 {
            for (alpha, beta) in [(-1, 0), (0, 1), (-2, 2)] {
                let window = Window::new(Value(alpha), Value(beta));
                for (bound, decides) in [
                    (Bound::Exact, true),
                    (Bound::Upper, value <= alpha),
                    (Bound::Lower, value >= beta),
                ] {
                    for (depth, proved) in [(4, false), (5, false), (6, false), (0, true)] {
                        let entry = TranspositionEntry { bound, proved, ..entry(value, depth) };
                        let is_deep = depth >= 5 || proved;
                        assert_eq!(
                            entry.cuts_off(Depth(5), window),
                            decides && is_deep,
                            "{entry:?}"
                        );
                    }
                    if bound != Bound::Exact && decides {
                        assert_eq!(Bound::from_result(Value(value), window), bound);
                    }
                }
                let is_inside = alpha < value && value < beta;
                let result = Bound::from_result(Value(value), window);
                assert_eq!(result == Bound::Exact, is_inside, "{value} in {window:?}");
            }
        }
    }

    /// The entry that gives way to a new one in a full bucket: a proof counts eight sowings, and each
    /// search since then takes four away.
    #[test]
    fn the_entry_of_the_least_worth_is_replaced() {
        let proof = |depth| TranspositionEntry { proved: true, ..entry(0, depth) };
        for (older, newer, replaced) in [
            ([entry(0, 13), entry(0, 14)], [proof(2), entry(0, 11)], 0),
            ([entry(0, 15), entry(0, 14)], [proof(2), entry(0, 11)], 1),
            ([entry(0, 15), entry(0, 16)], [proof(2), entry(0, 11)], 2),
            ([entry(0, 15), entry(0, 16)], [proof(3), entry(0, 10)], 3),
            ([proof(6), entry(0, 16)], [proof(3), entry(0, 12)], 0),
        ] {
            let table = TranspositionTable::new(1).unwrap();
            (0..).zip(older).for_each(|(key, entry)| table.store(key, entry, Parameters::IN_USE));
            table.start_search();
            (2..).zip(newer).for_each(|(key, entry)| table.store(key, entry, Parameters::IN_USE));
            table.store(4, entry(0, 1), Parameters::IN_USE);
            let missing: Vec<u64> = (0..5).filter(|&key| table.probe(key).is_none()).collect();
            assert_eq!(missing, [replaced]);
        }
    }

    #[test]
    fn fullness_counts_the_entries_of_this_search_in_permille() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!((table.mebibytes, table.hashfull()), (1, 0));
        // The first 250 of 16,384 buckets are counted: 1,000 slots.
        let bucket = u64::MAX / 16_384 + 1;
        for key in [0, 1, 249 * bucket, 250 * bucket, u64::MAX] {
            table.store(key, entry(0, 5), Parameters::IN_USE);
        }
        assert_eq!(table.hashfull(), 3);
        table.start_search();
        assert_eq!(table.hashfull(), 0);
        table.store(1, entry(0, 5), Parameters::IN_USE);
        assert_eq!(table.hashfull(), 1);
    }
}
