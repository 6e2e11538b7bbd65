//! Maximisation of a function that is only known with noise, and only by the
//! difference of two points: simultaneous perturbation stochastic approximation
//! (SPSA: Spall, "Implementation of the simultaneous perturbation algorithm for
//! stochastic optimization", IEEE Transactions on Aerospace and Electronic
//! Systems 34(3), 1998). It knows nothing of searches and games.

use std::ops::RangeInclusive;

use crate::sys::random::SplitMix64;

/// One number that is tuned, with its range and first step.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its value before the first games.
    pub start: f64,
    /// It is never outside.
    pub range: RangeInclusive<f64>,
    /// How far both points of the last iteration are from the middle.
    pub step: f64,
}

/// The schedule. With k from 0 and steps as units, the points of iteration k are
/// c / (k + 1)^gamma from the middle, which moves along the estimated gradient
/// times a / (A + k + 1)^alpha.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// N: both points are compared so many times.
    pub iterations: u32,
    /// Steps that the middle moves by in the last iteration, on each axis, for a
    /// difference of 1; this chooses a.
    pub last_move: f64,
    /// Seed of the generator that draws the directions.
    pub seed: u64,
}

/// The exponents that Spall advises for a finite sample, and A as a share of N.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const STABILITY: f64 = 0.1;

/// The point at which a function seems greatest. `difference` receives the
/// iteration and two points, and says by how much the first one's value is above
/// the second one's; `report` receives each iteration's new middle.
pub fn maximise(
    axes: &[Axis],
    schedule: Schedule,
    mut difference: impl FnMut(u32, &[f64], &[f64]) -> f64,
    mut report: impl FnMut(&[f64]),
) -> Vec<f64> {
    let last = f64::from(schedule.iterations);
    let stability = STABILITY * last;
    let mut random = SplitMix64::new(schedule.seed);
    let mut middle: Vec<f64> = axes.iter().map(|axis| axis.start).collect();
    for k in 0..schedule.iterations {
        let now = f64::from(k + 1);
        // Both are 1 in the last iteration: c and a, divided by what they are there.
        let width = (last / now).powf(GAMMA);
        let gain = ((stability + last) / (stability + now)).powf(ALPHA);
        let signs: Vec<f64> =
            axes.iter().map(|_| if random.below(2) == 0 { -1.0 } else { 1.0 }).collect();
        let moved = |middle: &[f64], steps: f64| -> Vec<f64> {
            let places = axes.iter().zip(&signs).zip(middle);
            let place = |((axis, sign), from): ((&Axis, &f64), &f64)| {
                (from + steps * sign * axis.step).clamp(*axis.range.start(), *axis.range.end())
            };
            places.map(place).collect()
        };
        let found = difference(k, &moved(&middle, width), &moved(&middle, -width));
        middle = moved(&middle, schedule.last_move * gain * found / width);
        report(&middle);
    }
    middle
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes() -> Vec<Axis> {
        let axis = |start, step| Axis { start, range: 0.0..=100.0, step };
        vec![axis(20.0, 2.0), axis(90.0, 5.0), axis(50.0, 1.0), axis(5.0, 3.0)]
    }

    /// Greatest at 60, 40, 50 and, outside the range, -10.
    fn value(point: &[f64]) -> f64 {
        let best = [60.0, 40.0, 50.0, -10.0];
        let far = point.iter().zip(best).zip(axes());
        -far.map(|((at, best), axis)| ((at - best) / axis.step).powi(2)).sum::<f64>() / 100.0
    }

    fn found(seed: u64, noise: f64) -> Vec<f64> {
        let schedule = Schedule { iterations: 2_000, last_move: 0.5, seed };
        let mut random = SplitMix64::new(seed + 1);
        let difference = |_, plus: &[f64], minus: &[f64]| {
            assert!(plus.iter().chain(minus).all(|at| (0.0..=100.0).contains(at)));
            value(plus) - value(minus) + noise * (random.unit() - 0.5)
        };
        maximise(&axes(), schedule, difference, |_| ())
    }

    #[test]
    fn a_quadratic_function_with_noise_is_maximised_within_the_range() {
        for noise in [0.0, 1.0] {
            let point = found(7, noise);
            let best = [60.0, 40.0, 50.0, 0.0];
            for ((at, best), axis) in point.iter().zip(best).zip(axes()) {
                assert!((at - best).abs() < (1.0 + 2.0 * noise) * axis.step, "{point:?}");
            }
        }
    }

    #[test]
    fn the_seed_decides_the_way() {
        assert_eq!(found(1, 1.0), found(1, 1.0));
        assert_ne!(found(1, 1.0), found(2, 1.0));
    }
}
