//! Results of pairs of games, and the strength estimated from them.

use serde::Serialize;

use kalah_tables::statistics::{DEVIATIONS_95, normal_cdf};

/// Normalised Elo of a player whose mean score is one standard deviation (of a single
/// game) above one half: 800 / ln 10.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Half points of a pair: 0, ½, 1, 1½ or 2 points for the first player.
pub(super) const SCORES: usize = 5;

/// The numbers of pairs that gave the first player 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Pentanomial(pub [u64; SCORES]);

impl Pentanomial {
    /// Counts a pair in which the first player got `half_points`, 0 to 4.
    pub(crate) fn add(&mut self, half_points: u32) {
        if let Some(count) = self.0.get_mut(half_points as usize) {
            *count += 1;
        }
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of the pairs for each score per game, 0 to 1.
    ///
    /// A count of zero is replaced by a thousandth of a pair, as in Fishtest: a score that
    /// has not occurred yet is not impossible, and its logarithm must be finite.
    pub(super) fn distribution(&self) -> Distribution {
        let counts = self.0.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        Distribution(counts.map(|count| count / total))
    }
}

/// Probabilities of the scores 0, ¼, ½, ¾ and 1 per game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution(pub(super) [f64; SCORES]);

impl Distribution {
    /// The score of each index, and its probability.
    pub(super) fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.0.into_iter().enumerate().map(|(index, share)| (score(index), share))
    }

    pub(super) fn mean(&self) -> f64 {
        self.points().map(|(score, share)| score * share).sum()
    }

    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.points().map(|(score, share)| share * (score - mean) * (score - mean)).sum()
    }
}

/// The variance to assume of `count` equal scores. They do not prove that there is no spread, and
/// a variance of 0 would make the result certain: one virtual pair, spread evenly over the scores,
/// is added.
pub(super) fn variance_of_equals(equal: f64, count: f64) -> f64 {
    let deviations = (0..SCORES).map(|index| score(index) - equal);
    let mean = deviations.clone().sum::<f64>() / SCORES as f64 / (count + 1.0);
    let square = deviations.map(|deviation| deviation * deviation).sum::<f64>() / SCORES as f64;
    square / (count + 1.0) - mean * mean
}

/// The score per game of a pair with this many half points.
pub(super) fn score(half_points: usize) -> f64 {
    half_points as f64 / (SCORES - 1) as f64
}

/// The logistic Elo difference that gives a mean score of `score`; infinite for 0 and 1.
pub(super) fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The mean score that a logistic Elo difference gives.
pub(super) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The first player's strength, estimated from pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// The mean score of the first player, 0 to 1.
    pub score: f64,
    /// The standard error of `score`.
    #[serde(rename = "score_standard_error")]
    pub score_error: f64,
    /// The logistic Elo difference; infinite if one player got every point.
    pub elo: f64,
    /// The ends of its 95 % interval; infinite if the interval of the score reaches 0 or 1.
    pub elo_interval: [f64; 2],
    /// Normalised Elo: the difference in units of a game's standard deviation, which
    /// determines how many games it takes to detect it.
    pub normalised: f64,
    /// Half the width of its 95 % interval.
    pub normalised_error: f64,
    /// The probability that the first player is the stronger one, 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// The estimate from some pairs; none without pairs.
    pub(crate) fn from_pairs(pairs: &Pentanomial) -> Option<Self> {
        let count = pairs.pairs() as f64;
        if count == 0.0 {
            return None;
        }
        let seen = Distribution(pairs.0.map(|pairs| pairs as f64 / count));
        let mean = seen.mean();
        let mut variance = seen.variance();
        if variance == 0.0 {
            variance = variance_of_equals(mean, count);
        }
        let error = (variance / count).sqrt();
        // The standard deviation of a game if the two games of a pair were independent.
        let deviation = (2.0 * variance).sqrt();
        let elo_interval = [-DEVIATIONS_95, DEVIATIONS_95]
            .map(|deviations| elo_of_score((mean + deviations * error).clamp(0.0, 1.0)));
        Some(Self {
            score: mean,
            score_error: error,
            elo: elo_of_score(mean),
            elo_interval,
            normalised: (mean - 0.5) / deviation * NORMALISED_UNIT,
            normalised_error: DEVIATIONS_95 / (2.0 * count).sqrt() * NORMALISED_UNIT,
            superiority: normal_cdf((mean - 0.5) / error),
        })
    }
}

#[cfg(test)]
pub(super) fn close(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected}");
}
