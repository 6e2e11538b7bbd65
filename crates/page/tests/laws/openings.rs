//! What is known about openings: a move that is not proved is never the best.

use kalah_engine::book::Book;
use kalah_game::{Capture, Position, Rules};
use kalah_page::Answer;
use kalah_page::RequestMethod::Get;
use serde_json::Value;

use crate::small_host::SmallHost;

fn explored(position: &Position) -> Value {
    let text = position.to_string().replace(' ', "+");
    let path = format!("/api/openings?position={text}&capture={}", position.capture());
    let Ok(Answer::Json(answer)) = SmallHost::new().ask(Get, &path, "") else { panic!("{path}") };
    serde_json::from_str(&answer).unwrap()
}

/// Every 17th position of the book, and positions that are one sowing outside of it.
fn openings() -> Vec<Position> {
    let known = Book::built_in().gains().map(|(position, _)| *position);
    let mut known: Vec<Position> = known.filter(|position| !position.is_over()).collect();
    known.sort_by_key(|position| (position.to_string(), position.capture()));
    let known: Vec<Position> = known.into_iter().step_by(17).collect();
    let after = known.iter().filter_map(|position| Some(position.children().next()?.1));
    let after: Vec<Position> = after.filter(|position| !position.is_over()).collect();
    [known, after].concat()
}

#[test]
fn nothing_is_said_about_an_unknown_position_or_its_moves() {
    let unknown = Position::start(Rules::new(7, 7, Capture::Standard).unwrap());
    let answer = explored(&unknown);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    for shown in moves.iter().chain([&answer]) {
        for bound in ["margin", "lower", "upper"] {
            assert!(shown[bound].is_null(), "{bound}: {shown}");
        }
        assert_ne!(shown["best"], true, "{shown}");
    }
}

#[test]
fn the_best_moves_are_those_proved_to_reach_the_upper_bound_of_the_position() {
    let mut best = 0;
    let mut open = 0;
    for position in openings() {
        let answer = explored(&position);
        for shown in answer["moves"].as_array().unwrap() {
            let reaches = match (shown["lower"].as_i64(), answer["upper"].as_i64()) {
                (Some(lower), Some(upper)) => lower >= upper,
                // Nothing is proved about the move or the position.
                _ => false,
            };
            assert_eq!(shown["best"], reaches, "{position} {shown}");
            best += usize::from(reaches);
            open += usize::from(shown["lower"].is_null());
        }
    }
    assert!(best > 20 && open > 50, "{best} best, {open} without a lower bound");
}

#[test]
fn bounds_enclose_the_margin_and_the_best_move_reaches_it() {
    let may_be = |shown: &Value, margin: i64| {
        shown["lower"].as_i64().is_none_or(|lower| lower <= margin)
            && shown["upper"].as_i64().is_none_or(|upper| upper >= margin)
    };
    for position in openings() {
        let answer = explored(&position);
        let moves = answer["moves"].as_array().unwrap();
        for shown in moves.iter().chain([&answer]) {
            if let Some(margin) = shown["margin"].as_i64() {
                assert_eq!((&shown["lower"], &shown["upper"]), (&margin.into(), &margin.into()));
            }
        }
        // No move is worth more than the position, and one is worth as much.
        let Some(margin) = answer["margin"].as_i64() else { continue };
        let proved = moves.iter().filter_map(|shown| shown["margin"].as_i64());
        assert!(proved.clone().all(|other| other <= margin), "{position} {answer}");
        assert!(moves.iter().any(|shown| may_be(shown, margin)), "{position} {answer}");
    }
}
