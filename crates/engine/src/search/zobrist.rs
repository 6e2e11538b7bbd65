//! Zobrist keys of boards (Zobrist, "A new hashing method with application for
//! game playing", 1970): one random word per place and content, combined by xor.
//!
//! A key depends only on the pits, from the point of view of the player to move, and on
//! the variant: the width of the board and its capture rule.

use once_cell::sync::Lazy;

use kalah_game::{Board, Row, Sowing};
use kalah_sys::random::mix;

/// Bytes of the widest row.
const BYTES: usize = 32;

/// A word for each row, byte of the row and content; 0 for an empty byte.
type RandomWords = [[[u64; 256]; BYTES]; 2];

static WORDS: Lazy<Box<RandomWords>> = Lazy::new(|| {
    let mut words = Box::new([[[0; 256]; BYTES]; 2]);
    let contents = words.iter_mut().flatten().flat_map(|byte| &mut byte[1..]);
    for (index, word) in contents.enumerate() {
        *word = mix(index as u64);
    }
    words
});

/// Computes keys. Holds the random words, so that computing a key need not check whether
/// they are initialised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zobrist {
    words: &'static RandomWords,
    /// The key of an empty board. It differs between games that may share a table.
    empty: u64,
}

impl Zobrist {
    /// The keys of the game that `sowing` plays.
    pub(super) fn new<R: Row>(sowing: &Sowing<R>) -> Self {
        // Wide rows number their bytes differently, so their keys must not be those of
        // narrow rows.
        let wide = u64::from(R::BYTES > 8);
        let code = u64::from(sowing.variant().code());
        // Bits 1 to 5 are taken by the pits and bit 6 by the width, so a code has bit 0 and the
        // bits above.
        let game = ((code >> 1) << 7) | (wide << 6) | (2 * sowing.pits() as u64) | (code & 1);
        Self { words: &WORDS, empty: mix(u64::MAX - game) }
    }

    /// The keys of searches by players below full strength. They share no entries with full
    /// searches, from which weak levels would learn what they should misjudge.
    pub(super) fn below_full_strength(self) -> Self {
        Self { empty: mix(self.empty), ..self }
    }

    /// The key of `board`. Different boards may share one: with n boards the
    /// chance that any two do is about n^2 / 2^65. It is computed from scratch rather than
    /// updated with each sowing: keys take only 1 % of a search (`doc/lab/strength.md`).
    #[inline]
    pub(super) fn key<R: Row>(self, board: Board<R>) -> u64 {
        // The words of the mover's row differ from those of the opponent's, so the same rows
        // with the other player to move have a different key.
        let [own, opponent] = self.words;
        let mut key = self.empty;
        board.own.for_each_byte(|byte, content| key ^= own[byte][usize::from(content)]);
        board.opponent.for_each_byte(|byte, content| key ^= opponent[byte][usize::from(content)]);
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Capture, Variant, Wide};
    use std::collections::HashMap;

    fn boards<R: Row>() -> impl Iterator<Item = Board<R>> {
        (0u16..1 << 12).map(|n| {
            let counts = [n & 7, n >> 3 & 7, n >> 6 & 7, n >> 9];
            Board { own: R::from_counts(&counts[..2]), opponent: R::from_counts(&counts[2..]) }
        })
    }

    fn keys_differ<R: Row>(seen: &mut HashMap<u64, String>) {
        for variant in Variant::all().filter(|variant| [2, 3].contains(&variant.pits())) {
            let zobrist = Zobrist::new(&Sowing::<R>::new(variant));
            for board in boards::<R>() {
                for (keys, of) in [(zobrist, "full"), (zobrist.below_full_strength(), "level")] {
                    let name = format!("{board:?} {variant} {of}");
                    assert_eq!(seen.insert(keys.key(board), name), None);
                }
            }
        }
    }

    #[test]
    fn small_boards_of_all_games_have_distinct_keys() {
        let mut seen = HashMap::new();
        keys_differ::<u64>(&mut seen);
        keys_differ::<Wide>(&mut seen);
        // Two widths of rows, two numbers of pits, and both kinds of keys.
        assert_eq!(seen.len(), (2 * 2 * 2 * Capture::ALL.len()) << 12);
    }
}
