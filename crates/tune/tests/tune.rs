//! Training of the network: labelled positions, and weights fitted to them.

use std::collections::HashSet;
use std::sync::Arc;

use kalah_engine::endgame::Tables;
use kalah_engine::endgame::verify::Minimax;
use kalah_engine::evaluation::network::inputs::Inputs;
use kalah_engine::{Engine, Limits};
use kalah_game::{Capture, Gain, Pit, Position, Row, Rules, Side};
use kalah_record::suite;
use kalah_sys::random::SplitMix64;
use kalah_tune::fit::{LabelledBoard, TrainableNetwork};
use kalah_tune::labeller::Labeller;
use kalah_tune::positions::{Labellers, Sampling, labels, problems};

/// Boards whose gain is twice the number of seeds in the mover's first pit.
fn samples(count: usize) -> (Inputs, Vec<LabelledBoard>) {
    let inputs = Inputs::new(3);
    let mut random = SplitMix64::new(3);
    let mut row = || [0; 3].map(|_: u16| 1 + random.below(9) as u32);
    let sample = |_| {
        let rows = [row(), row()];
        let side = Side::South;
        let position =
            Position::new([&rows[0], &rows[1]], [0, 0], side, Capture::Standard).unwrap();
        let board = position.board::<u64>();
        LabelledBoard::new(inputs, board, 2 * board.own.count(Pit::new(0)) as i32)
    };
    (inputs, (0..count).map(sample).collect())
}

#[test]
fn a_fitted_model_predicts_boards_it_was_not_fitted_to() {
    let (inputs, mut samples) = samples(20_000);
    let held = samples.split_off(18_000);
    let mut errors = Vec::new();
    let mut model = TrainableNetwork::random(inputs, &samples, 1, 1);
    model.fit(&mut samples, 8, 1, |_, model| errors.push(model.error(&held)));
    assert_eq!(errors.len(), 8);
    assert!(errors[7] < errors[0] && errors[7] < 0.5, "{errors:?}");
    assert_eq!(model.error(&held), errors[7]);
}

#[test]
fn close_boards_count_more_than_decided_ones() {
    let inputs = Inputs::new(3);
    let rows = [&[1, 2, 3][..], &[3, 2, 1]];
    let position = Position::new(rows, [0, 0], Side::South, Capture::Standard).unwrap();
    let board = position.board::<u64>();
    let even_or_won =
        |index| LabelledBoard::new(inputs, board, if index % 2 == 0 { 0 } else { 40 });
    let mut samples: Vec<LabelledBoard> = (0..20_000).map(even_or_won).collect();
    let mut model = TrainableNetwork::random(inputs, &samples, 1, 1);
    model.fit(&mut samples, 4, 1, |_, _| ());
    let seeds = model.network(3).evaluate(board).seeds();
    // With equal weights, it would be 8 seeds or more.
    assert!((0.0..3.0).contains(&seeds), "{seeds}");
}

#[test]
fn the_same_seed_gives_the_same_network() {
    let network = |seed| {
        let (inputs, mut samples) = samples(500);
        let mut model = TrainableNetwork::random(inputs, &samples, 1, seed);
        model.fit(&mut samples, 2, seed, |_, _| ());
        model.network(3)
    };
    assert_eq!(network(1), network(1));
    assert_ne!(network(1), network(2));
}

#[test]
fn inputs_that_never_occur_have_zero_weights() {
    let (inputs, mut samples) = samples(500);
    let mut model = TrainableNetwork::random(inputs, &samples, 1, 1);
    model.fit(&mut samples, 1, 1, |_, _| ());
    let weights = model.network(3).weights().inputs;
    // A pit has 20 inputs, one for each number of seeds. No pit of the samples is empty, so the
    // first of them never occurs.
    for row in [0, inputs.len() / 2] {
        for pit in 0..3 {
            let [empty, one] = [0, 1].map(|seeds| weights[row + 20 * pit + seeds].clone());
            assert!(empty.iter().all(|&weight| weight == 0.0));
            assert!(one.iter().any(|&weight| weight != 0.0));
        }
    }
}

#[test]
fn a_fit_continues_from_the_weights_of_a_network() {
    let (inputs, mut samples) = samples(20_000);
    let held = samples.split_off(18_000);
    let mut first = TrainableNetwork::random(inputs, &samples, 1, 1);
    first.fit(&mut samples, 2, 1, |_, _| ());
    let mut second = TrainableNetwork::from(&first.network(3));
    assert!((second.error(&held) - first.error(&held)).abs() < 0.05);
    second.fit(&mut samples, 2, 2, |_, _| ());
    assert!(second.error(&held) < 0.9 * first.error(&held));
}

fn sampling(searched: Option<u64>) -> Sampling {
    Sampling {
        starts: vec![Rules::new(4, 3, Capture::Standard).unwrap()],
        in_play: 10..=16,
        per_game: 2,
        nodes: 100,
        seed: 5,
        searched,
        errors: None,
    }
}

fn seen() -> HashSet<Position> {
    HashSet::new()
}

fn tables(seeds: u32) -> Arc<Tables> {
    Arc::new(Tables::build(sampling(None).starts[0].variant(), seeds, 1).unwrap())
}

#[test]
fn gains_match_the_endgame_tables_for_any_number_of_threads() {
    let sampling = sampling(None);
    let found = problems(&sampling, &Labellers::new(tables(6)), 0..40, 1, &mut seen()).unwrap();
    assert_eq!(
        problems(&sampling, &Labellers::new(tables(4)), 0..40, 2, &mut seen()).unwrap(),
        found
    );
    let known = tables(16);
    assert!(found.len() > 40);
    for problem in &found {
        assert!(sampling.in_play.contains(&problem.position.in_play()));
        let labels = labels(problem);
        assert!(labels.len() > 1);
        for (board, gain) in labels {
            assert_eq!(known.gain(board), Some(gain), "{}", problem.position);
        }
    }
}

#[test]
fn searched_gains_of_few_seeds_are_exact_too() {
    let sampling = sampling(Some(2_000));
    let known = tables(16);
    for problem in problems(&sampling, &Labellers::new(tables(12)), 0..10, 1, &mut seen()).unwrap()
    {
        for (board, gain) in labels(&problem) {
            assert_eq!(known.gain(board), Some(gain), "{}", problem.position);
        }
    }
}

#[test]
fn a_suite_of_errors_holds_positions_in_which_the_engine_errs() {
    let rules = Rules::new(6, 3, Capture::Standard).unwrap();
    let sampling =
        Sampling { starts: vec![rules], in_play: 22..=28, errors: Some(50), ..sampling(None) };
    let tables = Arc::new(Tables::build(rules.variant(), 12, 1).unwrap());
    let found = problems(&sampling, &Labellers::new(tables), 0..40, 2, &mut seen()).unwrap();
    assert!(!found.is_empty());
    let mut engine = Engine::new().unwrap();
    let score = suite::solve(&mut engine, &found, Limits::nodes(50), drop);
    assert_eq!((score.positions, score.best), (found.len(), 0));
}

#[test]
fn each_position_of_the_suites_of_errors_has_a_worse_move_and_occurs_once() {
    let suites = [
        include_str!("../../../tests/data/suite_errors.tsv"),
        include_str!("../../../tests/data/suite_errors_held_out.tsv"),
    ];
    let mut seen = seen();
    for problem in suites.iter().flat_map(|suite| suite::parse(suite).unwrap()) {
        let least = problem.gains.iter().flatten().min();
        assert!(Some(&problem.best()) > least, "{}", problem.position);
        assert!(seen.insert(problem.position), "{}", problem.position);
    }
}

#[test]
fn a_labeller_finds_the_margin_of_each_move_in_its_tables_and_beyond() {
    let start = Position::start(Rules::new(3, 2, Capture::Standard).unwrap());
    let tables = Arc::new(Tables::build(start.variant(), 9, 1).unwrap());
    let mut labeller = Labeller::new(tables, |_| None);
    let mut minimax = Minimax::default();
    let mut positions = vec![start];
    for _ in 0..3 {
        let children = positions.iter().flat_map(Position::children).map(|(_, after)| after);
        positions = children.filter(|after| !after.is_over()).collect();
        for position in &positions {
            let mut expected: Vec<(Pit, Gain)> = Vec::new();
            for (played, after) in position.children() {
                let margin = after.lead(after.side()) + minimax.gain(&after.without_stores());
                expected.push((played.pit, played.turn.from_child(margin)));
            }
            let best = expected.iter().map(|(_, margin)| *margin).max().unwrap();
            for &(pit, margin) in &expected {
                let errs = labeller.errs(position, pit).unwrap();
                assert_eq!(errs, margin < best, "{position} {pit}");
            }
            let mut found = labeller.moves(position).unwrap();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{position}");
        }
    }
}
