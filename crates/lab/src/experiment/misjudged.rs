//! How often the move that minimax rejects is the better one, because a static evaluation has an
//! error: the example of Russell and Norvig, "Artificial Intelligence: A Modern Approach", in
//! the section on the limits of alpha-beta, which Yu's slides repeat.

use std::f64::consts::TAU;

use kalah_sys::random::SplitMix64;
use kalah_tables::statistics::Estimate;

/// The estimates of the leaves below the two moves. Min replies, so that minimax rejects the first
/// move, which looks like 99, for the second, which looks like 100.
const REJECTED: [f64; 4] = [99.0, 1000.0, 1000.0, 1000.0];
const CHOSEN: [f64; 4] = [100.0, 101.0, 102.0, 100.0];

const TRIALS: u32 = 2_000_000;

/// Percent of trials in which the rejected move is the better one, if the true value of each leaf
/// is its estimate plus an independent normal error with this standard deviation. The chosen move
/// has four leaves near its value, and one of them is likely to be bad.
pub fn misjudged(deviation: f64, seed: u64) -> Estimate {
    let mut random = SplitMix64::new(seed);
    let wrong = (0..TRIALS).filter(|_| {
        let [rejected, chosen] = [REJECTED, CHOSEN].map(|estimates| {
            let values = estimates.map(|estimate| estimate + deviation * normal(&mut random));
            values.into_iter().fold(f64::INFINITY, f64::min)
        });
        rejected > chosen
    });
    let wrong = wrong.count();
    // The standard error of a share is that of a binomial distribution.
    let (share, trials) = (wrong as f64 / f64::from(TRIALS), f64::from(TRIALS));
    Estimate { value: 100.0 * share, error: 100.0 * (share * (1.0 - share) / trials).sqrt() }
}

/// A sample of the standard normal distribution, by Box and Muller's method.
fn normal(random: &mut SplitMix64) -> f64 {
    // `unit` may return 0 but not 1, so the logarithm is finite.
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (TAU * random.unit()).cos()
}
