//! How sure a saving is.

use crate::sys::random::SplitMix64;
use crate::sys::statistics::{Estimate, deviation};

/// Samples drawn for a standard error.
const RESAMPLES: usize = 400;

/// By how many percent `sum(costs)` is below `sum(baseline)`; the error is that
/// of the bootstrap (Efron, Annals of Statistics 7, 1979) over the members,
/// which are positions or games. `NaN` if the baseline is nothing.
pub(crate) fn saving(costs: &[f64], baseline: &[f64]) -> Estimate {
    assert_eq!(costs.len(), baseline.len(), "a cost for each member");
    let percent = |cost: f64, base: f64| 100.0 * (1.0 - cost / base);
    let value = percent(costs.iter().sum(), baseline.iter().sum());
    if costs.len() < 2 {
        return Estimate { value, error: 0.0 };
    }
    // The same members each time: savings under one condition compare better.
    let mut random = SplitMix64::new(costs.len() as u64);
    let mut resampled = || {
        let (mut cost, mut base) = (0.0, 0.0);
        for _ in 0..costs.len() {
            let member = random.below(costs.len());
            cost += costs[member];
            base += baseline[member];
        }
        percent(cost, base)
    };
    let values: Vec<f64> = (0..RESAMPLES).map(|_| resampled()).collect();
    Estimate { value, error: deviation(&values) }
}

/// The middle of a sample; of an even number, the lower of the two.
pub(crate) fn median(sample: &mut [f64]) -> f64 {
    sample.sort_by(f64::total_cmp);
    sample.get(sample.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saving_is_that_of_the_sums_and_is_sure_if_all_members_save_alike() {
        let alike = saving(&[5.0, 50.0], &[10.0, 100.0]);
        assert!((alike.value - 50.0).abs() < 1e-9 && alike.error < 1e-9, "{alike:?}");
        let unlike = saving(&[5.0, 100.0], &[10.0, 100.0]);
        assert!(unlike.error > 1.0 && unlike.value > 4.0, "{unlike:?}");
        assert_eq!(saving(&[1.0], &[2.0]), Estimate { value: 50.0, error: 0.0 });
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert!(median(&mut []).is_nan());
    }
}
