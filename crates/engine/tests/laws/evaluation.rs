//! The network of the static evaluation.

use std::collections::BTreeSet;
use std::ops::Range;

use kalah_engine::evaluation::network::inputs::{BUCKETS, Inputs, MAX_PITS};
use kalah_engine::evaluation::network::{Activation, NEURONS, Network, RealOutput, RealWeights};
use kalah_engine::evaluation::{Evaluation, FeatureWeights, Uncertainty, terms};
use kalah_game::{Board, Capture, Pit, Position, Row, Side, Value};
use kalah_sys::random::SplitMix64;

fn board(text: &str) -> Board<u64> {
    Position::parse(text, Capture::Standard).unwrap().board()
}

/// The inputs of a board that are on, and the first ones of the groups where none is on.
fn on_or_absent(inputs: Inputs, board: Board<u64>) -> Vec<usize> {
    let on: BTreeSet<usize> = inputs.of(board).iter().copied().map(usize::from).collect();
    let of_group = |group: Range<usize>| {
        let found: Vec<usize> = on.range(group.clone()).copied().collect();
        assert!(found.len() <= 1 && !found.contains(&group.start), "{group:?}: {on:?}");
        found.first().copied().unwrap_or(group.start)
    };
    inputs.groups().map(of_group).collect()
}

#[test]
fn each_group_of_inputs_has_one_that_is_on_or_stands_for_none() {
    for pits in 1..=MAX_PITS {
        let inputs = Inputs::new(pits);
        assert_eq!(
            inputs.groups().count(),
            2 * (pits + 3),
            "a pit each, and three more for each row"
        );
        let ends = inputs.groups().map(|group| group.end);
        let starts = inputs.groups().map(|group| group.start);
        assert!(std::iter::once(0).chain(ends).eq(starts.chain([inputs.len()])), "{pits} pits");
        let own = [3, 0, 25, 1, 0, 2, 9, 1];
        let opponent = [1, 0, 2, 0, 30, 0, 1, 5];
        let row = |counts: [u16; 8]| u64::from_counts(&counts[..pits]);
        let board = Board { own: row(own), opponent: row(opponent) };
        let found = on_or_absent(inputs, board);
        let counts = own[..pits].iter().chain(&opponent[..pits]);
        let of_pits = found[..pits].iter().chain(&found[pits + 3..][..pits]);
        let groups: Vec<_> = inputs.groups().collect();
        let of_pits = of_pits
            .map(|input| input - groups.iter().find(|group| group.contains(input)).unwrap().start);
        assert!(of_pits.eq(counts.map(|&seeds| usize::from(seeds).min(19))), "{found:?}");
    }
}

#[test]
fn weights_of_what_is_absent_belong_to_the_bias() {
    let inputs = Inputs::new(6);
    let mut random = SplitMix64::new(2);
    let mut weights = Network::trained(6).unwrap().weights();
    let network = Network::from_weights(6, &weights);
    for group in inputs.groups() {
        for neuron in 0..weights.bias.len() {
            // A multiple of the smallest weight, so that nothing is rounded.
            let moved = (random.below(41) as f32 - 20.0) / 256.0;
            weights.bias[neuron] -= moved;
            group.clone().for_each(|input| weights.inputs[input][neuron] += moved);
        }
    }
    assert_eq!(Network::from_weights(6, &weights), network);
}

/// By the plain rules: the pit in which a sowing from `pit` ends with a capture, and the
/// captured seeds of the opposite pit.
fn capture(own: &[u16], opponent: &[u16], pit: usize) -> Option<(usize, u16)> {
    let (mut own, mut opponent, pits) = (own.to_vec(), opponent.to_vec(), own.len());
    let mut place = pit;
    for _ in 0..std::mem::take(&mut own[pit]) {
        place = (place + 1) % (2 * pits + 1);
        match place.checked_sub(pits) {
            None => own[place] += 1,
            Some(0) => {}
            Some(across) => opponent[across - 1] += 1,
        }
    }
    let ends_in_empty_pit = place < pits && own[place] == 1;
    let captured = ends_in_empty_pit.then(|| opponent[pits - 1 - place])?;
    (captured > 0).then_some((place, captured))
}

#[test]
fn capture_inputs_follow_the_rules_even_after_a_lap() {
    let (inputs, mut random, mut laps) = (Inputs::new(6), SplitMix64::new(7), 0);
    // Where the inputs for sets of captures begin among those of a row: after 20 counts for
    // each pit and the sets of extra turns.
    let sets = 6 * 20 + (1 << 6);
    for _ in 0..2000 {
        let mut row =
            || std::array::from_fn::<u16, 6, _>(|_| random.below(18).saturating_sub(4) as u16);
        let (own, opponent) = (row(), row());
        let captures: Vec<_> = (0..6)
            .filter(|&pit| own[pit] > 0)
            .filter_map(|pit| Some((pit, capture(&own, &opponent, pit)?)))
            .collect();
        laps += captures.iter().filter(|(pit, _)| own[*pit] > 7).count();
        let set = captures.iter().fold(0, |set, (_, (place, _))| set | 1 << place);
        let most = captures.iter().map(|(_, (_, captured))| *captured).max().unwrap_or(0);
        let board = Board { own: u64::from_counts(&own), opponent: u64::from_counts(&opponent) };
        let on = on_or_absent(inputs, board);
        let most = sets + (1 << 6) + usize::from(most.min(19));
        assert_eq!(on[7..9], [sets + set, most], "{own:?} {opponent:?}");
    }
    assert!(laps > 500, "{laps}");
}

/// By the plain rules: the seven features of a side, in the order of their documentation.
fn features(own: &[u16], opponent: &[u16]) -> [i32; 7] {
    let pits = own.len();
    let mut features = [0; 7];
    for (pit, &seeds) in own.iter().enumerate().filter(|(_, seeds)| **seeds > 0) {
        features[0] += i32::from(seeds);
        features[1] += 1;
        // Places are counted from the first pit of the row; the store follows the last.
        let end = pit + usize::from(seeds);
        if end == pits {
            features[2] += 1;
        }
        if end < pits
            && let Some((_, captured)) = capture(own, opponent, pit)
        {
            features[3] = features[3].max(1 + i32::from(captured));
        }
        if end > pits {
            features[4] += 1;
            features[5] += (end - pits) as i32;
        }
        if end > 2 * pits {
            features[6] += 1;
        }
    }
    features
}

#[test]
fn the_linear_evaluation_weighs_the_features_of_both_sides_within_the_seeds_in_play() {
    let mut random = SplitMix64::new(3);
    let mut captures = 0;
    for number in 0..2000 {
        let pits = 1 + number % 8;
        let mut row = || -> Vec<u16> {
            (0..pits).map(|_| random.below(20).saturating_sub(6) as u16).collect()
        };
        let own = row();
        let opponent = row();
        let board = Board { own: u64::from_counts(&own), opponent: u64::from_counts(&opponent) };
        let terms = terms(board, pits, &FeatureWeights::DEFAULT);
        let expected = [features(&own, &opponent), features(&opponent, &own)];
        for (at, (name, sides)) in terms.iter().enumerate() {
            assert_eq!(sides.map(|(count, _)| count), expected.map(|counts| counts[at]), "{name}");
        }
        let sum: i32 =
            terms.iter().flat_map(|term| term.1).map(|(count, weight)| count * weight).sum();
        let most = Value::SEED * (expected[0][0] + expected[1][0]);
        let value = Evaluation::Linear(&FeatureWeights::DEFAULT).evaluate(board, pits);
        assert_eq!(value, Value(sum.clamp(-most, most)), "{own:?} {opponent:?}");
        captures += usize::from(expected[0][3] > 0);
    }
    assert!(captures > 200, "{captures}");
}

#[test]
fn the_sum_of_rounded_weights_is_near_the_sum_of_exact_ones() {
    for activation in Activation::ALL {
        for neurons in [NEURONS, 2 * NEURONS] {
            check_rounding(activation, neurons);
        }
    }
}

fn check_rounding(activation: Activation, neurons: usize) {
    let inputs = Inputs::new(2);
    let mut random = SplitMix64::new(1);
    let mut row = |size: f32| -> Vec<f32> {
        (0..neurons).map(|_| size * (random.unit() as f32 - 0.5)).collect()
    };
    let weights = RealWeights {
        activation,
        bias: row(1.0),
        inputs: (0..inputs.len()).map(|_| row(0.5)).collect(),
        gain: RealOutput {
            weights: (0..BUCKETS).map(|_| row(4.0)).collect(),
            bias: std::array::from_fn(|bucket| bucket as f32),
        },
        error: Some(RealOutput {
            weights: (0..BUCKETS).map(|_| row(4.0)).collect(),
            bias: [2.0; BUCKETS],
        }),
    };
    let network = Network::from_weights(2, &weights);
    let board = board("<2,0,0,3,1,2,7> S");
    let mut sums = weights.bias.clone();
    for input in on_or_absent(inputs, board) {
        sums.iter_mut().zip(&weights.inputs[input]).for_each(|(sum, weight)| *sum += weight);
    }
    let bucket = inputs.bucket(13);
    let output = |output: &RealOutput| {
        let mut value = output.bias[bucket];
        for (sum, weight) in sums.iter().zip(&output.weights[bucket]) {
            let clipped = sum.clamp(0.0, 1.0);
            value += weight
                * match activation {
                    Activation::Clipped => clipped,
                    Activation::Squared => clipped * clipped,
                };
        }
        f64::from(value)
    };
    let value = output(&weights.gain);
    let found = network.estimate(board);
    assert!((found.value.seeds() - value).abs() < 0.1, "{found:?} for {value}");
    assert_eq!(network.evaluate(board), found.value);
    let error = output(weights.error.as_ref().unwrap());
    let errors = [error - 0.05, error + 0.05].map(|error| Value((100.0 * error) as i32));
    assert!(errors.map(Uncertainty::of_error).contains(&found.uncertainty), "{found:?}, {error}");
}

#[test]
fn a_step_of_uncertainty_is_two_fifths_of_a_seed_around_a_common_error() {
    let steps = |error| Uncertainty::of_error(Value(error)).above_common();
    let errors = [-500, 119, 120, 159, 199, 200, 239, 240, 280, 320, 360, 9000];
    assert_eq!(errors.map(steps), [-3, -3, -2, -2, -1, 0, 0, 1, 2, 3, 4, 4]);
    assert_eq!(Uncertainty::UNKNOWN.above_common(), 4);
}

/// The built-in networks.
fn trained() -> [&'static Network; 4] {
    [5, 6, 7, 8]
        .map(|pits| Network::trained(pits).filter(|network| network.pits() == pits).unwrap())
}

#[test]
fn weights_in_floating_point_are_those_of_the_network() {
    for network in trained() {
        assert_eq!(&Network::from_weights(network.pits(), &network.weights()), network);
    }
}

#[test]
fn weights_are_parsed_back() {
    for network in trained() {
        assert_eq!(network.to_string().parse::<Network>().as_ref(), Ok(network));
    }
    for wrong in ["", "pits 9", "pits 6\n1 2", "pits 1\nx"] {
        wrong.parse::<Network>().unwrap_err();
    }
    // Weights have 16 bits; a larger bias could make an output overflow.
    let whole = trained()[0].to_string();
    let rows: Vec<&str> = whole.lines().collect();
    let (last, before) = rows.split_last().unwrap();
    let numbers: Vec<&str> = last.split(' ').collect();
    let with = |place: usize, number: i64| {
        let number = number.to_string();
        let mut numbers = numbers.clone();
        numbers[place] = &number;
        [before, &[&numbers.join(" ")]].concat().join("\n").parse::<Network>()
    };
    for (place, what, min, max) in
        [(0, "weights", -32_768, 32_767), (NEURONS, "a bias", -1_073_741_824, 1_073_741_824)]
    {
        for (end, beyond) in [(min, min - 1), (max, max + 1)] {
            assert!(with(place, end).is_ok(), "{end}");
            let expected = format!("expected {what} from {min} to {max}, got {beyond}");
            assert_eq!(with(place, beyond).unwrap_err().to_string(), expected);
        }
    }
}

#[test]
fn the_worth_of_a_pit_is_the_value_that_is_lost_without_its_seeds() {
    let network = Network::trained(6).unwrap();
    let board_of = |seeds: &[u32; 12]| {
        let seeds = seeds.map(|count| count.to_string()).join(",");
        board(&format!("<6,0,0,{seeds}> S"))
    };
    // The only filled pit of a row has no worth.
    for seeds in [[0, 3, 0, 1, 5, 2, 4, 0, 1, 0, 0, 7], [0, 0, 2, 0, 0, 0, 1, 1, 0, 0, 3, 0]] {
        let board = board_of(&seeds);
        for side in Side::BOTH {
            let mut expected = Vec::new();
            for (index, &count) in seeds.iter().enumerate() {
                let mut without = seeds;
                without[index] = 0;
                let (own, opponent) = without.split_at(6);
                if count > 0 && own.iter().any(|&n| n > 0) && opponent.iter().any(|&n| n > 0) {
                    let owner = if index < 6 { side } else { side.other() };
                    let lost = network.evaluate(board) - network.evaluate(board_of(&without));
                    expected.push((owner, Pit::new(index % 6), lost));
                }
            }
            assert_eq!(network.worths(board, side), expected);
        }
    }
}

#[test]
fn a_value_never_exceeds_the_seeds_in_play() {
    for sign in [-1.0, 1.0] {
        let zeros = vec![0.0; NEURONS];
        let weights = RealWeights {
            activation: Activation::Clipped,
            bias: zeros.clone(),
            inputs: vec![zeros.clone(); Inputs::new(6).len()],
            gain: RealOutput { weights: vec![zeros; BUCKETS], bias: [50.0 * sign; BUCKETS] },
            error: None,
        };
        let network = Network::from_weights(6, &weights);
        for (text, in_play) in
            [("<6,0,0,0,0,0,0,0,1,1,0,0,0,0,0> S", 2.0), ("<6,0,0,0,0,0,0,0,1,0,0,0,0,0,2> N", 3.0)]
        {
            assert_eq!(network.evaluate(board(text)).seeds(), f64::from(sign) * in_play, "{text}");
        }
    }
}

/// The positions in `table` with `pits` pits per row, and their gains.
fn solved(table: &'static str, pits: usize) -> Vec<(Position, f64)> {
    let mut solved = Vec::new();
    for row in kalah_testing::rows(table) {
        let position = Position::parse(row[0], row[1].parse().unwrap()).unwrap();
        if position.pits() == pits {
            solved.push((position, row[3].parse().unwrap()));
        }
    }
    solved
}

/// The root mean square error, in seeds, of an evaluation of `solved` positions.
fn error(evaluation: Evaluation, solved: &[(Position, f64)]) -> f64 {
    let squares = solved.iter().map(|(position, gain)| {
        let found = evaluation.evaluate(position.board::<u64>(), position.pits());
        (found.seeds() - gain).powi(2)
    });
    (squares.sum::<f64>() / solved.len() as f64).sqrt()
}

#[test]
fn a_trained_network_errs_less_than_the_linear_evaluation() {
    for network in trained() {
        let pits = network.pits();
        let mut positions = solved(include_str!("../../../../tests/data/values.tsv"), pits);
        let others = include_str!("../../../../tests/data/values_other_boards.tsv");
        positions.extend(solved(others, pits));
        assert!(positions.len() >= 12, "{pits} pits");
        let linear = error(Evaluation::Linear(&FeatureWeights::DEFAULT), &positions);
        let found = error(Evaluation::Network(network), &positions);
        // The ratios were 0.64, 0.68, 0.67 and 0.22 for 5, 6, 7 and 8 pits. Except on 6 pits, the
        // positions are endgames with at most 14 seeds in play.
        assert!(found < 0.8 * linear, "{pits} pits: {found:.2}, linear {linear:.2}");
    }
}
