//! The generalised sequential probability ratio test, for stopping a match.
//!
//! Two hypotheses about the Elo difference, H0: `elo0` and H1: `elo1`, are compared by
//! their log-likelihood ratio. The likelihood of a hypothesis is that of its most likely
//! distribution of pair scores (Van den Bergh, "A practical introduction to the GSPRT";
//! "Comments on Normalized Elo", section 4). The test ends when the ratio leaves the bounds
//! of Wald, "Sequential Tests of Statistical Hypotheses" (1945).

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ConfigError;

use super::pairs::{Distribution, NORMALISED_UNIT, Pentanomial, SCORES, score, score_of_elo};

/// The largest difference, in Elo of either model, that a hypothesis may state.
const MAX_ELO: f64 = 2000.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EloModel {
    /// Elo of the mean score.
    Logistic,
    /// The mean score's excess over one half in units of a game's standard deviation. The
    /// number of games that a test takes then does not depend on the share of draws.
    #[default]
    Normalized,
}

impl EloModel {
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Logistic => "Elo",
            Self::Normalized => "normalised Elo",
        }
    }
}

/// A test of "the first player is better by `elo1`" against "better by `elo0`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 is true.
    pub(crate) alpha: f64,
    /// The probability of accepting H0 when H1 is true.
    pub(crate) beta: f64,
    pub(crate) model: EloModel,
}

/// The decision of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// More games are needed.
    Open,
    /// The difference is `elo0`.
    AcceptH0,
    /// The difference is `elo1`.
    AcceptH1,
}

impl Sprt {
    /// Checks the range and order of the hypotheses and the range of the error probabilities.
    pub(crate) fn checked(self) -> Result<Self, ConfigError> {
        let Self { elo0, elo1, alpha, beta, .. } = self;
        // Far outside this range, the scores expected under a hypothesis round to 0 or 1.
        let range = -MAX_ELO..=MAX_ELO;
        if !(range.contains(&elo0) && range.contains(&elo1) && elo0 < elo1) {
            return Err(ConfigError(format!(
                "expected elo0 < elo1, both from -{MAX_ELO} to {MAX_ELO}, got {elo0} and {elo1}"
            )));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(ConfigError(format!(
                "expected alpha and beta above 0 and their sum below 1, got {alpha} and {beta}"
            )));
        }
        Ok(self)
    }

    /// Wald's bounds: the log-likelihood ratio below which H0 is accepted, and the one above
    /// which H1 is.
    pub(crate) fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The logarithm of the likelihood of H1 over that of H0; 0 without pairs.
    pub(crate) fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let seen = pairs.distribution();
        let h0 = self.most_likely(&seen, self.elo0);
        let h1 = self.most_likely(&seen, self.elo1);
        // The same replacement of zero as in `Pentanomial::distribution`.
        let counts = pairs.0.iter().map(|&count| (count as f64).max(1e-3));
        counts.zip(h0.0.iter().zip(&h1.0)).map(|(count, (h0, h1))| count * (h1 / h0).ln()).sum()
    }

    /// The most likely distribution if the difference is `elo`.
    fn most_likely(&self, seen: &Distribution, elo: f64) -> Distribution {
        match self.model {
            EloModel::Logistic => {
                let mean = score_of_elo(elo);
                tilted(seen, &std::array::from_fn(|index| score(index) - mean))
            }
            // A pair's mean score has the standard deviation of a game divided by √2.
            EloModel::Normalized => {
                most_likely_with_effect(seen, elo / NORMALISED_UNIT * std::f64::consts::SQRT_2)
            }
        }
    }

    pub(crate) fn verdict(&self, llr: f64) -> SprtVerdict {
        let [lower, upper] = self.bounds();
        match llr {
            llr if llr <= lower => SprtVerdict::AcceptH0,
            llr if llr >= upper => SprtVerdict::AcceptH1,
            _ => SprtVerdict::Open,
        }
    }
}

impl FromStr for Sprt {
    type Err = ConfigError;

    /// Parses words `key=value`; the defaults are `elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized`.
    fn from_str(words: &str) -> Result<Self, ConfigError> {
        let mut sprt =
            Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::default() };
        for word in words.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let number = match key {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                "model" => {
                    sprt.model = match value {
                        "normalized" | "normalised" => EloModel::Normalized,
                        "logistic" => EloModel::Logistic,
                        _ => return Err(unknown(word)),
                    };
                    continue;
                }
                _ => return Err(unknown(word)),
            };
            *number = value.parse().map_err(|_| unknown(word))?;
        }
        sprt.checked()
    }
}

fn unknown(word: &str) -> ConfigError {
    ConfigError(format!(
        "expected elo0=, elo1=, alpha= or beta= with a number, or model=normalized|logistic, \
         got '{word}'"
    ))
}

/// The most likely distribution whose mean lies `effect` standard deviations above one
/// half, given the observed one.
///
/// The condition is not linear in the probabilities, so it is linearised at the previous
/// solution until the solution converges. The linearised condition can be met from a start
/// that meets the condition itself and, because the excess is a convex function of the
/// distribution if `effect` is positive and a concave one if it is negative, from every
/// solution after it. Fishtest starts from the uniform distribution, from which a large
/// effect is out of reach.
fn most_likely_with_effect(seen: &Distribution, effect: f64) -> Distribution {
    const ITERATIONS: usize = 50;
    let mut likely = nearest_with_effect(seen, effect);
    for _ in 0..ITERATIONS {
        let mean = likely.mean();
        let deviation = likely.variance().sqrt();
        let moments = std::array::from_fn(|index| {
            let score = score(index);
            let z = (mean - score) / deviation;
            score - 0.5 - effect * deviation * (1.0 + z * z) / 2.0
        });
        let next = tilted(seen, &moments);
        let change = next.0.iter().zip(&likely.0).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        likely = next;
        if change < 1e-12 {
            break;
        }
    }
    likely
}

/// How far the mean lies above the one that `effect` demands.
fn excess(likely: &Distribution, effect: f64) -> f64 {
    likely.mean() - 0.5 - effect * likely.variance().sqrt()
}

/// The observed distribution, with as many pairs replaced by won or lost ones as it takes for
/// its mean to lie `effect` standard deviations above one half.
fn nearest_with_effect(seen: &Distribution, effect: f64) -> Distribution {
    let is_short = excess(seen, effect) < 0.0;
    let extreme = if is_short { SCORES - 1 } else { 0 };
    let mut mixed = *seen;
    let mut low = 0.0;
    let mut high = 1.0;
    for _ in 0..60 {
        let share = (low + high) / 2.0;
        mixed = Distribution(seen.0.map(|seen| seen * (1.0 - share)));
        mixed.0[extreme] += share;
        if (excess(&mixed, effect) < 0.0) == is_short { low = share } else { high = share }
    }
    mixed
}

/// The most likely distribution under which `moments` have mean zero. By the method of
/// Lagrange multipliers, each observed probability is divided by `1 + x * moment`, with the
/// only `x` that satisfies the condition.
fn tilted(seen: &Distribution, moments: &[f64; SCORES]) -> Distribution {
    let max = moments.iter().copied().fold(f64::MIN, f64::max);
    let min = moments.iter().copied().fold(f64::MAX, f64::min);
    // Between the poles, the mean falls monotonically from +∞ to -∞, so bisection finds its
    // only zero.
    let mut low = -1.0 / max;
    let mut high = -1.0 / min;
    // Ends early once no number lies between the bounds.
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        let moments = seen.0.iter().zip(moments);
        let mean: f64 =
            moments.map(|(share, moment)| share * moment / (1.0 + middle * moment)).sum();
        if mean > 0.0 { low = middle } else { high = middle }
    }
    let x = (low + high) / 2.0;
    Distribution(std::array::from_fn(|index| seen.0[index] / (1.0 + x * moments[index])))
}

#[cfg(test)]
mod tests {
    use super::super::pairs::close;
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// The figures are from fastchess's test suite (`sprt_test.cpp`), which demands agreement
    /// within 1 %, and from numerical maximisation of the constrained likelihood (SciPy's
    /// SLSQP), which uses none of the formulas here.
    #[test]
    fn ratios_agree_with_published_ones_and_with_numerical_maximisation() {
        use EloModel::{Logistic, Normalized};
        for (pairs, elo0, elo1, model, llr, tolerance) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25, 0.0225),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01, 0.0301),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07, 0.0307),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98, 0.0498),
            ([10, 50, 200, 80, 20], 0.0, 5.0, Logistic, 1.8523567960895662, 2e-5),
            ([10, 50, 200, 80, 20], 0.0, 5.0, Normalized, 1.1415865456502274, 2e-5),
            ([34, 54, 63, 64, 75], 0.5, 2.5, Logistic, 0.5448121945984781, 2e-5),
            ([34, 54, 63, 64, 75], -1.75, 0.25, Normalized, 0.5514973311311451, 2e-5),
            ([5, 20, 50, 40, 9], 0.0, 5.0, Logistic, 0.7827383402687076, 2e-5),
            ([5, 20, 50, 40, 9], 0.0, 5.0, Normalized, 0.5530897283305194, 2e-5),
            ([0, 0, 0, 0, 104], 0.0, 5.0, Normalized, 2.09495452765384, 2e-5),
        ] {
            close(sprt(elo0, elo1, model).llr(&Pentanomial(pairs)), llr, tolerance);
        }
    }

    #[test]
    fn every_ratio_is_finite_and_changes_its_sign_with_the_sides() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            for (elo0, elo1) in [(0.0, 5.0), (0.0, 400.0), (-2000.0, 2000.0), (399.0, 400.0)] {
                for place in 0..SCORES {
                    for (count, other) in [(1, 0), (30, 0), (100_000, 0), (30, 1)] {
                        let mut pairs = [0; SCORES];
                        pairs[place] = count;
                        pairs[(place + 2) % SCORES] += other;
                        let llr = sprt(elo0, elo1, model).llr(&Pentanomial(pairs));
                        assert!(llr.is_finite(), "{model:?} {elo0} {elo1} {pairs:?}: {llr}");
                        pairs.reverse();
                        let swapped = sprt(-elo1, -elo0, model).llr(&Pentanomial(pairs));
                        close(swapped, -llr, 1e-5 * llr.abs().max(1.0));
                    }
                }
            }
        }
    }

    #[test]
    fn equal_pairs_decide_a_wide_test() {
        let test = sprt(0.0, 400.0, EloModel::Normalized);
        for (place, verdict) in
            [SprtVerdict::AcceptH0; 3].into_iter().chain([SprtVerdict::AcceptH1; 2]).enumerate()
        {
            let mut pairs = [0; SCORES];
            pairs[place] = 20;
            assert_eq!(test.verdict(test.llr(&Pentanomial(pairs))), verdict, "{pairs:?}");
        }
        assert!("elo0=0 elo1=2001".parse::<Sprt>().is_err());
        assert!("elo0=NaN".parse::<Sprt>().is_err());
    }

    /// Logarithms computed in Python from Wald's formulas; with different error probabilities, the
    /// bounds are not symmetric.
    #[test]
    fn the_bounds_are_walds_and_belong_to_the_decision() {
        for (alpha, beta, lower, upper) in [
            (0.05, 0.05, -2.944_438_979_166_44, 2.944_438_979_166_44),
            (0.01, 0.2, -1.599_387_576_580_599, 4.382_026_634_673_881),
            (0.2, 0.01, -4.382_026_634_673_881, 1.599_387_576_580_599),
        ] {
            let words = format!("elo0=-1 elo1=4 alpha={alpha} beta={beta} model=logistic");
            let test: Sprt = words.parse().unwrap();
            assert_eq!(test, Sprt { alpha, beta, ..sprt(-1.0, 4.0, EloModel::Logistic) });
            let bounds = test.bounds();
            close(bounds[0], lower, 1e-12);
            close(bounds[1], upper, 1e-12);
            assert_eq!(test.verdict(bounds[0]), SprtVerdict::AcceptH0);
            assert_eq!(test.verdict(bounds[0] + 1e-9), SprtVerdict::Open);
            assert_eq!(test.verdict(bounds[1] - 1e-9), SprtVerdict::Open);
            assert_eq!(test.verdict(bounds[1]), SprtVerdict::AcceptH1);
        }
    }

    #[test]
    fn clear_results_are_decided_and_small_samples_are_not() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let test = sprt(0.0, 10.0, model);
            assert_eq!(test.verdict(test.llr(&Pentanomial::default())), SprtVerdict::Open);
            assert_eq!(test.verdict(test.llr(&Pentanomial([0, 2, 5, 3, 1]))), SprtVerdict::Open);
            assert_eq!(
                test.verdict(test.llr(&Pentanomial([50, 200, 500, 300, 150]))),
                SprtVerdict::AcceptH1
            );
            assert_eq!(
                test.verdict(test.llr(&Pentanomial([150, 300, 500, 200, 50]))),
                SprtVerdict::AcceptH0
            );
        }
    }
}
