//! Ratings of many players from all their games.
//!
//! The strengths maximise the likelihood of the logistic model of Bradley and Terry
//! (Biometrika 39, 1952), with a draw as half a win: each player's expected score equals
//! the score achieved. The errors do not rely on the model. They come from the spread of
//! the pairs themselves (the "sandwich" estimator of Huber 1967 and White 1980), so that
//! draws and the correlation within a pair narrow or widen them correctly. One virtual draw
//! against an average player keeps the rating of a player who won or lost every game finite.

use std::collections::BTreeMap;

use super::pairs::{elo_of_score, score_of_elo, variance_of_equals};
use kalah_tables::statistics::DEVIATIONS_95;

/// Units of natural-logarithm strength per Elo point.
const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// The games of one pair, or a single game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encounter {
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// Half points of the first player.
    pub(crate) half_points: u32,
    /// 2 for a pair, or 1.
    pub(crate) games: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    /// In Elo; the players' average is 0.
    pub(crate) elo: f64,
    /// The ends of the 95 % interval of `elo`; infinite if the interval of the score against the
    /// other players' average reaches 0 or 1. None for a player with fewer than two pairs.
    pub(crate) interval: Option<[f64; 2]>,
    pub(crate) points: f64,
    pub(crate) games: u32,
}

pub(crate) fn ratings(players: usize, encounters: &[Encounter]) -> Vec<Rating> {
    let strengths = strengths(players, encounters);
    let deviations = deviations(&strengths, encounters);
    let average = strengths.iter().sum::<f64>() / players.max(1) as f64;
    (0..players)
        .map(|player| {
            let (half_points, games) = totals(player, encounters);
            // A single pair has no spread.
            let plays = encounters.iter().filter(|e| [e.first, e.second].contains(&player));
            let several = plays.take(2).count() == 2;
            let elo = (strengths[player] - average) / PER_ELO;
            let deviation = deviations[player] / PER_ELO;
            let mut ends = interval(elo, deviation, players);
            if half_points == 0 {
                ends[0] = f64::NEG_INFINITY;
            }
            if half_points == 2 * games {
                ends[1] = f64::INFINITY;
            }
            Rating {
                elo,
                interval: if several { Some(ends) } else { None },
                points: f64::from(half_points) / 2.0,
                games,
            }
        })
        .collect()
}

/// The 95 % interval of a player's difference from the average of all players. It is symmetric in
/// the score expected against the average of the others, as it is for two players, and therefore
/// wider in Elo on the side away from zero.
fn interval(elo: f64, deviation: f64, players: usize) -> [f64; 2] {
    let from_others = players as f64 / (players as f64 - 1.0);
    let score = score_of_elo(elo * from_others);
    let slope = score * (1.0 - score) * PER_ELO;
    let half = DEVIATIONS_95 * deviation * from_others * slope;
    [score - half, score + half].map(|end| elo_of_score(end.clamp(0.0, 1.0)) / from_others)
}

fn totals(player: usize, encounters: &[Encounter]) -> (u32, u32) {
    encounters.iter().fold((0, 0), |(points, games), encounter| {
        if encounter.first == player {
            (points + encounter.half_points, games + encounter.games)
        } else if encounter.second == player {
            (points + 2 * encounter.games - encounter.half_points, games + encounter.games)
        } else {
            (points, games)
        }
    })
}

/// The first player's expected share of the points.
fn expected(strengths: &[f64], encounter: &Encounter) -> f64 {
    1.0 / (1.0 + (strengths[encounter.second] - strengths[encounter.first]).exp())
}

/// The first player's points in an encounter, minus the expected points.
fn surplus(strengths: &[f64], encounter: &Encounter) -> f64 {
    f64::from(encounter.half_points) / 2.0
        - f64::from(encounter.games) * expected(strengths, encounter)
}

/// The strengths that maximise the likelihood, found by Newton's method.
fn strengths(players: usize, encounters: &[Encounter]) -> Vec<f64> {
    let mut strengths = vec![0.0; players];
    for _ in 0..100 {
        // The gradient starts with each player's virtual draw against an average player.
        let mut gradient: Vec<f64> =
            strengths.iter().map(|r: &f64| 0.5 - 1.0 / (1.0 + (-r).exp())).collect();
        for encounter in encounters {
            let surplus = surplus(&strengths, encounter);
            gradient[encounter.first] += surplus;
            gradient[encounter.second] -= surplus;
        }
        let step = solve(information(&strengths, encounters), gradient);
        // Far from the maximum the likelihood is flat, and a full step would overshoot.
        let longest = step.iter().fold(0.0, |longest: f64, s| longest.max(s.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        for (strength, step) in strengths.iter_mut().zip(&step) {
            *strength += scale * step;
        }
        if longest < 1e-12 {
            break;
        }
    }
    strengths
}

/// The negative second derivative of the log-likelihood.
fn information(strengths: &[f64], encounters: &[Encounter]) -> Vec<Vec<f64>> {
    let players = strengths.len();
    let mut matrix = vec![vec![0.0; players]; players];
    for (player, strength) in strengths.iter().enumerate() {
        let share = 1.0 / (1.0 + (-strength).exp());
        matrix[player][player] = share * (1.0 - share);
    }
    for encounter in encounters {
        let share = expected(strengths, encounter);
        let weight = f64::from(encounter.games) * share * (1.0 - share);
        let Encounter { first, second, .. } = *encounter;
        matrix[first][first] += weight;
        matrix[second][second] += weight;
        matrix[first][second] -= weight;
        matrix[second][first] -= weight;
    }
    matrix
}

/// The standard deviation of each strength's difference from the average.
fn deviations(strengths: &[f64], encounters: &[Encounter]) -> Vec<f64> {
    let players = strengths.len();
    let information = information(strengths, encounters);
    let spreads = spreads(strengths, encounters);
    // The sandwich estimator: the variance of a player's difference from the average is the
    // sum over the encounters of (surplus × influence of the encounter on that difference)².
    (0..players)
        .map(|player| {
            let distance = (0..players)
                .map(|other| f64::from(u8::from(other == player)) - 1.0 / players as f64)
                .collect();
            let influence = solve(information.clone(), distance);
            let variance = spreads.iter().map(|(&(first, second), spread)| {
                spread * (influence[first] - influence[second]).powi(2)
            });
            variance.sum::<f64>().sqrt()
        })
        .collect()
}

/// The sum of the squared surpluses of each pairing. For equal results it is at least the sum that
/// [`variance_of_equals`] gives, because a model that fits them exactly proves nothing.
fn spreads(strengths: &[f64], encounters: &[Encounter]) -> BTreeMap<(usize, usize), f64> {
    let mut pairings: BTreeMap<_, Vec<&Encounter>> = BTreeMap::new();
    for encounter in encounters {
        pairings.entry((encounter.first, encounter.second)).or_default().push(encounter);
    }
    let spreads = pairings.into_iter();
    spreads.map(|(pairing, alike)| (pairing, spread(strengths, &alike))).collect()
}

/// The sum of the squared surpluses of the encounters of one pairing.
fn spread(strengths: &[f64], alike: &[&Encounter]) -> f64 {
    let squares: f64 = alike.iter().map(|e| surplus(strengths, e).powi(2)).sum();
    let Encounter { half_points, games, .. } = *alike[0];
    if alike.iter().any(|e| (e.half_points, e.games) != (half_points, games)) {
        return squares;
    }
    let count = alike.len() as f64;
    let score = f64::from(half_points) / 2.0 / f64::from(games);
    squares.max(count * f64::from(games).powi(2) * variance_of_equals(score, count))
}

/// Solves `matrix * x = vector` by Gaussian elimination. Pivoting is not needed because the
/// matrix is positive definite.
fn solve(mut matrix: Vec<Vec<f64>>, mut vector: Vec<f64>) -> Vec<f64> {
    let size = vector.len();
    for pivot in 0..size {
        for row in pivot + 1..size {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let (above, below) = matrix.split_at_mut(row);
            for (value, from) in below[0].iter_mut().zip(&above[pivot]).skip(pivot) {
                *value -= factor * from;
            }
            vector[row] -= factor * vector[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * vector[column]).sum();
        vector[row] = (vector[row] - known) / matrix[row][row];
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::super::pairs::{Pentanomial, Strength, close};
    use super::*;

    fn pairs(first: usize, second: usize, counts: [u64; 5]) -> Vec<Encounter> {
        (0..)
            .zip(counts)
            .flat_map(|(half_points, count)| {
                vec![Encounter { first, second, half_points, games: 2 }; count as usize]
            })
            .collect()
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_match() {
        let counts = [1000, 5000, 20_000, 8000, 2000];
        let ratings = ratings(2, &pairs(0, 1, counts));
        let strength = Strength::from_pairs(&Pentanomial(counts)).unwrap();
        close(ratings[0].elo - ratings[1].elo, strength.elo, 0.01);
        // Each player's distance from the average is half the difference.
        for (end, expected) in ratings[0].interval.unwrap().into_iter().zip(strength.elo_interval) {
            close(2.0 * end, expected, 0.01);
        }
    }

    /// Reference values from SciPy's BFGS on the likelihood, with errors from its numerically
    /// differentiated gradient.
    #[test]
    fn ratings_of_three_players_match_numerical_maximisation() {
        let mut encounters = pairs(0, 1, [2, 5, 20, 15, 8]);
        encounters.extend(pairs(0, 2, [0, 2, 10, 20, 18]));
        encounters.extend(pairs(1, 2, [4, 8, 16, 14, 8]));
        let ratings = ratings(3, &encounters);
        let reference = [(93.29398, 24.97442), (-9.84807, 26.24404), (-83.44591, 26.40211)];
        for (rating, (elo, error)) in ratings.iter().zip(reference) {
            close(rating.elo, elo, 1e-3);
            // The reference is symmetric in Elo.
            let [low, high] = rating.interval.unwrap();
            close((high - low) / 2.0, error, 0.01 * error);
        }
    }

    #[test]
    fn the_interval_of_a_player_who_won_everything_has_one_end() {
        let mut encounters = pairs(0, 1, [0, 0, 0, 0, 50]);
        encounters.extend(pairs(0, 2, [0, 0, 0, 0, 50]));
        encounters.extend(pairs(1, 2, [0, 0, 0, 0, 50]));
        let ratings = ratings(4, &encounters);
        let [first, second, third] =
            [0, 1, 2].map(|player: usize| ratings[player].interval.unwrap());
        assert!(ratings[0].elo > first[0] && first[0] > 100.0 && first[1] == f64::INFINITY);
        assert!(second[0] < ratings[1].elo && ratings[1].elo < second[1], "{second:?}");
        assert!(ratings[2].elo < third[1] && third[0] == f64::NEG_INFINITY, "{third:?}");
        assert_eq!((ratings[0].points, ratings[0].games), (200.0, 200));
        assert_eq!((ratings[3].points, ratings[3].games, ratings[3].interval), (0.0, 0, None));
    }

    #[test]
    fn a_game_informs_about_its_players_as_much_as_its_result_varies() {
        let strengths = [0.7, -0.2, 0.1];
        let variance = |one: f64, other: f64| {
            let share = 1.0 / (1.0 + (other - one).exp());
            share * (1.0 - share)
        };
        let mut encounters = pairs(0, 1, [1, 0, 2, 0, 0]);
        encounters.extend(pairs(1, 2, [0, 1, 0, 0, 0]));
        let matrix = information(&strengths, &encounters);
        for (one, other, games) in [(0, 1, 6.0), (1, 2, 2.0), (0, 2, 0.0)] {
            let expected = -games * variance(strengths[one], strengths[other]);
            close(matrix[one][other], expected, 1e-12);
            close(matrix[other][one], expected, 1e-12);
        }
        // Only the virtual draw against an average player says where all of them are.
        for (row, strength) in matrix.iter().zip(strengths) {
            close(row.iter().sum(), variance(strength, 0.0), 1e-12);
        }
    }

    #[test]
    fn equal_pairs_spread_as_in_a_match_of_two() {
        for half_points in 1..4 {
            let mut counts = [0; 5];
            counts[half_points] = 9;
            let encounters = pairs(0, 1, counts);
            let alike: Vec<&Encounter> = encounters.iter().collect();
            let spread = spread(&strengths(2, &encounters), &alike);
            let error = Strength::from_pairs(&Pentanomial(counts)).unwrap().score_error;
            // Of the points in 18 games.
            close(spread.sqrt(), 18.0 * error, 1e-9);
        }
    }

    #[test]
    fn equal_pairs_leave_two_and_three_players_the_same_uncertainty() {
        for counts in [[0, 0, 9, 0, 0], [0, 0, 0, 9, 0], [0, 0, 0, 0, 9]] {
            let expected = Strength::from_pairs(&Pentanomial(counts)).unwrap().elo_interval;
            let two = ratings(2, &pairs(0, 1, counts))[0].interval.unwrap();
            for (end, expected) in two.into_iter().zip(expected) {
                // The virtual draws move the rating of two players towards the average.
                assert!(2.0 * end == expected || (2.0 * end - expected).abs() < 40.0, "{two:?}");
            }
            let mut three = pairs(0, 1, counts);
            three.extend(pairs(1, 2, counts));
            assert!(ratings(3, &three).iter().all(|rating| {
                rating.interval.is_some_and(|[low, high]| low < rating.elo && rating.elo < high)
            }));
        }
    }
}
