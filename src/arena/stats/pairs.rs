//! Results of pairs of games, and the strength that is estimated from them.

/// Two-sided 95 % of a normal distribution lie within this many deviations.
pub(crate) const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of a player whose mean score is one deviation (of a single
/// game) above one half: 800 / ln 10.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Half points of a pair: 0, ½, 1, 1½ or 2 points for the first player.
pub(super) const SCORES: usize = 5;

/// How many pairs gave the first player 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// The scores a game, 0 to 1, each with its share of the pairs.
    ///
    /// Counts of zero are taken for a thousandth of a pair, as Fishtest does:
    /// what has not been seen yet is not impossible.
    pub(super) fn distribution(&self) -> Distribution {
        let counts = self.0.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        Distribution(counts.map(|count| count / total))
    }
}

/// Probabilities of the scores 0, ¼, ½, ¾ and 1 a game.
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

/// The score a game of a pair with this many half points.
pub(super) fn score(half_points: usize) -> f64 {
    half_points as f64 / (SCORES - 1) as f64
}

/// The logistic Elo difference that gives a mean score of `score`, 0 to 1;
/// infinite at its ends.
fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The mean score that a logistic Elo difference gives.
pub(super) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The first player's strength as estimated from pairs of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The mean score of the first player, 0 to 1.
    pub score: f64,
    /// The standard error of `score`.
    pub score_error: f64,
    /// The logistic Elo difference; infinite if one player got every point.
    pub elo: f64,
    /// The ends of its 95 % interval.
    pub elo_interval: [f64; 2],
    /// Normalised Elo: how many games it takes to see the difference.
    pub normalised: f64,
    /// Half the width of its 95 % interval.
    pub normalised_error: f64,
    /// How likely it is that the first player is the stronger one, 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// The estimate from some pairs; none without pairs.
    pub(crate) fn of(pairs: &Pentanomial) -> Option<Self> {
        let count = pairs.pairs() as f64;
        if count == 0.0 {
            return None;
        }
        let seen = Distribution(pairs.0.map(|pairs| pairs as f64 / count));
        let mean = seen.mean();
        let mut variance = seen.variance();
        if variance == 0.0 {
            // Equal pairs do not prove that there is no spread: one virtual pair with
            // every score equally likely gives them a little.
            let share = 1.0 / SCORES as f64;
            let smoothed = pairs.0.map(|pairs| (pairs as f64 + share) / (count + 1.0));
            variance = Distribution(smoothed).variance();
        }
        let error = (variance / count).sqrt();
        // The deviation of a game, if the games of a pair were independent.
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

    /// Half the width of the 95 % interval of Elo.
    pub fn elo_error(&self) -> f64 {
        (self.elo_interval[1] - self.elo_interval[0]) / 2.0
    }
}

/// The distribution function of the standard normal distribution.
fn normal_cdf(deviations: f64) -> f64 {
    libm::erfc(-deviations / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
pub(super) fn close(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of fastchess's test suite (`elo_test.cpp`), which gives them
    /// to two places.
    #[test]
    fn estimates_agree_with_those_that_fastchess_publishes() {
        for (pairs, elo, error, normalised, normalised_error) in [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65),
        ] {
            let estimate = Strength::of(&Pentanomial(pairs)).unwrap();
            close(estimate.elo, elo, 0.01);
            close(estimate.elo_error(), error, 0.01);
            close(estimate.normalised, normalised, 0.01);
            close(estimate.normalised_error, normalised_error, 0.01);
        }
    }

    /// Reference values computed with SciPy's normal distribution.
    #[test]
    fn estimates_agree_with_independently_computed_ones() {
        for (pairs, elo, low, high, superiority) in [
            (
                [223, 9863, 21279, 10037, 246],
                0.9176431827536934,
                -0.2887156269640222,
                2.1240241191863936,
                0.9320046373687363,
            ),
            (
                [10, 50, 200, 80, 20],
                24.166368988662185,
                9.384824605286797,
                39.03583016198762,
                0.9993296794413853,
            ),
            (
                [5, 20, 50, 40, 9],
                39.39456049720454,
                10.47371397030827,
                68.87075678177206,
                0.9962481107555426,
            ),
        ] {
            let estimate = Strength::of(&Pentanomial(pairs)).unwrap();
            close(estimate.elo, elo, 1e-9);
            close(estimate.elo_interval[0], low, 1e-7);
            close(estimate.elo_interval[1], high, 1e-7);
            close(estimate.superiority, superiority, 1e-9);
        }
    }

    #[test]
    fn few_pairs_that_are_all_alike_prove_little() {
        let one = Strength::of(&Pentanomial([0, 0, 0, 0, 1])).unwrap();
        assert!(one.superiority < 0.95 && one.elo_interval[0] < 0.0, "{one:?}");
        assert!(one.normalised.abs() < 1000.0, "{one:?}");
    }

    #[test]
    fn extremes_have_no_finite_elo_and_nothing_has_none() {
        assert_eq!(Strength::of(&Pentanomial::default()), None);
        let all = Strength::of(&Pentanomial([0, 0, 0, 0, 9])).unwrap();
        assert_eq!(all.elo, f64::INFINITY);
        assert!(all.superiority > 0.99);
        let even = Strength::of(&Pentanomial([0, 0, 9, 0, 0])).unwrap();
        assert_eq!(even.elo, 0.0);
        close(even.superiority, 0.5, 1e-12);
        assert!(even.elo_error() > 0.0);
    }
}
