//! A number for every position: different positions, different numbers.
//!
//! With P_k the seeds in the first k + 1 of all 2m pits, the sums P_k + k rise
//! strictly, so that the combinatorial number system applies: the sum of
//! C(P_k + k, k + 1) over all k numbers the positions with at most n seeds from
//! 0 to C(n + 2m, 2m) - 1, without gaps. For 6 pits and 48 seeds that is 41
//! bits, so that a memory entry has room for the whole position.

use crate::endgame::{binomial, positions};
use crate::game::{Board, MAX_PITS, Pit, Row};

/// The most seeds in play that a position with a number may have: sums are
/// looked up by a byte.
const MOST_SEEDS: u32 = 255;

/// The numbering of the positions with a given number of pits a row.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// C(sum + k, k + 1) by k and sum.
    terms: Box<[[u64; MOST_SEEDS as usize + 1]; 2 * MAX_PITS]>,
    pits: usize,
    most: u32,
    bits: u32,
}

impl Numbering {
    /// Numbers positions with at most `most` seeds in play, or with fewer if
    /// their numbers would have more than `bits` (below 64) bits.
    pub fn new(pits: usize, most: u32, bits: u32) -> Self {
        let fits = |seeds: u32| positions(pits, seeds).is_some_and(|n| n <= 1 << bits);
        let most = (0..=most.min(MOST_SEEDS)).take_while(|&seeds| fits(seeds)).last().unwrap_or(0);
        let count = positions(pits, most).unwrap_or(1);
        let mut terms = Box::new([[0; MOST_SEEDS as usize + 1]; 2 * MAX_PITS]);
        for (k, terms) in terms.iter_mut().enumerate().take(2 * pits) {
            for (sum, term) in terms.iter_mut().enumerate().take(most as usize + 1) {
                *term = binomial((sum + k) as u32, k as u32 + 1).unwrap_or(u64::MAX);
            }
        }
        Self { terms, pits, most, bits: u64::BITS - (count - 1).leading_zeros() }
    }

    /// The most seeds in play that a numbered position has.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Bits that the highest number has.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of `board`, which has at most [`Numbering::most`] seeds.
    #[inline]
    pub fn of<R: Row>(&self, board: Board<R>) -> u64 {
        // The common widths are unrolled.
        match self.pits {
            6 => self.sum_terms::<R>(board, 6),
            5 => self.sum_terms::<R>(board, 5),
            4 => self.sum_terms::<R>(board, 4),
            pits => self.sum_terms::<R>(board, pits),
        }
    }

    #[inline(always)]
    fn sum_terms<R: Row>(&self, board: Board<R>, pits: usize) -> u64 {
        let own = board.own.prefix_sums();
        let opponent = board.opponent.prefix_sums();
        let own_seeds = own.count(Pit::new(pits - 1));
        let mut number = 0;
        for index in 0..pits {
            number += self.terms[index][own.count(Pit::new(index)) as usize & 255];
            let sum = own_seeds + opponent.count(Pit::new(index));
            number += self.terms[(pits + index) % (2 * MAX_PITS)][sum as usize & 255];
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_a_number_of_its_own_without_gaps() {
        let numbering = Numbering::new(2, 7, 62);
        let mut seen = vec![false; binomial(7 + 4, 4).unwrap() as usize];
        for code in 0..8u16.pow(4) {
            let counts: Vec<u16> = (0..4).map(|k| code >> (3 * k) & 7).collect();
            if counts.iter().sum::<u16>() <= 7 {
                let rows = [&counts[..2], &counts[2..]].map(u64::from_counts);
                let number = numbering.of(Board { own: rows[0], opponent: rows[1] });
                assert!(!std::mem::replace(&mut seen[number as usize], true), "{counts:?}");
            }
        }
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(numbering.bits(), 9);
    }

    #[test]
    fn boards_too_big_for_the_bits_are_numbered_up_to_fewer_seeds() {
        assert_eq!(Numbering::new(6, 48, 41).most(), 48);
        assert_eq!(Numbering::new(6, 48, 40).most(), 46);
        assert_eq!(Numbering::new(16, 1000, 45).most(), 18);
    }
}
