//! Records of games read back as they were written, in both formats.

use std::time::Duration;

use kalah::game::depth::Depth;
use kalah::game::score::{Gain, Value};
use kalah::game::{Capture, Pit, Position, Rules, Side};
use kalah::record::{
    Ending, Evaluation, Game, Move, Outcome, Player, Reason, Variation, json, kgn,
};
use proptest::prelude::*;

fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,12}", "\\PC{0,6}", Just("a\\b\"c\nd".to_owned()), Just("=+2".to_owned())]
}

/// A comment that `.kgn` preserves: no braces, and words with one blank between them.
fn comment() -> impl Strategy<Value = Option<String>> {
    let plain = word().prop_map(|text| {
        let text = text.replace(['{', '}'], "");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    proptest::option::of(plain).prop_map(|text| text.filter(|text| !text.is_empty()))
}

fn player() -> impl Strategy<Value = Player> {
    let options = proptest::collection::btree_map("[A-Za-z ]{1,8}", word(), 0..3);
    (word(), proptest::option::of(word()), proptest::option::of(word()), options)
        .prop_map(|(name, version, limit, options)| Player { name, version, limit, options })
}

type Annotations = (Option<(i32, bool)>, Option<u16>, Option<u64>, Option<u64>, Option<u64>);

fn annotations() -> impl Strategy<Value = Annotations> {
    use proptest::option::of;
    (
        of((-10_000i32..10_000, any::<bool>())),
        of(any::<u16>()),
        of(any::<u64>()),
        of(any::<u64>()),
        of(0u64..10_000_000_000),
    )
}

fn recorded(pit: Pit, book: bool, annotations: Annotations, comment: Option<String>) -> Move {
    let (value, depth, nodes, leaves, micros) = annotations;
    Move {
        book,
        evaluation: value.map(|(value, proved)| Evaluation { margin: Value(value), proved }),
        depth: depth.map(Depth),
        nodes,
        leaves,
        time: micros.map(Duration::from_micros),
        comment,
        ..Move::new(pit)
    }
}

fn endings() -> impl Strategy<Value = Option<Ending>> {
    let outcome = prop_oneof![
        Just(Outcome::Draw),
        Just(Outcome::Won(Side::South)),
        Just(Outcome::Won(Side::North))
    ];
    let reasons: Vec<_> =
        Reason::ALL.iter().copied().filter(|reason| !reason.is_decided_by_seeds()).collect();
    let broken_off = (outcome, proptest::sample::select(reasons), proptest::option::of(word()))
        .prop_map(|(outcome, reason, detail)| Ending { outcome, reason, margin: None, detail });
    let table = (-48i32..=48).prop_map(|margin| Ending::by_margin(Gain(margin), Reason::Table));
    proptest::option::of(prop_oneof![broken_off, table])
}

prop_compose! {
    fn games()(
        size in (1u32..=12, 1u32..=8),
        capture in proptest::sample::select(&Capture::ALL[..]),
        mirrored: bool,
        pie_rule: bool,
        players in [player(), player()],
        choices in proptest::collection::vec((any::<u32>(), any::<bool>(), annotations(), comment()), 0..80),
        texts in [proptest::option::of(word()), proptest::option::of(word()), proptest::option::of(word()), proptest::option::of(word())],
        round in proptest::option::of(1u32..),
        warnings in proptest::collection::vec(word(), 0..3),
        tags in proptest::collection::btree_map("x[A-Za-z]{0,6}", word(), 0..3),
        ending in endings(),
        branches in proptest::collection::vec(
            (any::<[usize; 2]>(), proptest::collection::vec((any::<u32>(), annotations(), comment()), 0..6)), 0..4),
    ) -> Game {
        let start = Position::start(Rules::new(size.0, size.1, capture).unwrap());
        let start = if mirrored { start.mirrored() } else { start };
        let mut game = Game::new(start, players);
        game.pie_rule = pie_rule;
        for (choice, book, annotations, comment) in choices {
            let moves = game.position().moves();
            if moves.is_empty() {
                break;
            }
            let pit = { moves }.nth(choice as usize % moves.len()).unwrap();
            game.play(recorded(pit, book, annotations, comment)).unwrap();
            if choice % 2 == 0 && game.may_swap() {
                assert!(game.swap());
            }
        }
        let ending = Ending::of(game.position()).or(ending);
        [game.id, game.event, game.date, game.opening] = texts;
        (game.round, game.warnings, game.tags) = (round, warnings, tags);
        if let Some(ending) = ending {
            game.finish(ending).unwrap();
        }
        // Other lines from anywhere in this line or in another one.
        let mut lines = vec![game.clone()];
        for ([line, after], choices) in branches {
            let mut line = lines[line % lines.len()].clone();
            line.truncate(after % (line.steps().len() + 1));
            for (choice, annotations, comment) in choices {
                let moves = line.position().moves();
                let Some(pit) = { moves }.nth(choice as usize % moves.len().max(1)) else { break };
                line.play(recorded(pit, false, annotations, comment)).unwrap();
                if choice % 2 == 0 && line.may_swap() {
                    assert!(line.swap());
                }
            }
            game.add_variation(line.main_line());
            lines.push(line);
        }
        game
    }
}

/// Where each variation leaves the game, its moves from there on and its swap, in one
/// order: in the text variations come by the moves that they replace.
fn lines(game: &Game) -> Vec<(usize, Vec<Move>, Option<usize>)> {
    let line = |line: &Variation| {
        let after = game.shared_moves(line);
        let moves = line.steps()[after..].iter().map(|step| step.r#move.clone());
        (after, moves.collect(), line.swapped_after())
    };
    let mut lines: Vec<_> = game.variations().iter().map(line).collect();
    lines.sort_by_key(|line| format!("{line:?}"));
    lines
}

proptest! {
    #[test]
    fn a_game_reads_back_from_both_formats(game in games()) {
        let (line, text) = (json::to_line(&game), kgn::write(&game));
        let of_line = json::from_line(&line, 1).unwrap();
        let of_text = kgn::read(&text).unwrap().remove(0);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(json::to_line(&of_line), line);
        prop_assert_eq!(kgn::write(&of_text), text);
        prop_assert_eq!((lines(&of_line), lines(&of_text)), (lines(&game), lines(&game)));
        if game.variations().is_empty() {
            prop_assert_eq!([&of_line, &of_text], [&game, &game]);
        }
    }

    #[test]
    fn any_text_reads_or_is_refused_with_a_place(text in "[\\[\\]{}()\"\\\\ \\nA-Fa-f0-9.*;+=/n-]{0,60}") {
        if let Err(error) = kgn::read(&text) {
            let lines: Vec<_> = text.split('\n').collect();
            let line = lines.get(error.line - 1);
            prop_assert!(line.is_some_and(|line| error.column <= line.chars().count() + 1), "{error}");
        }
    }

    #[test]
    fn a_spoilt_line_is_refused_or_is_still_a_legal_game(game in games(), at: usize, byte in 32u8..127) {
        let mut line = json::to_line(&game).into_bytes();
        let at = at % line.len();
        line[at] = byte;
        if let Ok(game) = json::from_line(&String::from_utf8_lossy(&line), 3) {
            prop_assert_eq!(game.steps().len(), game.moves().len());
        }
    }
}
