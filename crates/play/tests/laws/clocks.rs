//! Clocks: whose time runs, and what happens at its end.

use std::time::Duration;

use kalah_game::Side;
use kalah_play::game::{Event, GameInPlay, Intent, NewGame};
use kalah_record::{Outcome, Reason};

use crate::support::{Table, new_game, with_clock};

const MINUTE: Duration = Duration::from_secs(60);

fn table(new: NewGame, flag: bool) -> Table {
    Table::new(GameInPlay::new(with_clock(new, "1+0", flag)))
}

fn left(table: &Table) -> [Duration; 2] {
    Side::BOTH.map(|side| table.game.time_left(side, table.now).expect("a clock"))
}

fn flags(table: &Table) -> usize {
    let fallen = |event: &&Event| matches!(event, Event::Late(_) | Event::Lost(_, Reason::Time));
    table.events.iter().filter(fallen).count()
}

#[test]
fn from_the_first_move_on_the_clock_of_the_side_to_move_runs() {
    let mut table = table(new_game("human", "human"), true);
    table.wait(600_000);
    assert_eq!((left(&table), flags(&table)), ([MINUTE; 2], 0));
    // The first pits pass the turn.
    table.sow(0).expect("a move");
    table.wait(5000);
    assert_eq!(left(&table), [MINUTE, MINUTE - Duration::from_secs(5)]);
    table.sow(0).expect("a move");
    table.wait(7000);
    assert_eq!(left(&table), [7, 5].map(|used| MINUTE - Duration::from_secs(used)));
}

#[test]
fn no_clock_runs_in_a_game_that_is_over_or_paused() {
    for intent in [Intent::Resign, Intent::GoTo(0)] {
        let mut table = table(new_game("human", "human"), true);
        table.sow(0).expect("a move");
        table.act(intent).expect("a change");
        let before = left(&table);
        assert_eq!(table.game.next_tick(table.now, true), Duration::MAX);
        table.wait(600_000);
        assert_eq!((left(&table), flags(&table)), (before, 0));
    }
}

#[test]
fn no_clock_runs_while_the_coach_judges_before_the_engine_moves() {
    let new = NewGame { has_coach: true, ..new_game("human", "starter") };
    let mut table = table(new, true);
    table.sow(3).expect("a move");
    table.wait(600_000);
    assert_eq!((left(&table), flags(&table)), ([MINUTE; 2], 0));
    table.answer();
    table.wait(1000);
    assert_eq!(left(&table)[1], MINUTE - Duration::from_secs(1));
}

#[test]
fn a_person_who_may_move_is_charged_while_the_coach_judges_the_opponent() {
    let new = NewGame { has_coach: true, ..new_game("human", "human") };
    let mut table = table(new, true);
    table.sow(3).expect("a move");
    table.wait(2000);
    table.answer();
    table.wait(1000);
    assert_eq!(left(&table)[1], MINUTE - Duration::from_secs(3));
}

#[test]
fn a_flag_ends_the_game_exactly_once() {
    let mut table = table(new_game("human", "human"), true);
    table.sow(0).expect("a move");
    for _ in 0..5 {
        table.wait(30_000);
    }
    assert_eq!(flags(&table), 1);
    let ending = table.game.record().ending().expect("an ending");
    assert_eq!((ending.outcome, ending.reason), (Outcome::Won(Side::South), Reason::Time));
    assert!(table.reloaded().game.is_over());
    table.act(Intent::TakeBack).expect("a loss to take back");
    assert!(!table.game.is_over());
    // The expired clock no longer counts.
    table.wait(120_000);
    assert!(!table.game.is_over() && flags(&table) == 1);
}

#[test]
fn without_the_flag_a_fall_is_reported_once_and_play_continues() {
    let mut table = table(new_game("human", "human"), false);
    table.sow(0).expect("a move");
    for _ in 0..5 {
        table.wait(30_000);
    }
    assert_eq!((flags(&table), table.game.is_over()), (1, false));
    table.sow(0).expect("a move");
    assert_eq!(left(&table)[1], Duration::ZERO);
}

#[test]
fn the_time_of_a_move_is_in_the_saved_game() {
    let mut table = table(new_game("human", "human"), true);
    table.sow(0).expect("a move");
    table.wait(1500);
    table.sow(0).expect("a move");
    let again = table.reloaded();
    assert_eq!(left(&again), left(&table));
    assert_eq!(left(&again)[1], MINUTE - Duration::from_millis(1500));
}
