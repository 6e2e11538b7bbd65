//! Scripts through a pipe: one sentence per move, nothing drawn.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::files::saved;
use crate::folder::Ran;

/// `kalah play` with its games in `folder`.
pub(crate) fn play(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = crate::kalah();
    command.arg("play").args(arguments).arg("--games").arg(folder);
    for name in ["NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE", "RUST_LOG"] {
        command.env_remove(name);
    }
    command.env("LANG", "C.UTF-8").env("TERM", "xterm-256color");
    // No history, unless a test wants one.
    command.env("XDG_STATE_HOME", crate::NO_FOLDER);
    command
}

pub(super) fn started(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = play(folder, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

pub(super) fn run_in(folder: &Path, arguments: &[&str], script: &str) -> Ran {
    Ran::with_input(play(folder, arguments), script)
}

/// The same with a folder of its own.
fn run(arguments: &[&str], script: &str) -> Ran {
    run_in(tempfile::tempdir().unwrap().path(), arguments, script)
}

/// The output for a script.
pub(super) fn shown(arguments: &[&str], script: &str) -> String {
    shown_in(tempfile::tempdir().unwrap().path(), arguments, script)
}

pub(super) fn shown_in(folder: &Path, arguments: &[&str], script: &str) -> String {
    let Ran { code, shown, errors } = run_in(folder, arguments, script);
    assert_eq!(code, Some(0), "{shown}{errors}");
    assert_eq!(errors, "");
    shown
}

pub(super) fn assert_shows(text: &str, sentences: &[&str]) {
    let mut rest = text;
    for sentence in sentences {
        let at = rest.find(sentence);
        let at = at.unwrap_or_else(|| panic!("expected in order: {sentence}\n---\n{text}"));
        rest = &rest[at + sentence.len()..];
    }
}

pub(super) const TWO: [&str; 4] = ["--south", "human", "--north", "human"];

#[test]
fn only_a_line_that_is_too_long_is_refused_and_the_game_continues() {
    let script = format!("C\n{}\nA\nboard\n", "x".repeat(1_000_000));
    let text = shown(&TWO, &script);
    assert_shows(&text, &["ine too long (limit 4096 bytes)", "South: A 0, B 5, C 1"]);
}

#[test]
fn two_people_play_a_game_in_sentences() {
    let board = ["--pits", "3", "--seeds", "2"];
    let text = shown(&[TWO, board].concat(), "B\nA\na\nb\n");
    assert_shows(
        &text,
        &[
            "Kalah, 3 pits, 12 seeds. South against North.\n",
            "South sowed B (2 seeds) and ended in its store. South moves again.\n",
            "South sowed A (2 seeds). North to move.\n",
            "North sowed a (2 seeds). South to move.\n",
            "South sowed B (1 seed)",
        ],
    );
    assert!(!text.contains('\x1b') && !text.contains('│'), "{text}");
}

#[test]
fn every_command_answers() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.kgn");
    let script = format!(
        "rules\nhelp\nlevel\nmoves\nboard\nC\nA\nhint\neval\nmoves\nundo\nredo\nback\nfirst\nnext\n\
         last\ngo\nflip\nlevel beginner\nsave {0}\nanalyse\nswap\nnow\nresign\nundo\nresign\nnew\n\
         load {0}\nquit\n",
        saved.display()
    );
    let text = shown_in(folder.path(), &["--depth", "4"], &script);
    assert_shows(
        &text,
        &[
            "against North (depth=4).",
            "If the last seed falls into your store, you move again.",
            "undo (u)",
            "beginner",
            "No moves yet.",
            "South: A 4, B 4, C 4, D 4, E 4, F 4, store 0.\nNorth: a 4, b 4, c 4, d 4, e 4, f 4, store 0.\nSouth to move.\n",
            "South moves again.",
            "South sowed A",
            "North sowed",
            "Hint: ",
            "final margin, pit by pit:",
            "  1. CA",
            "Took back",
            "South to move.",
            "Replayed",
            "Turn ",
            "Turn 0 of",
            "Turn 1 of",
            "The game continues from here.",
            "North is now at the bottom.",
            "The engine plays as beginner: ",
            "Saved as",
            "Analysing",
            "South lost",
            "South's margin, move by move",
            "Only the second player can swap sides, under the pie rule",
            "The engine is not thinking.",
            "South resigns; North wins. You lose.",
            "Took back the resignation.",
            "South resigns",
            "Kalah, 6 pits, 48 seeds.",
            "Loaded: South (you) against North (beginner), 4 moves.",
        ],
    );
}

#[test]
fn the_list_of_commands_fits_a_screen_of_24_lines() {
    let [with, without] =
        ["help\nquit\n", "quit\n"].map(|script| shown(&TWO, script).lines().count());
    assert!((10..23).contains(&(with - without)), "{}", with - without);
}

#[test]
fn a_typing_error_gets_a_helpful_line_and_loses_nothing() {
    // What is said about other errors is tested where commands are parsed.
    let script = "C\nuno\nc\n\u{0}\u{1}\nboard\n";
    let text = shown(&TWO, script);
    assert_shows(
        &text,
        &["did you mean undo?", "Pit C is empty.", "South: A 4, B 4, C 0, D 5, E 5, F 5, store 1."],
    );
}

#[test]
fn undo_goes_back_to_my_last_decision_across_extra_turns() {
    let script = "C\nA\nundo\nboard\nundo\nboard\nundo\nredo\nredo\nredo\n";
    let text = shown(&["--depth", "3"], script);
    assert_shows(
        &text,
        &[
            "Took back",
            "South: A 4, B 4, C 0, D 5, E 5, F 5, store 1.",
            "Took back 1 move.",
            "South: A 4, B 4, C 4, D 4, E 4, F 4, store 0.",
            "Nothing to undo: this is your first decision of the game.",
            "Replayed 1 move.",
            "Replayed",
            "Nothing to redo: no move was undone.",
        ],
    );
}

#[test]
fn the_second_player_may_swap_sides_under_the_pie_rule() {
    let script = "A\nswap\nboard\nc\nundo\nundo\nmoves\n";
    let text = shown(&[TWO.as_slice(), &["--pie"]].concat(), script);
    assert_shows(
        &text,
        &[
            "pie rule",
            "Instead of moving you may swap sides with swap.",
            "North swaps sides.",
            "North to move.",
            "Took back 1 move.",
            "Took back 1 move.",
            "  1. A",
        ],
    );
}

#[test]
fn the_engine_plays_itself_to_the_end_without_input() {
    let folder = tempfile::tempdir().unwrap();
    let text = shown_in(folder.path(), &["--south", "depth=2", "--north", "nodes=50"], "");
    assert_shows(
        &text,
        &["South (depth=2) against North (nodes=50)", "South sowed", "North sowed"],
    );
    assert!(text.contains(" wins ") || text.contains("draw"), "{text}");
    let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    assert!(fs::read_to_string(&file).unwrap().contains("[South \"kalah\"]"));
    // A finished game can be stepped through.
    let text = shown_in(
        folder.path(),
        &["--load", file.to_str().unwrap()],
        "next\nnext\nback\nlast\nback\n",
    );
    assert_shows(&text, &["next and back step through it", "Turn 1 of", "Turn ", "Turn 1 of"]);
}

#[test]
fn a_game_starts_from_a_position_or_an_opening_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    fs::write(&file, "CA # first\n<2,0,0,1,2,3,4> N\n").unwrap();
    let name = |number| format!("{}#{number}", file.display());
    let start = |option: &str, value: &str| {
        shown_in(folder.path(), &[TWO.as_slice(), &[option, value]].concat(), "board\n")
    };
    assert_shows(&start("--opening", &name(1)), &["South: A 0, B 5, C 1,", "North to move."]);
    assert_shows(&start("--opening", &name(2)), &["South: A 1, B 2,", "North to move."]);
    let text = start("--position", "<2,0,0,1,2,3,4> N");
    assert_shows(&text, &["South: A 1, B 2,", "North: a 3, b 4, store 0.", "North to move."]);
    let missing = run_in(folder.path(), &["--opening", &name(3)], "");
    assert_eq!(missing.code, Some(2));
    assert!(missing.errors.contains("no opening 3: there are 2"));
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (vec!["--level", "godlike"], "expected a level"),
        (vec!["--time", "soon"], "'--time <TIME>': expected a time such as 2s"),
        (vec!["--south", "nobody"], "expected a person"),
        (vec!["--pits", "99"], "expected 1 to 16 pits"),
        (vec!["--position", "<6>"], "expected 15 numbers"),
    ] {
        let Ran { code, errors, .. } = run_in(folder.path(), &arguments, "");
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    }
    let refused = run_in(folder.path(), &["--resume"], "");
    assert_eq!(refused.code, Some(1));
    assert!(refused.errors.contains("no unfinished game in"));
}

#[cfg(feature = "tui")]
#[test]
fn full_screen_mode_requires_a_terminal() {
    let refused = run(&["--tui"], "");
    assert_eq!(refused.code, Some(2));
    assert!(refused.errors.contains("--tui needs a terminal"));
}

#[test]
fn a_letter_does_not_sow_for_the_engine_in_a_past_position() {
    let text = shown(&["--depth", "1"], "A\nfirst\nnext\na\nmoves\nquit\n");
    assert_shows(
        &text,
        &["It is North's turn, and depth=1 plays North; resume play with go.", "1. A"],
    );
}

#[test]
fn turns_have_one_numbering_and_two_people_see_who_swapped() {
    let arguments = [&TWO[..], &["--pie"]].concat();
    let text = shown(&arguments, "C\nA\nswap\nC\nA\nB\nmoves\nback\nquit\n");
    assert_shows(
        &text,
        &[
            "South (player 1) against North (player 2)",
            "South (player 2) against North (player 1)",
            "  1. CA (swap) 2. ca",
            "  3. B",
            "Turn 2 of 3:",
        ],
    );
}

#[test]
fn a_finished_position_reports_its_result() {
    let text = shown(&["--position", "<1,3,1,0,2> S"], "hint\n1\nquit\n");
    let shown = [
        "Kalah, 1 pit, 6 seeds.",
        "a draw, 3 to 3.",
        "is over",
        "Expected a pit's letter, A, got a number",
    ];
    assert_shows(&text, &shown);
}

#[cfg(unix)]
#[test]
fn a_clock_stops_while_the_program_is_suspended() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = tempfile::tempdir().unwrap();
    let started_at = Instant::now();
    let mut child = started(folder.path(), &[&TWO[..], &["--clock", "60"]].concat());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map(|line| line.expect("UTF-8"));
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"C\n").unwrap();
    assert!(lines.any(|line| line.contains("South sowed C")));
    let id = Pid::from_child(&child);
    kill_process(id, Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    kill_process(id, Signal::CONT).unwrap();
    input.write_all(b"A\nquit\n").unwrap();
    drop(input);
    lines.for_each(drop);
    assert!(child.wait().unwrap().success());
    let all = started_at.elapsed().as_secs_f64();
    let file = &saved(folder.path())[0];
    let used = file.split_once(" A {").and_then(|(_, rest)| rest.split_once('s')).unwrap().0;
    let used: f64 = used.trim_start_matches("; ").parse().unwrap();
    // All other time may have been spent on the move, depending on the machine.
    assert!(used <= all - 2.5, "{used} of {all}");
}

#[test]
fn a_coach_names_what_a_move_loses_and_what_openings_are_worth() {
    let folder = tempfile::tempdir().unwrap();
    let text = shown_in(folder.path(), &["--coach", "--depth", "1"], "A\nundo\nC\nF\nquit\n");
    assert_shows(
        &text,
        &[
            "With best play, you win by 8.",
            "South sowed A (4 seeds). North to move.\nWith best play, North wins by 14.",
            "Coach: ",
            "C keeps the turn: you win by 8 instead of losing by 14",
            "Take it back with undo.",
            "North sowed",
            "Took back",
            "South sowed C",
            "With best play, you win by 8.\nSouth sowed F",
            "North sowed",
        ],
    );
    assert_eq!(text.matches("With best play").count(), 3, "where it changes: {text}");
    assert_eq!(text.matches("Coach: ").count(), 1, "{text}");
    let other = shown_in(folder.path(), &["--depth", "1"], "A\nundo\nhint\nquit\n");
    assert!(!other.contains("Coach") && !other.contains("With best play"), "{other}");
    assert_shows(
        &other,
        &[
            "Hint: C (4 seeds), an extra turn, with which you win by 8",
            "Why not F, the next best? ",
            "you win by 8 instead of 4",
        ],
    );
}

#[test]
fn a_coach_judges_two_people_and_a_hint_names_a_capture() {
    let start = ["--coach", "--position", "<3,0,0,1,0,2,1,9,1> S", TWO[0], TWO[1], TWO[2], TWO[3]];
    let text = shown(&start, "c\nundo\nhint\nquit\n");
    assert_shows(
        &text,
        &[
            "South sowed C",
            "Coach: ",
            "A captures 9 from b: ",
            "Take it back with undo.",
            ", captures 9, with",
        ],
    );
}

#[test]
fn an_analysis_explains_each_mistake_and_names_the_decisive_one() {
    let position = ["--position", "<6,17,21,0,3,2,0,1,0,4,0,0,0,0,0> S"];
    let text = shown(&[&position[..], &TWO].concat(), "C\nanalyse\n");
    assert_shows(
        &text,
        &[
            "South lost 12.0 seeds in 1 move: 1 blunder (??)",
            "North lost 0.0 seeds in 0 moves: no mistakes",
            "Turn 1 decided the game: C turned a win by 6 for South into a loss by 6.",
            "   1  South  C??     E  12.0  exact\n",
            "      C lets North capture 3 from B; E captures 4 from a: South wins by 6\n      \
             instead of losing by 6.",
        ],
    );
}

#[test]
fn the_engine_delays_its_reply_if_asked_to() {
    let started = Instant::now();
    let text = shown(&["--depth", "1", "--pause", "1"], "A\nquit\n");
    assert_shows(&text, &["South sowed A", "North sowed"]);
    assert!(started.elapsed() >= Duration::from_secs(1));
}
