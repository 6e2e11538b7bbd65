//! The tutorial and the puzzles, answered through a pipe.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use super::pipe::{assert_shows, shown_in};
use crate::folder::Ran;
use kalah_coach::puzzle::{self, Motif};
use kalah_sys::lock::FileLock;

/// The output of `kalah` with these arguments for the lines in a script.
fn answered(arguments: &[&str], script: &str) -> String {
    let mut command = crate::kalah();
    command.args(arguments).env("XDG_STATE_HOME", crate::NO_FOLDER).env_remove("RUST_LOG");
    let Ran { code, shown, errors } = Ran::with_input(command, script);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(errors, "");
    shown
}

#[test]
fn lessons_solved_in_the_terminal_are_kept_for_the_page() {
    let state = tempfile::tempdir().unwrap();
    let mut command = crate::kalah();
    command.arg("learn").env("XDG_STATE_HOME", state.path()).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"A\nB\n\nA\n");
    assert!(child.wait().unwrap().success());
    let kept = fs::read_to_string(state.path().join("kalah/games/puzzles.jsonl")).unwrap();
    let lessons = kept.lines().filter(|line| line.contains(r#""lesson":"#));
    assert_eq!(lessons.filter(|line| line.contains("Sowing")).count(), 1, "{kept}");
}

#[test]
fn the_tutorial_is_played_to_its_end() {
    let text = answered(
        &["learn"],
        "A\nhint\nB\n\nF\nnext\nB\n\nB\nF\nA\n\nF\nA\n\nB\nE\n\nD\nsolution\nE\n\nC\nD\nC\nE\n\n",
    );
    assert_shows(
        &text,
        &[
            "Lesson 1 of 8: Sowing",
            "South: A 4, B 4",
            "Not quite. A holds 4 seeds, so the last one falls into pit E. Try again, or type hint.",
            "Hint: ",
            "South sowed B (4 seeds). North to move.",
            "Right. Four seeds from B",
            "Lesson 2 of 8",
            "Right. ",
            "Lesson 3 of 8",
            "Right. ",
            "Lesson 4 of 8: The capture",
            "B captures only 2 seeds; another pit captures more.",
            "F holds 4 seeds, so the last one falls into pit c. You capture only if the last seed",
            "captured 6 from d",
            "Lesson 5 of 8",
            "F lets North capture 9 from A, by sowing d.",
            "Right. ",
            "Lesson 6 of 8",
            "With B, you draw instead of winning by 6.",
            "South wins 27 to 21.",
            "Lesson 7 of 8",
            "D earns an extra turn, but",
            "The solution is E.",
            "Right. ",
            "Lesson 8 of 8",
            "C keeps the turn, but after that, no other pit does.",
            "moves again.",
            "moves again.",
            "Right. ",
            "This was the last lesson.",
        ],
    );
}

#[test]
fn wrong_input_is_answered_and_lessons_are_chosen_by_number() {
    let text = answered(&["learn", "8"], "help\nD\nagain\nrules\nfoo\nC\nnext\n");
    assert_shows(
        &text,
        &[
            "Lesson 8 of 8",
            "Type a pit's letter, A to F, to sow it, or a command: ",
            "South moves again.",
            "Lesson 8 of 8",
            "Each player has a row of 6 pits",
            "Expected a pit's letter, A to F, or a command (help lists them), got 'foo'.",
            "Not quite. ",
            "This was the last lesson.",
        ],
    );
    let refused = Ran::from(crate::kalah().args(["learn", "9"]).output().unwrap());
    assert_eq!(refused.code, Some(2));
    assert!(refused.errors.contains("no lesson 9: there are 8"));
}

#[test]
fn newcomers_are_invited_to_the_tutorial() {
    let folder = tempfile::tempdir().unwrap();
    let text = shown_in(folder.path(), &["--depth", "1"], "C\nquit\n");
    assert_shows(&text, &["New to Kalah? 'kalah learn' is a ten-minute tutorial."]);
    assert!(!shown_in(folder.path(), &["--depth", "1"], "quit\n").contains("New to Kalah?"));
}

/// `kalah puzzles` with its history in `folder`.
fn puzzles(folder: &Path, arguments: &[&str], script: &str) -> String {
    let folder = folder.to_str().expect("UTF-8");
    answered(&[&["puzzles", "--games", folder], arguments].concat(), script)
}

#[test]
fn answers_to_puzzles_make_a_streak_that_is_kept() {
    let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    // Their numbers are those of the page, whatever is selected or has been answered.
    let endgames = (1..).zip(puzzle::embedded()).filter(|(_, one)| one.motif == Motif::Endgame);
    let headings: Vec<String> =
        endgames.map(|(number, _): (usize, _)| format!("Puzzle {number}: ")).collect();
    let text = puzzles(first.path(), &["--motif", "endgame"], "solution\nsolution\nquit\n");
    assert_shows(
        &text,
        &["You have not solved any puzzles yet.", &headings[0], "Exactly one move is best for "],
    );
    let solution = text.split("The solution is ").nth(1).expect("a solution").split('.').next();
    let solution = solution.expect("a letter");
    let script = format!("hint\nnext\nback\n{solution}\nnext\nquit\n");
    let text = puzzles(second.path(), &["--motif", "endgame"], &script);
    assert_shows(
        &text,
        &["Hint: Count", "Right. ", "Your streak is 1.", "solved 1 of 1 puzzle at the first"],
    );
    let text = puzzles(second.path(), &["--motif", "endgame"], "solution\nquit\n");
    assert_shows(
        &text,
        &[
            "So far, you have solved 1 of 1 puzzle at the first attempt. Your streak is 1",
            &headings[1],
            "Your streak of 1 has ended.",
            "solved 1 of 2 puzzles",
            "Your streak is 0, and your longest is 1.",
        ],
    );
    let lines = fs::read_to_string(second.path().join("puzzles.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 3);
    let none = puzzles(first.path(), &["--own"], "");
    assert_shows(&none, &["There are no such puzzles."]);
}

#[test]
fn puzzles_do_not_wait_for_a_program_that_has_locked_their_history() {
    let folder = tempfile::tempdir().unwrap();
    puzzles(folder.path(), &[], "quit\n");
    let lock = FileLock::new(&folder.path().join("puzzles.jsonl")).unwrap();
    lock.lock().unwrap();
    let text = puzzles(folder.path(), &[], "solution\nquit\n");
    assert_shows(
        &text,
        &["Your answers are not being saved: ", "Puzzle 1: ", "The solution is ", "Your streak"],
    );
    assert_eq!(text.matches("in use by another process.").count(), 2, "{text}");
}

#[test]
fn answers_of_programs_that_run_simultaneously_are_all_kept() {
    const PROGRAMS: usize = 6;
    const ANSWERS: usize = 8;
    let folder = tempfile::tempdir().unwrap();
    let script = "solution\nnext\n".repeat(ANSWERS) + "quit\n";
    std::thread::scope(|scope| {
        for _ in 0..PROGRAMS {
            scope.spawn(|| puzzles(folder.path(), &[], &script));
        }
    });
    let lines = fs::read_to_string(folder.path().join("puzzles.jsonl")).unwrap();
    assert_eq!(lines.matches("\"answer\":").count(), PROGRAMS * ANSWERS, "{lines}");
    let text = puzzles(folder.path(), &[], "quit\n");
    assert_shows(&text, &["solved 0 of 48 puzzles"]);
}

#[test]
fn a_whole_turn_answers_an_exercise() {
    let answered = |turn: &str| answered(&["learn", "8"], &format!("{turn}\nquit\n"));
    let right = answered("solution");
    let moves = right.split_once("The solution is ").unwrap().1.split('.').next().unwrap();
    let letters: String = moves.chars().filter(char::is_ascii_uppercase).collect();
    for turn in [letters.clone(), letters.to_lowercase()] {
        assert!(answered(&turn).contains("Right"), "{letters}: {}", answered(&turn));
    }
}

#[test]
fn a_mistake_in_a_saved_game_becomes_a_puzzle_once() {
    // The page lists it under the same number.
    let number = puzzle::embedded().len() + 1;
    let folder = tempfile::tempdir().unwrap();
    let position = "<6,17,21,0,3,2,0,1,0,4,0,0,0,0,0> S";
    let game = ["--position", position, "--south", "human", "--north", "human"];
    shown_in(folder.path(), &game, "C\nresign\n");
    let text = puzzles(folder.path(), &["--own"], "B\nE\nquit\n");
    assert_shows(
        &text,
        &[
            "Looking for puzzles in 1 game",
            &format!("Puzzle {number}: "),
            "With B, you draw instead of winning by 6.",
            "Your streak stays at 0.",
            "Right. E captures 4 from a",
        ],
    );
    let again = puzzles(folder.path(), &["--own"], "quit\n");
    assert!(
        again.contains(&format!("Puzzle {number}: ")) && !again.contains("Looking for"),
        "{again}"
    );
}
