//! What the results of games mean: Elo, likelihood of superiority, SPRT, ratings.
//!
//! Games come in pairs from one opening with the sides swapped. The two games
//! of a pair depend on each other, so pairs are what is counted: by the five
//! scores that a pair can have, a [`Pentanomial`]. The formulas are from
//! Michel Van den Bergh, "A practical introduction to the GSPRT" and "Comments
//! on Normalized Elo" (2019-2020), which stand behind Fishtest too.
//!
//! Nothing here knows how games are played or stored.

mod elo;
mod ratings;
mod sprt;

pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use ratings::{Encounter, Rating, ratings};
pub use sprt::{Model, Sprt, SprtError, Verdict};

/// Half points of a pair: 0, ½, 1, 1½ or 2 points for the first player.
pub const SCORES: usize = 5;

/// How many pairs gave the first player 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; SCORES]);

impl Pentanomial {
    /// Counts a pair in which the first player got `half_points`, 0 to 4.
    pub fn add(&mut self, half_points: u32) {
        if let Some(count) = self.0.get_mut(half_points as usize) {
            *count += 1;
        }
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The scores a game, 0 to 1, each with its share of the pairs.
    ///
    /// Counts of zero are taken for a thousandth of a pair, as Fishtest does:
    /// what has not been seen yet is not impossible.
    fn distribution(&self) -> Distribution {
        let counts = self.0.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        Distribution(counts.map(|count| count / total))
    }
}

/// Probabilities of the scores 0, ¼, ½, ¾ and 1 a game.
#[derive(Clone, Copy, Debug)]
struct Distribution([f64; SCORES]);

impl Distribution {
    /// The score of each index, and its probability.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.0.into_iter().enumerate().map(|(index, share)| (score(index), share))
    }

    fn mean(&self) -> f64 {
        self.points().map(|(score, share)| score * share).sum()
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.points().map(|(score, share)| share * (score - mean) * (score - mean)).sum()
    }
}

/// The score a game of a pair with this many half points.
fn score(half_points: usize) -> f64 {
    half_points as f64 / (SCORES - 1) as f64
}
