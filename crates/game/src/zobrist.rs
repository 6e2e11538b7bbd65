//! Zobrist keys of boards (Zobrist, "A new hashing method with application for
//! game playing", 1970): one random word per place and content, combined by xor.
//!
//! A key depends only on the pits, from the point of view of the player to move, and on
//! the variant: the width of the board and its capture rule. Keys are the same on every machine and
//! in every version.
//!
//! ```
//! use kalah_game::zobrist::{RandomWords, Zobrist};
//! use kalah_game::{Position, Rules};
//!
//! let words = RandomWords::new();
//! let start = Position::start(Rules::default());
//! let zobrist = Zobrist::new::<u64>(&words, start.variant());
//! assert_eq!(zobrist.key(start.board::<u64>()), zobrist.key(start.mirrored().board::<u64>()));
//! ```

use alloc::boxed::Box;

use super::board::Board;
use super::row::Row;
use super::rules::Variant;

/// Bytes of the widest row.
const BYTES: usize = 32;

/// A word for each row, byte of the row and content; 0 for an empty byte. Programs compute them
/// once.
#[derive(Clone, Debug)]
pub struct RandomWords(Box<[[[u64; 256]; BYTES]; 2]>);

impl RandomWords {
    /// The words, which are always the same.
    pub fn new() -> Self {
        let mut words = Box::new([[[0; 256]; BYTES]; 2]);
        let contents = words.iter_mut().flatten().flat_map(|byte| &mut byte[1..]);
        for (index, word) in contents.enumerate() {
            *word = mix(index as u64);
        }
        Self(words)
    }
}

impl Default for RandomWords {
    fn default() -> Self {
        Self::new()
    }
}

/// Computes the keys of the boards of one variant.
#[derive(Clone, Copy, Debug)]
pub struct Zobrist<'w> {
    words: &'w RandomWords,
    /// The key of an empty board. It differs between games that may share a table.
    empty: u64,
}

impl<'w> Zobrist<'w> {
    /// The keys of the boards of `variant` that are packed into rows of type `R`.
    pub fn new<R: Row>(words: &'w RandomWords, variant: Variant) -> Self {
        // Wide rows number their bytes differently, so their keys must not be those of
        // narrow rows.
        let wide = u64::from(R::BYTES > 8);
        let code = u64::from(variant.code());
        // Bits 1 to 5 are taken by the pits and bit 6 by the width, so a code has bit 0 and the
        // bits above.
        let game = ((code >> 1) << 7) | (wide << 6) | (2 * variant.pits() as u64) | (code & 1);
        Self { words, empty: mix(u64::MAX - game) }
    }

    /// Keys for entries of the same table that must not be confused with those of
    /// [`Zobrist::new`].
    #[must_use]
    pub fn separate(self) -> Self {
        Self { empty: mix(self.empty), ..self }
    }

    /// The key of `board`. Different boards may share one: with n boards the
    /// chance that any two do is about n^2 / 2^65. It is computed from scratch rather than
    /// updated with each sowing: keys take only 1 % of a search (`doc/lab/strength.md`).
    #[inline]
    pub fn key<R: Row>(self, board: Board<R>) -> u64 {
        // The words of the mover's row differ from those of the opponent's, so the same rows
        // with the other player to move have a different key.
        let [own, opponent] = &*self.words.0;
        let mut key = self.empty;
        board.own.for_each_byte(|byte, content| key ^= own[byte][usize::from(content)]);
        board.opponent.for_each_byte(|byte, content| key ^= opponent[byte][usize::from(content)]);
        key
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014). The keys, and so the bench signature, depend on it.
const fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
