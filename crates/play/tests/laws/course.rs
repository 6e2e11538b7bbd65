//! The course of a game: undo, redo, swaps, losses, and the saved game as the state.

use proptest::prelude::*;

use kalah_game::Side;
use kalah_play::game::{Event, GameInPlay, Intent};
use kalah_play::question::{Answer, Question};
use kalah_play::refusal::Refusal;
use kalah_record::Reason;

use crate::support::{Table, new_game, seat};

/// What a player tries; most of it is allowed only at times.
#[derive(Clone, Copy, Debug)]
enum Attempt {
    Sow(usize),
    Answer,
    Swap,
    TakeBack,
    Redo,
    GoTo(usize),
    Variation(usize),
    Continue,
    Resign,
    Reload,
}

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    let one = prop_oneof![
        8 => (0_usize..4).prop_map(Attempt::Sow),
        4 => Just(Attempt::Answer),
        1 => Just(Attempt::Swap),
        3 => Just(Attempt::TakeBack),
        2 => Just(Attempt::Redo),
        1 => (0_usize..12).prop_map(Attempt::GoTo),
        1 => (0_usize..3).prop_map(Attempt::Variation),
        2 => Just(Attempt::Continue),
        1 => Just(Attempt::Resign),
        1 => Just(Attempt::Reload),
    ];
    prop::collection::vec(one, 0..40)
}

fn players() -> impl Strategy<Value = [&'static str; 2]> {
    let seats = || prop::sample::select(vec!["human", "human", "starter"]);
    [seats(), seats()]
}

fn attempt(table: &mut Table, attempt: Attempt) {
    let before = table.saved();
    let done = match attempt {
        Attempt::Sow(place) => table.sow(place),
        Attempt::Answer => {
            table.answer();
            Ok(())
        }
        Attempt::Swap => table.act(Intent::Swap),
        Attempt::TakeBack => table.act(Intent::TakeBack),
        Attempt::Redo => table.act(Intent::Redo),
        Attempt::GoTo(steps) => table.act(Intent::GoTo(steps)),
        Attempt::Variation(number) => table.act(Intent::Variation(number)),
        Attempt::Continue => table.act(Intent::Continue),
        Attempt::Resign => table.act(Intent::Resign),
        Attempt::Reload => {
            *table = table.reloaded();
            Ok(())
        }
    };
    if done.is_err() {
        assert_eq!(table.saved(), before, "a refused {attempt:?} has changed the game");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..Default::default() })]

    /// The state is the saved game: what is loaded is what was saved.
    #[test]
    fn loading_inverts_saving(seats in players(), tried in attempts()) {
        let mut table = Table::new(GameInPlay::new(new_game(seats[0], seats[1])));
        for one in tried {
            attempt(&mut table, one);
            let again = table.reloaded();
            prop_assert_eq!(again.saved(), table.saved(), "after {:?}", one);
            prop_assert_eq!(again.letters(), table.letters());
            prop_assert_eq!(again.game.is_paused(), table.game.is_paused());
            prop_assert_eq!(again.game.cursor().undone(), table.game.cursor().undone());
            for side in Side::BOTH {
                prop_assert_eq!(again.game.seat(side), table.game.seat(side));
            }
            // The second host asks the same of its engine.
            let question = |table: &Table| table.asked.as_ref().map(|(question, _)| *question);
            prop_assert_eq!(question(&again), question(&table));
        }
    }

    /// In an unfinished game that nobody is looking through, somebody can always go on.
    #[test]
    fn the_side_to_move_is_a_person_or_the_engine_is_asked(
        seats in players(),
        tried in attempts(),
    ) {
        let mut table = Table::new(GameInPlay::new(new_game(seats[0], seats[1])));
        for one in tried {
            attempt(&mut table, one);
            let side = table.game.position().side();
            let is_open = !table.game.is_over() && !table.game.is_paused();
            let is_engines = is_open && !table.game.seat(side).is_person();
            let is_asked = matches!(table.asked, Some((Question::Move(..), _)));
            prop_assert_eq!(is_engines, is_asked, "after {:?}", one);
            prop_assert_eq!(table.game.thinking().is_some(), is_asked);
        }
    }

    /// Undo goes to a decision of a person, and redo inverts it.
    #[test]
    fn redo_inverts_undo(seats in players(), places in prop::collection::vec(0_usize..4, 0..20)) {
        let mut table = Table::new(GameInPlay::new(new_game(seats[0], seats[1])));
        for place in places {
            table.settle();
            // The game may be over.
            let _ = table.sow(place);
        }
        table.settle();
        let mut before = Vec::new();
        loop {
            let letters = table.letters();
            if table.act(Intent::TakeBack).is_err() {
                break;
            }
            let game = &table.game;
            let side = game.position().side();
            prop_assert!(!game.is_over());
            prop_assert!(game.seat(side).is_person() || !game.has_people());
            before.push(letters);
        }
        while let Some(letters) = before.pop() {
            table.act(Intent::Redo).expect("a step to replay");
            prop_assert_eq!(table.letters(), letters);
        }
        prop_assert_eq!(table.act(Intent::Redo), Err(Refusal::NothingToRedo));
    }
}

#[test]
fn a_swap_exchanges_the_sides_of_the_players_and_undo_returns_them() {
    let mut table = Table::new(GameInPlay::new(new_game("starter", "human")));
    // The engine may move again before the turn passes.
    table.settle();
    let seats = |table: &Table| Side::BOTH.map(|side| table.game.seat(side));
    let [south, north] = seats(&table);
    assert!(table.events.iter().any(|event| matches!(event, Event::MaySwap)));
    table.act(Intent::Swap).expect("the pie rule");
    assert_eq!(seats(&table), [north, south]);
    assert_eq!(table.act(Intent::Swap), Err(Refusal::Thinking(Side::North)));
    table.settle();
    table.act(Intent::TakeBack).expect("the swap");
    assert_eq!(seats(&table), [south, north]);
    table.act(Intent::Redo).expect("the swap");
    assert_eq!(seats(&table), [north, south]);
}

#[test]
fn a_resignation_ends_the_game_once_and_can_be_taken_back() {
    let mut table = Table::new(GameInPlay::new(new_game("human", "starter")));
    table.act(Intent::Resign).expect("a game to resign");
    assert_eq!(table.act(Intent::Resign), Err(Refusal::Over(None)));
    let losses = table.events.iter().filter(|event| matches!(event, Event::Lost(..)));
    assert_eq!(losses.count(), 1);
    assert!(matches!(table.sow(0), Err(Refusal::Over(Some(_)))));
    assert!(table.reloaded().game.is_over());
    table.act(Intent::TakeBack).expect("a loss to take back");
    assert!(matches!(
        table.events[table.events.len() - 2],
        Event::TookBackLoss(Reason::Resignation)
    ));
    assert!(!table.game.is_over() && table.sow(0).is_ok());
}

#[test]
fn only_a_person_resigns() {
    let mut table = Table::new(GameInPlay::new(new_game("starter", "starter")));
    assert_eq!(table.act(Intent::Resign), Err(Refusal::NoPerson));
}

#[test]
fn an_answer_that_nobody_waits_for_changes_nothing() {
    let mut table = Table::new(GameInPlay::new(new_game("human", "human")));
    table.act(Intent::Ask(Question::Hint)).expect("a question");
    table.sow(0).expect("a move");
    let before = table.saved();
    assert!(table.game.hear(Answer::Failed, table.now).is_empty());
    assert_eq!(table.saved(), before);
}

#[test]
fn an_engine_that_fails_pauses_the_game_until_it_continues() {
    let mut table = Table::new(GameInPlay::new(new_game("starter", "human")));
    let events = table.game.hear(Answer::Failed, table.now);
    assert!(matches!(events[..], [Event::Failed(Question::Move(..))]));
    assert!(table.game.is_paused() && table.game.thinking().is_none());
    table.act(Intent::Continue).expect("a paused game");
    table.settle();
    assert!(!table.letters().is_empty());
}

#[test]
fn a_change_of_the_engine_applies_at_once_and_to_the_saved_game() {
    let mut table = Table::new(GameInPlay::new(new_game("human", "starter")));
    table.act(Intent::Engine(seat("nodes=7"))).expect("an engine");
    assert!(table.saved().contains("human, nodes=7"));
    let mut people = Table::new(GameInPlay::new(new_game("human", "human")));
    assert_eq!(people.act(Intent::Engine(seat("nodes=7"))), Err(Refusal::NoEngine));
}

#[test]
fn the_coach_judges_a_move_of_a_person_before_the_engine_replies() {
    let new = kalah_play::game::NewGame { has_coach: true, ..new_game("human", "starter") };
    let mut table = Table::new(GameInPlay::new(new));
    // The last pit passes the turn.
    table.sow(3).expect("a move");
    assert!(matches!(table.asked, Some((Question::LastMove, _))));
    assert_eq!(table.game.thinking(), Some(Side::North));
    // Its judgement fails, and the game goes on without it.
    assert!(table.answer());
    assert!(matches!(table.asked, Some((Question::Move(..), _))));
}
