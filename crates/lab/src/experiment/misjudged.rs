//! How often a static evaluation with an error prefers the worse of two moves: the
//! example of Russell and Norvig, "Artificial Intelligence: A Modern Approach", in the
//! section on the limits of alpha-beta, which Yu's slides repeat.

use std::f64::consts::TAU;

use kalah_report::statistics::Estimate;
use kalah_sys::random::SplitMix64;

/// The leaves below the two moves. Min replies, so the first move is worth 99, the second 100.
const WORSE: [f64; 4] = [99.0, 1000.0, 1000.0, 1000.0];
const BETTER: [f64; 4] = [100.0, 101.0, 102.0, 100.0];

const TRIALS: u32 = 2_000_000;

/// Percent of trials in which the worse move looks better, if each leaf has an
/// independent normal error with this standard deviation. The better move has four
/// leaves near its value, and one of them is likely to look bad.
pub fn misjudged(deviation: f64, seed: u64) -> Estimate {
    let mut random = SplitMix64::new(seed);
    let wrong = (0..TRIALS).filter(|_| {
        let [worse, better] = [WORSE, BETTER].map(|leaves| {
            let estimates = leaves.map(|leaf| leaf + deviation * normal(&mut random));
            estimates.into_iter().fold(f64::INFINITY, f64::min)
        });
        worse > better
    });
    let wrong = wrong.count();
    let (share, trials) = (wrong as f64 / f64::from(TRIALS), f64::from(TRIALS));
    Estimate { value: 100.0 * share, error: 100.0 * (share * (1.0 - share) / trials).sqrt() }
}

/// A sample of the standard normal distribution, by Box and Muller's method.
fn normal(random: &mut SplitMix64) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (TAU * random.unit()).cos()
}
