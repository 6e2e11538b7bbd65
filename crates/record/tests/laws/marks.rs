//! The judgement of recorded moves.

use std::time::Duration;

use kalah_game::{Depth, Gain, Pit, Position, Rules, Side, Value};
use kalah_record::mark::{JudgedLine, MarginChange, Mark, decisive, margin_changes};
use kalah_record::{Ending, Game, Move, MoveEvaluation, Outcome, Reason};

/// A game from the start of (6,4), each move a letter with the mover's expectation in
/// hundredths of a seed.
fn expecting(moves: &[(char, Option<i32>)], ending: Option<Ending>) -> Game {
    let mut game = Game::new(Position::start(Rules::default()), Default::default());
    for &(letter, value) in moves {
        let pit = game.position().parse_move(&letter.to_string()).expect("a legal move");
        let evaluation = value.map(|value| MoveEvaluation { margin: Value(value), proved: false });
        game.play(Move { evaluation, ..Move::new(pit) }).expect("a legal move");
    }
    if let Some(ending) = ending {
        game.finish(ending).expect("an ending");
    }
    game
}

fn judged(game: &Game) -> Vec<Option<(i32, i32)>> {
    let moves = margin_changes(game, &game.main_line(), game.ending());
    moves.iter().map(|judged| judged.map(|judged| (judged.before.0, judged.after.0))).collect()
}

#[test]
fn a_move_is_judged_by_its_player_or_else_by_the_opponent() {
    let ending = Ending::by_margin(Gain(-4), Reason::Table);
    let both = [
        ('C', Some(200)),
        ('F', Some(150)),
        ('d', Some(-100)),
        ('A', Some(-300)),
        ('b', Some(350)),
    ];
    let game = expecting(&both, Some(ending.clone()));
    let all = [(200, 150), (150, -300), (-100, 350), (-300, -400), (350, 400)];
    assert_eq!(judged(&game), all.map(Some));
    // The first turn, C and F, has no values to judge it by; b is the last move before an
    // unknown ending.
    let against_person =
        [('C', None), ('F', None), ('d', Some(-100)), ('A', None), ('b', Some(350))];
    assert_eq!(
        judged(&expecting(&against_person, None)),
        [None, None, Some((-100, 350)), Some((100, -350)), None]
    );
    // The same game, whose first two moves are its opening, or were made before a swap.
    let mut book = game.clone();
    book.truncate(0);
    for (number, &r#move) in game.moves().collect::<Vec<_>>().iter().enumerate() {
        let is_book = number < 2;
        book.play(Move { book: is_book, ..r#move.clone() }).expect("a legal move");
    }
    book.finish(ending).expect("an ending");
    assert_eq!(judged(&book)[..2], [None; 2]);
    assert_eq!(judged(&book)[2..], all[2..].iter().copied().map(Some).collect::<Vec<_>>());
}

#[test]
fn an_annotator_judges_each_move_by_the_next_position() {
    // South's move is still a blunder, although North does not punish it.
    let values = [('A', Some(300)), ('b', Some(200)), ('C', Some(300)), ('f', Some(-300))];
    let mut game = expecting(&values[..], None);
    assert_eq!(judged(&game)[0], Some((300, 300)));
    let evaluations: Vec<_> = game.moves().filter_map(|r#move| r#move.evaluation).collect();
    game.annotate("kalah", evaluations.into_iter());
    assert_eq!(judged(&game), [Some((300, -200)), Some((200, -300)), Some((300, 300)), None]);
    game.play(Move::new(Pit::new(1))).expect("a legal move");
    assert_eq!(judged(&game)[3..], [None, None]);
}

#[test]
fn an_annotation_replaces_the_numbers_of_the_search_alone() {
    let time = Some(Duration::from_secs(1));
    let kept = Move { book: true, time, comment: Some("good".into()), ..Move::new(Pit::new(0)) };
    let mut game = expecting(&[], None);
    game.play(Move { nodes: Some(1), depth: Some(Depth(1)), ..kept.clone() }).expect("legal");
    let evaluation = Some(MoveEvaluation { margin: Value(5), proved: true });
    game.annotate("kalah", evaluation.into_iter());
    assert_eq!(game.moves().next(), Some(&Move { evaluation, ..kept }));
}

#[test]
fn marks_begin_at_half_a_seed_two_and_five() {
    let marks = [49, 50, 199, 200, 499, 500]
        .map(|lost| Mark::for_loss(Value(lost)).map_or(String::new(), |mark| mark.to_string()));
    assert_eq!(marks, ["", "?!", "?!", "?", "?", "??"]);
    for (mark, one, two) in [
        (Mark::Inaccuracy, "1 inaccuracy", "2 inaccuracies"),
        (Mark::Mistake, "1 mistake", "2 mistakes"),
        (Mark::Blunder, "1 blunder", "2 blunders"),
    ] {
        assert_eq!([1, 2].map(|count| mark.counted(count)), [one, two]);
    }
}

#[test]
fn the_last_marked_move_that_gave_away_the_result_decided_the_game() {
    let judged = |side, before, after| {
        Some(MarginChange { side, before: Value(before), after: Value(after) })
    };
    let moves = [
        judged(Side::South, 400, -200),
        judged(Side::North, 200, -100),
        None,
        judged(Side::South, 100, -300),
        judged(Side::South, -300, -900),
    ];
    for (outcome, index) in [
        (Outcome::Won(Side::North), Some(3)),
        (Outcome::Won(Side::South), Some(1)),
        (Outcome::Draw, Some(3)),
    ] {
        assert_eq!(decisive(&moves, outcome), index);
    }
    assert_eq!(decisive(&moves[4..], Outcome::Won(Side::North)), None);
}

#[test]
fn the_marks_in_words_count_the_moves_of_one_side() {
    // South's first move loses 5 seeds, and North's answer none.
    let mut game = expecting(&[('A', Some(500)), ('a', Some(0)), ('B', Some(0))], None);
    game.tags.insert("Annotator".to_owned(), "kalah".to_owned());
    let line = JudgedLine::new(&game, &game.main_line(), true).expect("judged moves");
    assert_eq!(line.counts, ["1 blunder in 1 judged move", "no marks in 1 judged move"]);
}
