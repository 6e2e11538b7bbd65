//! Elo and its error from pairs of games, against other programs and small computations.

use kalah_game::Side;
use kalah_record::{Ending, Outcome, Reason};
use serde_json::Value;

use super::close;
use super::counting::figures;

/// The strength of `a` from the numbers of pairs that gave it 0 to 4 half points.
fn strength(counts: [u64; 5]) -> Value {
    let pairs: Vec<u32> =
        (0..).zip(counts).flat_map(|(points, count)| (0..count).map(move |_| points)).collect();
    let ending = |index: usize, first: Side| {
        // The first game of a pair gets the larger half.
        let points = pairs[index / 2];
        let own = if index.is_multiple_of(2) { points.div_ceil(2) } else { points / 2 };
        Some(match own {
            1 => {
                Ending { outcome: Outcome::Draw, reason: Reason::Time, margin: None, detail: None }
            }
            0 => Ending::lost_by(first, Reason::Time, None),
            _ => Ending::lost_by(first.other(), Reason::Time, None),
        })
    };
    let (_, pairing) = figures(pairs.len() as u32, None, ending);
    assert_eq!(pairing["pentanomial"], serde_json::json!(counts));
    pairing["strength"].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The figures are from fastchess's test suite (`elo_test.cpp`), with two decimal places.
#[test]
fn estimates_agree_with_those_that_fastchess_publishes() {
    for (pairs, elo, error, normalised, normalised_error) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
        ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
    ] {
        let estimate = strength(pairs);
        let [low, high] = [0, 1].map(|end| number(&estimate["elo_interval"][end]));
        close(number(&estimate["elo"]), elo, 0.01);
        close((high - low) / 2.0, error, 0.01);
        close(number(&estimate["normalised"]), normalised, 0.01);
        close(number(&estimate["normalised_error"]), normalised_error, 0.01);
    }
}

/// Reference values computed with SciPy's normal distribution.
#[test]
fn estimates_agree_with_independently_computed_ones() {
    for (pairs, elo, low, high, superiority) in [
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
        let estimate = strength(pairs);
        close(number(&estimate["elo"]), elo, 1e-9);
        close(number(&estimate["elo_interval"][0]), low, 1e-7);
        close(number(&estimate["elo_interval"][1]), high, 1e-7);
        close(number(&estimate["superiority"]), superiority, 1e-9);
    }
}

#[test]
fn few_pairs_or_extremes_prove_little() {
    assert_eq!(strength([0, 0, 0, 0, 1]), Value::Null);
    // With a virtual pair, spread evenly over the five scores, the variance of equal pairs is
    // 7/72.
    let two = strength([0, 0, 0, 0, 2]);
    close(number(&two["elo_interval"][0]), 47.452_783_831, 1e-6);
    close(number(&two["normalised"]), 393.954_923_960, 1e-6);
    close(number(&two["superiority"]), 0.988_328_899, 1e-6);
    // An infinite number is `null` in JSON.
    let all = strength([0, 0, 0, 0, 9]);
    assert!(all["elo"].is_null() && all["elo_interval"][1].is_null(), "{all}");
    assert!(number(&all["elo_interval"][0]) > 100.0 && number(&all["superiority"]) > 0.99);
    let even = strength([0, 0, 9, 0, 0]);
    assert_eq!((number(&even["elo"]), number(&even["score"])), (0.0, 0.5));
    assert!(number(&even["elo_interval"][0]) < 0.0 && number(&even["elo_interval"][1]) > 0.0);
    close(number(&even["superiority"]), 0.5, 1e-12);
}
