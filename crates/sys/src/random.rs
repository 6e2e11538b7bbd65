//! Reproducible pseudorandom numbers: [`SplitMix64`] and its finaliser [`mix`].
//!
//! `rand` does not promise a stable sequence for its small generators from one version
//! to the next. Here a seed must mean the same numbers on every machine and in
//! every version, because these depend on it: Zobrist keys, and so the bench signature;
//! the synthetic trees and samples that reports name by their seed; and the schedules of
//! matches that are resumed. Everything else uses `rand`.

use std::hash::{BuildHasher, RandomState};

use crate::clock::system_time;

/// The increment of SplitMix64: 2^64 over the golden ratio, made odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014): a bijection in which each bit of the input changes
/// about half of the output's bits.
#[inline]
pub const fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(GAMMA);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The number at `index`, from 0, in the sequence of `seed`.
#[inline]
pub const fn mix_nth(seed: u64, index: u64) -> u64 {
    mix(seed.wrapping_add(index.wrapping_mul(GAMMA)))
}

/// A seed that differs from call to call, for searches that need not be reproducible.
pub fn fresh_seed() -> u64 {
    // The keys differ from process to process, except without an operating system; there, the
    // clock differs.
    RandomState::new().hash_one(system_time())
}

/// A generator whose state is a counter.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts the sequence of `seed`.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of the sequence, uniform in all 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        number
    }

    /// A uniform number from 0 to `bound - 1`; the bias is below `bound` / 2^64.
    ///
    /// # Panics
    /// In debug builds, if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0);
        // The high word of a product: unlike a remainder it needs no division.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Puts `items` into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A uniform number from 0 (included) to 1 (excluded).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        // 53 bits, as many as an `f64` represents exactly.
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
