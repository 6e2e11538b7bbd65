use kalah_sys::random::SplitMix64;
use kalah_tables::statistics::{Estimate, Statistic, mean, median, student_beyond, wilson};

fn sampled(sample: &[f64]) -> Statistic {
    Statistic::mean(sample.iter().copied())
}

fn saving(costs: &[f64], baseline: &[f64]) -> Estimate {
    sampled(costs).saved(&sampled(baseline)).estimate()
}

#[test]
fn a_saving_compares_sums_and_is_exact_if_all_members_save_alike() {
    let alike = saving(&[5.0, 50.0], &[10.0, 100.0]);
    assert!((alike.value - 50.0).abs() < 1e-9 && alike.error < 1e-6, "{alike:?}");
    let unlike = saving(&[5.0, 100.0], &[10.0, 100.0]);
    assert!(unlike.error > 1.0 && unlike.value > 4.0, "{unlike:?}");
    assert_eq!(saving(&[1.0], &[2.0]), Estimate { value: 50.0, error: 0.0 });
}

#[test]
fn the_error_of_a_ratio_matches_the_bootstrap() {
    let mut random = SplitMix64::new(7);
    let baseline: Vec<f64> = (0..200).map(|_| 10.0 + random.below(100) as f64).collect();
    let costs: Vec<f64> =
        baseline.iter().map(|base| base * (0.5 + random.below(100) as f64 / 100.0)).collect();
    let resampled = (0..2000).map(|_| {
        let members = (0..200).map(|_| random.below(200));
        let sums = members.fold((0.0, 0.0), |sum, nth| (sum.0 + costs[nth], sum.1 + baseline[nth]));
        100.0 * (1.0 - sums.0 / sums.1)
    });
    let spread = Statistic::mean(resampled).estimate();
    let bootstrap = spread.error * 2000f64.sqrt();
    let error = sampled(&costs).saved(&sampled(&baseline)).estimate().error;
    assert!((error / bootstrap - 1.0).abs() < 0.1, "{error} and {bootstrap}");
}

#[test]
fn the_difference_of_two_statistics_keeps_their_correlation() {
    let (low, high) = (sampled(&[1.0, 5.0, 9.0]), sampled(&[2.0, 6.0, 10.0]));
    let difference = high.with(&low, |high, low| high - low).estimate();
    assert!((difference.value - 1.0).abs() < 1e-9 && difference.error < 1e-6);
    let apart = high.estimate().with(low.estimate(), |high, low| high - low);
    assert!((apart.error - high.estimate().error * 2f64.sqrt()).abs() < 1e-6, "{apart:?}");
}

#[test]
fn mean_and_median() {
    let mean = mean(&[1.0, 2.0, 3.0]);
    assert_eq!(mean.value, 2.0);
    assert!((mean.error - 1.0 / 3f64.sqrt()).abs() < 1e-12);
    assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&mut [4.0, 3.0, 1.0, 2.0]), 2.0, "the lower of the middle two");
    assert!(median(&mut []).is_nan());
}

#[test]
fn students_t_has_the_quantiles_of_textbooks() {
    // The quantiles for 97.5 % in the tables of every textbook.
    for (freedom, quantile) in
        [(1, 12.706), (2, 4.303), (5, 2.571), (9, 2.262), (30, 2.042), (49, 2.010), (1000, 1.962)]
    {
        let chance = student_beyond(quantile, freedom);
        assert!((chance - 0.05).abs() < 1e-4, "{freedom} degrees: {chance}");
    }
    // Half of all samples are nearer to 0.
    for (freedom, quartile) in [(1, 1.0), (5, 0.727), (9, 0.703), (30, 0.683)] {
        let chance = student_beyond(quartile, freedom);
        assert!((chance - 0.5).abs() < 1e-3, "{freedom} degrees: {chance}");
    }
    assert!((student_beyond(63.657, 1) - 0.01).abs() < 1e-6);
    assert!((student_beyond(4.604, 4) - 0.01).abs() < 1e-5);
    assert!((student_beyond(0.0, 7) - 1.0).abs() < 1e-12);
}

#[test]
fn shares_have_wilsons_bounds() {
    // Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", 2001.
    for (hits, of, low, high) in
        [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
    {
        let bounds = wilson(hits, of);
        assert!((bounds.0 - low).abs() < 1e-4 && (bounds.1 - high).abs() < 1e-4, "{bounds:?}");
    }
}
