//! The judge agrees with the solver and with the book.

use std::time::Duration;

use kalah_engine::search::Limits;
use kalah_game::score::{Gain, Value};
use kalah_game::{Capture, Position, Rules};
use kalah_record::{Game, Move, MoveEvaluation};
use kalah_sys::random::SplitMix64;

use super::{judge, random_ending, solved};

/// A search that proves its result ends before this.
const TIME: Duration = Duration::from_secs(60);

/// Endings of random games with every capture rule, whose solution takes little time. Many moves
/// keep the turn or end the game.
fn endings() -> Vec<Position> {
    let mut random = SplitMix64::new(65);
    let mut endings = Vec::new();
    for capture in Capture::ALL {
        for pits in [2, 3, 4] {
            let rules = Rules::new(pits, 2, capture).unwrap();
            endings.extend((0..8).map(|_| random_ending(rules, 7, &mut random)));
        }
    }
    endings
}

#[test]
fn every_move_of_an_ending_has_its_exact_margin() {
    let mut judge = judge();
    for position in endings() {
        let moves = solved(&position);
        let best = moves.iter().map(|&(_, margin)| margin).max().unwrap();
        for (pit, margin) in moves {
            let judgement = judge.judgement(position, pit, TIME);
            let played = judgement.played;
            assert_eq!((played.pit(), played.margin, played.proved), (pit, margin, true));
            assert_eq!((judgement.best.margin, judgement.best.proved), (best, true), "{position}");
            let expected = MoveEvaluation { margin: best, proved: true };
            assert_eq!(MoveEvaluation::from(judgement.best), expected);
            assert_eq!(position.replay(&played.pv).count(), played.pv.len(), "{position}");
        }
    }
}

#[test]
fn the_hint_of_an_ending_is_a_best_move_and_the_best_of_the_others() {
    let mut judge = judge();
    for position in endings() {
        let hint = judge.hint(position);
        let moves = solved(&position);
        let margin = |pit| moves.iter().find(|&&(other, _)| other == pit).unwrap().1;
        let best = moves.iter().map(|&(_, margin)| margin).max().unwrap();
        assert_eq!((margin(hint.best.pit()), hint.best.margin), (best, best), "{position}");
        let others = moves.iter().filter(|&&(pit, _)| pit != hint.best.pit());
        let next = others.map(|&(_, margin)| margin).max().unwrap();
        assert_eq!((margin(hint.played.pit()), hint.played.margin), (next, next), "{position}");
        assert_ne!(hint.played.pit(), hint.best.pit(), "{position}");
    }
}

#[test]
fn the_values_of_an_ending_are_those_of_all_its_moves_in_order() {
    let mut judge = judge();
    for position in endings().into_iter().step_by(5) {
        let values = judge.values(position, Limits::time(TIME));
        let mut shown: Vec<_> = values.iter().map(|info| (info.pv[0], info.margin)).collect();
        assert!(values.is_sorted_by_key(|info| -info.margin), "{position}");
        shown.sort();
        let mut moves = solved(&position);
        moves.sort();
        assert_eq!(shown, moves, "{position}");
    }
}

/// The margins that Irving, Donkers and Uiterwijk published for the moves of (6,4). C keeps the
/// turn: the margin after it is not negated, unlike those of the others.
const PUBLISHED: [i32; 6] = [-14, -10, 8, -2, -8, 4];

#[test]
fn moves_of_the_opening_have_their_published_margins() {
    let mut judge = judge();
    let start = Position::start(Rules::new(6, 4, Capture::Standard).unwrap());
    for (pit, margin) in start.moves().iter().zip(PUBLISHED) {
        let judgement = judge.judgement(start, pit, Duration::from_millis(20));
        let margin = Value::from(Gain(margin));
        assert_eq!((judgement.played.margin, judgement.played.proved), (margin, true), "{pit:?}");
        let best = &judgement.best;
        assert_eq!((best.pit().index(), best.margin.rounded()), (2, Gain(8)));
    }
    // F is the second best move; a short search alone would not know its margin.
    let hint = judge.hint(start);
    assert_eq!((hint.played.pit().index(), hint.played.margin), (5, Gain(4).into()));
    assert!(hint.is_proved());
    let values = judge.values(start, Limits::time(Duration::from_millis(300)));
    let margins: Vec<i32> = values.iter().map(|info| info.margin.rounded().0).collect();
    assert_eq!(margins, [8, 4, -2, -8, -10, -14]);
    assert!(values.iter().all(|info| info.proved));
}

#[test]
fn the_losses_of_a_game_are_those_of_its_moves_in_order() {
    let mut judge = judge();
    let mut random = SplitMix64::new(66);
    let rules = Rules::new(3, 2, Capture::Standard).unwrap();
    let start = random_ending(rules, 8, &mut random);
    let mut game = Game::new(start, Default::default());
    while !game.position().is_over() {
        let mut moves = game.position().moves().iter();
        let pit = moves.nth(random.below(moves.len())).unwrap();
        game.play(Move::new(pit)).unwrap();
    }
    let count = game.steps().len();
    assert!(count > 4, "{count}");
    let reports = std::cell::RefCell::new(Vec::new());
    let losses = judge.losses(&game, &|done, all| reports.borrow_mut().push((done, all)));
    assert_eq!(losses.len(), count);
    for (index, judgement) in losses.iter().enumerate() {
        let position = game.position_after(index);
        let moves = solved(position);
        let pit = game.steps()[index].played.pit;
        let best = moves.iter().map(|&(_, margin)| margin).max().unwrap();
        let played = moves.iter().find(|&&(other, _)| other == pit).unwrap().1;
        assert_eq!((judgement.played.pit(), judgement.loss()), (pit, best - played), "{position}");
    }
    assert_eq!(*reports.borrow(), (0..count).map(|done| (done, count)).collect::<Vec<_>>());
}
