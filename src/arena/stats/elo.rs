//! Elo differences and how sure they are.

use super::{Distribution, Pentanomial};

/// Two-sided 95 % of a normal distribution lie within this many deviations.
const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of a player whose mean score is one deviation (of a single
/// game) above one half: 800 / ln 10.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The logistic Elo difference that gives a mean score of `score`, 0 to 1;
/// infinite at its ends.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The mean score that a logistic Elo difference gives.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// What pairs of games say about the first player's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean score of the first player, 0 to 1.
    pub score: f64,
    /// Its standard error.
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

impl Estimate {
    /// The estimate from some pairs; none from no pairs.
    pub fn of(pairs: &Pentanomial) -> Option<Self> {
        let count = pairs.pairs() as f64;
        if count == 0.0 {
            return None;
        }
        let seen = Distribution(pairs.0.map(|pairs| pairs as f64 / count));
        let mean = seen.mean();
        // A spread that has not been seen yet is not therefore nothing.
        let variance = match seen.variance() {
            0.0 => pairs.distribution().variance(),
            variance => variance,
        };
        let error = (variance / count).sqrt();
        // The deviation of a game, if the games of a pair were independent.
        let deviation = (2.0 * variance).sqrt();
        let end = |deviations: f64| elo_of_score((mean + deviations * error).clamp(0.0, 1.0));
        Some(Self {
            score: mean,
            score_error: error,
            elo: elo_of_score(mean),
            elo_interval: [end(-DEVIATIONS_95), end(DEVIATIONS_95)],
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
mod tests {
    use super::*;

    fn close(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "got {got}, expected {expected}");
    }

    /// The figures of fastchess's test suite (`elo_test.cpp`), which gives them
    /// to two places.
    #[test]
    fn estimates_agree_with_those_that_fastchess_publishes() {
        for (pairs, elo, error, normalised, normalised_error) in [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65),
        ] {
            let estimate = Estimate::of(&Pentanomial(pairs)).unwrap();
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
            let estimate = Estimate::of(&Pentanomial(pairs)).unwrap();
            close(estimate.elo, elo, 1e-9);
            close(estimate.elo_interval[0], low, 1e-7);
            close(estimate.elo_interval[1], high, 1e-7);
            close(estimate.superiority, superiority, 1e-9);
        }
    }

    #[test]
    fn swapping_the_players_mirrors_the_estimate() {
        let pairs = [3, 10, 25, 14, 8];
        let mut swapped = pairs;
        swapped.reverse();
        let [one, other] = [pairs, swapped].map(|p| Estimate::of(&Pentanomial(p)).unwrap());
        close(one.elo, -other.elo, 1e-9);
        close(one.superiority, 1.0 - other.superiority, 1e-9);
        close(one.elo_error(), other.elo_error(), 1e-9);
    }

    #[test]
    fn extremes_have_no_finite_elo_and_nothing_has_none() {
        assert_eq!(Estimate::of(&Pentanomial::default()), None);
        let all = Estimate::of(&Pentanomial([0, 0, 0, 0, 9])).unwrap();
        assert_eq!(all.elo, f64::INFINITY);
        assert!(all.superiority > 0.99);
        let even = Estimate::of(&Pentanomial([0, 0, 9, 0, 0])).unwrap();
        assert_eq!(even.elo, 0.0);
        close(even.superiority, 0.5, 1e-12);
        assert!(even.elo_error() > 0.0);
    }
}
