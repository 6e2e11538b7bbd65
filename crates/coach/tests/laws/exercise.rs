//! The goals of exercises, and what is said about a move that misses one.

use kalah_coach::exercise::{Exercise, ExerciseAnswer, ReplyKind};
use kalah_game::{Capture, Position};
use serde_json::{Value, json};

use super::pits;

fn exercise(position: &str, goal: &Value) -> Exercise {
    let exercise = json!({
        "title": "", "text": [], "position": position, "goal": goal, "hint": "Count.",
        "solution": "BA", "lesson": "That is why.",
    });
    serde_json::from_value(exercise).unwrap()
}

/// What the reply to a first move says; `Right`, or `More` if the goal can still be reached.
#[track_caller]
fn says(position: &str, goal: Value, letter: &str, wanted: &str) {
    let exercise = exercise(position, &goal);
    let pit = pits(&exercise.position, letter)[0];
    let reply = exercise.reply(&[], ExerciseAnswer::Sow(pit)).unwrap();
    let is_right = matches!(reply.kind, ReplyKind::Right | ReplyKind::More);
    assert_eq!(reply.step.is_some(), is_right);
    let said = format!("{:?} {}", reply.kind, reply.text);
    assert!(said.contains(wanted), "{position}, {goal}, {letter}: {said}");
}

#[test]
fn a_missed_capture_is_explained_by_where_the_last_seed_fell() {
    let board = "<3,0,0,1,1,0,3,0,2> S";
    // B falls into the empty C, opposite the three seeds of a.
    says(board, json!({ "captures": 3 }), "B", "Right. That");
    says(board, json!({ "captures": 4 }), "B", "captures only 3 seeds; another");
    says(board, json!({ "captures": 1 }), "A", "which is not empty: nothing");
    says("<3,0,0,1,0,2,3,0,2> S", json!({ "captures": 1 }), "A", "so is the one opposite");
    says("<3,0,0,1,0,2,3,0,2> S", json!({ "captures": 1 }), "C", "an empty pit of your own");
    says("<3,0,0,1,0,1,3,0,2> S", json!({ "captures": 1 }), "C", "into your store");
}

#[test]
fn extra_turns_are_counted_with_those_that_can_follow() {
    // After A, only C keeps the turn; after B, C, A and C do.
    let board = "<3,0,0,3,2,0,3,3,3> S";
    says(board, json!({ "extra-turns": 1 }), "A", "Right");
    says(board, json!({ "extra-turns": 2 }), "A", "More");
    says(board, json!({ "extra-turns": 3 }), "A", "only one other pit does");
    says(board, json!({ "extra-turns": 4 }), "B", "More");
    says(board, json!({ "extra-turns": 5 }), "B", "only 3 more extra turns");
    let board = "<3,0,0,1,0,1,3,3,3> S";
    says(board, json!({ "extra-turns": 2 }), "C", "no other pit does");
    says(board, json!({ "extra-turns": 1 }), "A", "Your store is 3 steps from A");
    let passing = "<3,0,0,1,3,0,3,3,3> S";
    says(passing, json!({ "extra-turns": 1 }), "B", "Your store is 2 steps from B");
    // The second of two steps: the goal is reached with it, and not by a move that passes.
    let exercise = exercise("<3,0,0,3,2,0,3,3,3> S", &json!({ "extra-turns": 2 }));
    let moves = pits(&exercise.position, "AC");
    let second = exercise.reply(&moves[..1], ExerciseAnswer::Sow(moves[1])).unwrap();
    assert_eq!(second.kind, ReplyKind::Right);
    let passes = pits(&exercise.position, "B")[0];
    let second = exercise.reply(&moves[..1], ExerciseAnswer::Sow(passes)).unwrap();
    assert_eq!(second.kind, ReplyKind::Wrong);
    assert!(exercise.reply(&moves, ExerciseAnswer::Sow(moves[1])).is_err(), "an empty pit");
}

#[test]
fn a_move_that_leaves_a_capture_names_the_largest_one_and_the_pit_that_makes_it() {
    let goal = json!("leaves-no-capture");
    let board = "<3,0,0,4,0,1,1,0,0> S";
    says(board, goal.clone(), "C", "keeps the turn, so you must move again");
    // After A, a falls into the empty b, opposite the six seeds of B.
    let board = "<3,0,0,1,5,0,1,0,0> S";
    says(board, goal.clone(), "A", "capture 6 from B, by sowing a");
    says(board, goal, "B", "Right");
}

#[test]
fn the_last_seed_and_the_best_margin_decide_the_other_goals() {
    let start = "<3,0,0,2,2,2,2,2,2> S";
    says(start, json!({ "last-seed-in": "C" }), "A", "Right");
    says(start, json!({ "last-seed-in": "a" }), "C", "Right");
    says(start, json!({ "last-seed-in": "C" }), "B", "so the last one falls into your store");
    // Sowing C takes the last seed home and leaves A and B nothing to lose.
    let ending = "<2,0,0,0,1,0,3> S";
    says(ending, json!("best-margin"), "B", "Right");
}

#[test]
fn a_reason_that_is_given_replaces_the_computed_one() {
    let mut exercise = exercise("<3,0,0,2,2,2,2,2,2> S", &json!({ "last-seed-in": "C" }));
    let pit = pits(&exercise.position, "B")[0];
    let hint = exercise.reply(&[], ExerciseAnswer::Hint).unwrap();
    assert_eq!((hint.kind, &*hint.text, hint.step), (ReplyKind::Hint, "Hint: Count.", None));
    let solution = exercise.reply(&[], ExerciseAnswer::Solution).unwrap();
    assert_eq!((solution.kind, solution.step), (ReplyKind::Solution, None));
    assert!(solution.text.contains(" B, then A."), "{}", solution.text);
    exercise.position.play(pit).unwrap();
    assert!(exercise.reply(&[], ExerciseAnswer::Sow(pit)).is_err(), "the pit is empty now");
}

#[test]
fn a_solution_of_several_moves_is_sown_in_its_order_and_a_hint_is_that_of_the_exercise() {
    let mut fields = json!({
        "title": "", "text": [], "position": "<2,0,0,1,1,1,1> S", "goal": { "captures": 1 },
        "hint": "Count.", "lesson": "",
    });
    let start = Position::parse("<2,0,0,1,1,1,1> S", Capture::Standard).unwrap();
    let mut reply = |solution: &str, answer| {
        fields["solution"] = solution.into();
        let exercise: Exercise = serde_json::from_value(fields.clone()).unwrap();
        let letters = exercise.solution().iter().map(|(played, _)| played.letter()).collect();
        assert_eq!((letters, exercise.position), (solution.to_owned(), start));
        let mut end = start;
        for (played, after) in exercise.solution() {
            assert_eq!(end.play(played.pit), Ok(played));
            assert_eq!(after, end);
        }
        let reply = exercise.reply(&[], answer).unwrap();
        (reply.kind, reply.text)
    };
    let why = "to see why.";
    let one = format!("The solution is B. Sow it {why}");
    assert_eq!(reply("B", ExerciseAnswer::Solution), (ReplyKind::Solution, one));
    let two = format!("The solution is B, then A. Sow them in this order {why}");
    assert_eq!(reply("BA", ExerciseAnswer::Solution), (ReplyKind::Solution, two));
    let hint = (ReplyKind::Hint, "Hint: Count.".to_owned());
    assert_eq!(reply("B", ExerciseAnswer::Hint), hint);
}
