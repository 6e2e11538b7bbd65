//! Verify mode: the board after a move, in the dialect of the server.

use kalah_kgp::setup::Mode;

use super::laws::{Desk, commands};

/// The answer to a problem, which is command number 8.
fn answer(desk: &mut Desk, problem: &str) -> String {
    let lines = desk.line(&format!("8 problem {problem}"));
    commands(&lines)[0].trim_start_matches("@8 ").to_owned()
}

fn solution(problem: &str) -> String {
    answer(&mut Desk::greeted(Mode::Verify), problem)
}

#[test]
fn pits_are_numbered_from_0_and_flags_are_words() {
    assert_eq!(
        solution("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> 0"),
        "solution <6,0,0,0,5,5,5,5,4,4,4,4,4,4,4> false"
    );
    assert_eq!(
        solution("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> 2"),
        "solution <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> true"
    );
}

#[test]
fn the_board_is_swept_when_a_row_is_empty_or_a_store_has_more_than_half() {
    // The last seed of the row goes into the store, which still counts as an extra turn.
    assert_eq!(solution("<2,0,0,0,1,3,0> 1"), "solution <2,1,3,0,0,0,0> true");
    // 5 of 9 seeds are a majority: half is 4 by integer division.
    assert_eq!(solution("<2,4,0,1,1,1,2> 1"), "solution <2,6,3,0,0,0,0> true");
    // 5 of 10 are not a majority.
    assert_eq!(solution("<2,4,0,1,1,2,2> 1"), "solution <2,5,0,1,0,2,2> true");
    // The opponent's majority, and a row that was empty before the move.
    assert_eq!(solution("<2,0,9,2,0,1,1> 0"), "solution <2,2,11,0,0,0,0> true");
    assert_eq!(solution("<2,0,0,0,3,0,0> 1"), "solution <2,1,2,0,0,0,0> false");
}

#[test]
fn the_other_dialect_is_detected_by_an_impossible_pit_or_a_refusal() {
    let mut desk = Desk::greeted(Mode::Verify);
    for _ in 0..2 {
        assert_eq!(answer(&mut desk, "<2,0,0,2,1,1,1> 2"), "solution <2,1,0,2,0,1,1> 1");
    }

    let mut desk = Desk::greeted(Mode::Verify);
    let problem = "<2,0,0,2,1,1,1> 1";
    for _ in 0..2 {
        assert_eq!(answer(&mut desk, problem), "solution <2,1,0,2,0,1,1> true");
    }
    // The solutions were commands 9 and 11; the next one is 13.
    desk.line("20@9 error \"x\"");
    desk.line("22@11 error \"x\"");
    assert_eq!(answer(&mut desk, problem), "solution <2,1,0,0,2,1,1> 1");
    desk.line("24@13 ok");
    desk.line("26@13 error \"x\"");
    assert_eq!(answer(&mut desk, problem), "solution <2,1,0,0,2,1,1> 1");
}

#[test]
fn an_unsolvable_problem_is_an_error() {
    for problem in [
        "",
        "<2,0,0,2,1,1,1>",
        "<2,0,0,2,1,1,1> 7",
        "<2,0,0,2,1,1,1> -1",
        "x 0",
        "<2,0,0,0,0,1,1> 1",
        "<2,0,0,1,1,1,1> N 0",
    ] {
        assert!(solution(problem).starts_with("error "), "{problem}");
    }
}
