//! Moves, rules and endings in words.

use std::cmp::Ordering;

use kalah_game::{Capture, Gain, Landing, Position, Rules, Side, Turn};
use kalah_record::{Ending, Game, Move, Outcome, Reason, sentence};

/// A game of two moves that ended in this way.
fn ended(ending: Option<Ending>) -> Game {
    let mut game = Game::new(Position::start(Rules::default()), Default::default());
    for letter in ["A", "a"] {
        let pit = game.position().parse_move(letter).unwrap();
        game.play(Move::new(pit)).unwrap();
    }
    if let Some(ending) = ending {
        game.finish(ending).unwrap();
    }
    game
}

#[test]
fn an_ending_is_worded_for_sentences_lists_and_each_side() {
    let lost_on_time = Ending::lost_by(Side::North, Reason::Time, None);
    let resigned = Ending::lost_by(Side::South, Reason::Resignation, None);
    let crashed = Ending::lost_by(Side::North, Reason::Crash, None);
    let by_table = Ending::by_margin(Gain(-5), Reason::Table);
    let drawn =
        Ending { outcome: Outcome::Draw, reason: Reason::MoveLimit, margin: None, detail: None };
    for (ending, sentence, result, winner, for_south) in [
        (None, None, "unfinished", "unfinished", "unfinished"),
        (
            Some(lost_on_time),
            Some("North ran out of time; South wins."),
            "1-0 (time)",
            "South (time)",
            "won (time)",
        ),
        (
            Some(resigned),
            Some("South resigned; North wins."),
            "0-1 (resignation)",
            "North (resignation)",
            "lost (resignation)",
        ),
        (Some(crashed), Some("South won (crash)."), "1-0 (crash)", "South (crash)", "won (crash)"),
        (Some(by_table), Some("North won (table)."), "0-1, by 5 seeds (table)", "North by 5", "-5"),
        (
            Some(drawn),
            Some("It was a draw (move-limit)."),
            "1/2-1/2 (move-limit)",
            "draw",
            "drawn (move-limit)",
        ),
    ] {
        let game = ended(ending);
        assert_eq!(sentence::ending(&game).as_deref(), sentence);
        assert_eq!(
            [sentence::result(&game), sentence::winner(&game)],
            [result, winner].map(str::to_owned)
        );
        assert_eq!(sentence::result_for(&game, Side::South), for_south);
    }
}

#[test]
fn a_game_that_was_played_out_ended_with_the_seeds_on_the_board() {
    let position = Position::parse("<2,0,0,0,1,0,2> S", Capture::Standard).unwrap();
    let mut game = Game::new(position, Default::default());
    game.play(Move::new(position.moves().iter().next().unwrap())).unwrap();
    game.finish_if_played_out();
    assert_eq!(sentence::ending(&game).as_deref(), Some("North wins 2 to 1."));
    for (reader, heading) in [
        (None, "North wins by 1"),
        (Some(Side::North), "You win by 1"),
        (Some(Side::South), "You lose by 1"),
    ] {
        assert_eq!(sentence::heading(game.ending().unwrap(), reader), heading);
    }
}

#[test]
fn a_move_in_words_names_the_seeds_that_it_banked_and_who_moves_next() {
    for (text, capture) in [
        ("<4,1,0,3,0,2,4,0,1,5,2> S", Capture::Standard),
        ("<4,1,0,3,0,2,4,0,1,5,2> S", Capture::EmptyCapture),
        // A captures three seeds from b, or nothing.
        ("<3,0,0,1,0,2,0,3,0> S", Capture::Standard),
        ("<3,0,0,1,0,2,3,0,0> S", Capture::EmptyCapture),
        // After a lap, the last seed falls into the pit that was sown.
        ("<3,0,0,7,0,1,1,1,1> S", Capture::Standard),
    ] {
        let mut position = Position::parse(text, capture).unwrap();
        while let Some(pit) = position.moves().into_iter().next() {
            let played = position.play(pit).expect("a legal move");
            let text = sentence::of_move(&played, &position);
            let ends_in_store = played.turn == Turn::Keeps && played.captured == 0;
            let banks = played.banked > 0 && !ends_in_store;
            let banked = format!(": {} to its store", played.banked);
            assert_eq!(text.contains(&banked), banks, "{text}");
            assert_eq!(text.contains("to its store"), banks, "{text}");
            let side = played.side;
            let sown = format!("{side} sowed {} ({} seed", played.pit.letter(side), played.sown);
            assert!(text.starts_with(&sown), "{text}");
            if let (Landing::Own(last), 1..) = (played.last, played.captured) {
                let from = last.opposite(position.pits()).letter(side.other());
                let what = match played.captured - 1 {
                    0 => format!("with nothing opposite in {from}"),
                    prey => format!("and captured {prey} from {from}"),
                };
                let place = format!(", ended in empty {} {what}: ", last.letter(side));
                assert!(text.contains(&place), "{text}");
            } else {
                assert!(!text.contains("empty") && !text.contains("captured"), "{text}");
            }
            assert_eq!(text.contains(" and ended in its store"), ends_in_store, "{text}");
            let again = format!("{} moves again.", played.side);
            let keeps = played.turn == Turn::Keeps && !position.is_over();
            assert_eq!(text.contains(&again), keeps, "{text}");
            for side in Side::BOTH {
                let swept = played.swept[side.index()];
                let kept =
                    format!("{} has no seeds left; {side} keeps its last {swept}.", side.other());
                assert_eq!(text.contains(&kept), swept > 0, "{text}");
            }
            let [south, north] = Side::BOTH.map(|side| position.store(side));
            let result = match south.cmp(&north) {
                Ordering::Greater => format!(" South wins {south} to {north}."),
                Ordering::Less => format!(" North wins {north} to {south}."),
                Ordering::Equal => format!(" The game is a draw, {south} to {north}."),
            };
            assert_eq!(text.ends_with(&result), position.is_over(), "{text}");
            let is_empty = position.is_over() && played.swept == [0, 0];
            assert_eq!(text.contains("No seeds are left."), is_empty, "{text}");
        }
        assert!(position.is_over());
    }
}

#[test]
fn the_rules_in_words_are_those_of_the_board() {
    let of = |pits, capture| {
        let rules = Rules::new(pits, 4, capture).expect("a board");
        sentence::rules(&Position::start(rules)).join(" ")
    };
    let six = of(6, Capture::Standard);
    assert!(
        six.contains("6 pits") && six.contains("A to F") && six.contains("there is no capture")
    );
    let four = of(4, Capture::EmptyCapture);
    assert!(four.contains("4 pits") && four.contains("a to d") && !four.contains("no capture"));
    assert!(sentence::captures(Capture::Standard).contains("need seeds"));
    assert!(sentence::captures(Capture::EmptyCapture).contains("empty pit opposite, too"));
}

#[test]
fn the_result_counts_the_seeds_of_both_rows_and_a_position_names_every_pit() {
    for (text, result) in [
        ("<2,3,1,0,0,2,3> S", "North wins 6 to 3."),
        ("<2,3,1,4,1,0,0> N", "South wins 8 to 1."),
        ("<2,3,0,0,0,2,1> S", "The game is a draw, 3 to 3."),
    ] {
        let position = Position::parse(text, Capture::Standard).unwrap();
        assert!(position.is_over());
        assert_eq!(sentence::of_result(&position), result);
        assert_eq!(sentence::of_position(&position)[2], result);
    }
    let position = Position::parse("<2,7,1,0,12,2,3> N", Capture::Standard).unwrap();
    let words = ["South: A 0, B 12, store 7.", "North: a 2, b 3, store 1.", "North to move."];
    assert_eq!(sentence::of_position(&position), words);
}

#[test]
fn failures_are_the_reasons_that_tell_nothing_about_the_play() {
    let failures = "time hang crash disconnect illegal-move garbage no-start";
    for reason in Reason::ALL {
        let is_listed = failures.split(' ').any(|name| name == reason.name());
        assert_eq!(reason.is_failure(), is_listed, "{reason}");
        let by_seeds = ["normal", "table"].contains(&reason.name());
        assert_eq!(reason.is_decided_by_seeds(), by_seeds, "{reason}");
    }
}
