//! Games that are saved, continued, loaded and listed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use super::pipe::{TWO, assert_shows, run_in, shown_in, started};
use crate::folder::Ran;

#[test]
fn the_comment_on_a_game_is_shown_at_its_start_and_saved_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("1.kgn");
    let theirs = "[South \"Alice\"]\n[Coach \"yes\"]\n[TimeControl \"300+3\"]\n\n{before} 1. A *\n";
    fs::write(&file, theirs).unwrap();
    let text = shown_in(folder.path(), &[&TWO[..], &["--resume"]].concat(), "first\nlast\na\n");
    assert_shows(&text, &["Turn 0 of 1: South to move. (before)"]);
    // The game of other players and a different program is continued in a new file.
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    fs::remove_file(&file).unwrap();
    let saved = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let saved = fs::read_to_string(saved).unwrap();
    assert_shows(&saved, &["[Coach \"yes\"]", "{before} 1. A 2. a"]);
    // The clock of a different program does not apply to the game that this one continues.
    assert!(!saved.contains("TimeControl"), "{saved}");
}

#[test]
fn a_game_saved_before_its_swap_is_shown_keeps_its_players() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--side", "north", "--level", "starter", "--pie"];
    shown_in(folder.path(), &arguments, "swap\nundo\nquit\n");
    let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let saved = fs::read_to_string(file).unwrap();
    assert_shows(&saved, &["[South \"human\"]", "[North \"kalah\"]"]);
    assert!(
        saved.contains("[SwappedAfter ") && saved.contains("[Seats \"human, starter\"]"),
        "{saved}"
    );
}

#[test]
fn a_copy_replaces_neither_a_different_game_nor_any_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let [copy, other] = ["x.kgn", "precious.txt"].map(|name| folder.path().join(name));
    fs::write(&other, "precious").unwrap();
    let [save, spoil] = [&copy, &other].map(|path| format!("save {}\n", path.display()));
    let script = format!("A\n{save}a\n{save}{spoil}new\nF\n{save}");
    let text = shown_in(folder.path(), &TWO, &script);
    let [of_copy, of_other] =
        [&copy, &other].map(|path| format!("The file {} already exists", path.display()));
    assert_shows(&text, &["Saved as", "Saved as", &of_other, &of_copy]);
    assert!(fs::read_to_string(copy).unwrap().contains("1. A 2. a"));
    assert_eq!(fs::read_to_string(other).unwrap(), "precious");
}

#[test]
fn a_resigned_game_is_resumed_from_an_earlier_position() {
    let folder = tempfile::tempdir().unwrap();
    shown_in(folder.path(), &["--depth", "1"], "A\nresign\nquit\n");
    let text = shown_in(folder.path(), &["--resume", "1"], "hint\ngo\nquit\n");
    assert_shows(&text, &["resignation", "The game continues from here."]);
    assert!(!text.contains("The game is over"), "{text}");
}

#[test]
fn the_end_of_the_input_saves_the_game_and_resume_continues_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = shown_in(folder.path(), &["--depth", "3"], "C\nB\n");
    let command = format!(
        "'kalah play --resume --games {}' continues it.\n",
        kalah_text::names::argument(folder.path())
    );
    assert!(text.ends_with(&command), "{text}");
    let text = shown_in(folder.path(), &["--resume"], "moves\nundo\nundo\nboard\n");
    assert_shows(
        &text,
        &[
            "Loaded: South (you) against North (depth=3)",
            "  1. CB",
            "Took back",
            "South: A 4, B 4, C 4, D 4, E 4, F 4, store 0.",
        ],
    );
    let games = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(games, 1, "a resumed game stays in its file");
}

#[test]
fn games_of_match_runners_are_stepped_through_with_their_comments() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.kgn");
    let text = "[South \"alpha\"]\n[North \"beta\"]\n[Result \"0-1\"]\n[Termination \"time\"]\n\n\
                1. C {+0.50/12 0.012s} A {book} a {a quiet move} 0-1\n\n\
                [South \"beta\"]\n[North \"alpha\"]\n\n1. A *\n";
    fs::write(&file, text).unwrap();
    let name = file.to_str().unwrap();
    let text = shown_in(folder.path(), &["--load", name], "next\nlast\nnext\n");
    assert_shows(
        &text,
        &[
            "Loaded game 1 of 2: South (alpha) against North (beta), 3 moves. North won (time).",
            "Turn 1 of 2: South sowed C (4 seeds) and ended in its store. South moves again. (the mover expected a margin of about +0.5)",
            "(a quiet move)",
            "This is the last move of the game.",
        ],
    );
    let second = format!("{name}#2");
    let text = shown_in(folder.path(), &["--load", &second, "--depth", "2"], "");
    assert_shows(&text, &["Loaded game 2 of 2: South (beta) against North (alpha), 1 move."]);
}

#[test]
fn a_damaged_file_is_refused_with_its_line_and_the_game_continues() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("damaged.kgn");
    fs::write(&file, "[South \"a\"]\n\n1. C A\n2. Z *\n").unwrap();
    let name = file.to_str().unwrap();
    let Ran { code, errors, .. } = run_in(folder.path(), &["--load", name], "");
    assert_eq!(code, Some(1));
    assert!(errors.contains("damaged.kgn: line 4, column"), "{errors}");
    let text =
        shown_in(folder.path(), &TWO, &format!("C\nload {name}\nload /nowhere\nload /\nboard\n"));
    assert_shows(&text, &["damaged.kgn: line 4", "Cannot read /nowhere", "Cannot read /", "C 0"]);
}

#[test]
fn options_that_a_saved_game_overrides_are_named() {
    let folder = tempfile::tempdir().unwrap();
    shown_in(folder.path(), &["--level", "starter"], "A\nquit\n");
    let expected = "only new games use --level and --pits and --pie\n";
    let given = ["--resume", "--level", "expert", "--pits", "4", "--pie"];
    let ran = run_in(folder.path(), &given, "quit\n");
    assert!(ran.errors.ends_with(expected), "{ran:?}");
    shown_in(folder.path(), &["--resume", "--coach"], "quit\n");
}

#[test]
fn a_reader_that_goes_away_ends_the_session_and_the_game_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = started(folder.path(), &TWO);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    for line in ["C\n", "A\n", "board\n", "board\n"] {
        let _ = input.write_all(line.as_bytes());
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    // The output cannot be written, so either nothing was played, or it was saved.
    for file in fs::read_dir(folder.path()).into_iter().flatten() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(text.contains("[Seats \"human, human\"]"), "{text}");
    }
}

#[test]
fn an_unwritable_folder_is_reported_and_the_game_continues() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let text = shown_in(&file.join("games"), &TWO, "C\nA\nboard\n");
    assert_shows(&text, &["Cannot write", "this game is no longer saved", "A 0"]);
    assert_eq!(text.matches("Cannot write").count(), 1);
}

#[test]
fn a_game_is_saved_as_soon_as_that_is_possible() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::write(&games, "").unwrap();
    let mut child = started(&games, &TWO);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"E\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.contains("this game is no longer saved")).expect("a failure");
    fs::remove_file(&games).unwrap();
    input.write_all(b"a\nquit\n").unwrap();
    let rest: Vec<_> = lines.collect();
    assert!(rest.iter().any(|line| line.starts_with("The game is now saved in ")), "{rest:?}");
    assert!(saved(&games)[0].ends_with("\n1. E 2. a *\n\n"));
    assert!(child.wait().unwrap().success());
}

/// The texts of the saved games, the oldest first.
pub(super) fn saved(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn a_finished_game_stays_in_its_file_and_a_different_continuation_gets_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let position = ["--position", "<2,0,0,1,1,0,1> S", TWO[0], TWO[1], TWO[2], TWO[3]];
    let text = shown_in(folder.path(), &position, "b\na\nb\nquit\n");
    assert_shows(&text, &["South wins 2 to 1.", "'kalah games 1 --report DIR --games "]);
    let before = saved(folder.path());
    assert!(before.len() == 1 && before[0].ends_with("\n1. BA 2. b 1-0\n\n"), "{before:?}");

    let folder = tempfile::tempdir().unwrap();
    let text = shown_in(folder.path(), &position, "b\na\nb\nfirst\na\nmoves\nb\nquit\n");
    assert_shows(&text, &["kept as variation 1.", "South sowed A", "(1 variation)", "wins"]);
    let games = saved(folder.path());
    assert!(games.len() == 2 && games[0].ends_with("\n1. BA 2. b 1-0\n\n"), "{games:?}");
    assert!(games[1].ends_with("\n1. A (1. BA 2. b) 2. b 1-0\n\n"), "{games:?}");
}

#[test]
fn a_move_from_a_past_position_makes_a_variation_to_go_back_to() {
    let folder = tempfile::tempdir().unwrap();
    let script = "A\na\nB\nfirst\nC\nvariation\nvariation 1\nmoves\nvariation 2\nquit\n";
    let text = shown_in(folder.path(), &TWO, script);
    assert_shows(
        &text,
        &[
            "The moves that followed are kept as variation 1.",
            "South sowed C",
            "Variation 1: 1. A 2. a 3. B",
            "Variation 1, 3 moves;",
            "  1. A        2. a",
            "No variation 2: there is only one.",
        ],
    );
    assert!(saved(folder.path())[0].ends_with("\n1. A (1. C) 2. a 3. B *\n\n"));
    let script = "moves\nvariation 1\nquit\n";
    let resumed = shown_in(folder.path(), &["--resume"], script);
    assert_shows(&resumed, &["  1. A        2. a", "3. B", "Variation 1, 1 move;"]);
    let resumed = shown_in(folder.path(), &["--resume"], "variation 1\nnext\nquit\n");
    assert_shows(&resumed, &["Variation 1, 3 moves", "This is the last move of the game."]);
}

#[test]
fn a_game_with_clocks_saves_its_times_and_continues_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let clocks = ["--depth", "2", "--clock", "5+3"];
    let text = shown_in(folder.path(), &clocks, "C\nA\nboard\nquit\n");
    assert_shows(&text, &["48 seeds, clock 5+3.", "Time left: South 5:0", ", North 5:0"]);
    let file = &saved(folder.path())[0];
    assert!(file.contains("[TimeControl \"300+3\"]") && file.contains("1. C {"), "{file}");
    // South has gained three seconds for each of two moves, and none for an undone one.
    let text = shown_in(folder.path(), &["--resume"], "board\nfirst\nboard\nquit\n");
    assert_shows(&text, &["Time left: South 5:0", "Time left: South 5:00, North 5:00."]);
}

#[test]
fn saved_games_are_listed_and_chosen_by_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let games = |arguments: &[&str]| {
        let mut command = crate::kalah();
        command.arg("games").args(arguments).arg("--games").arg(folder.path());
        let ran = Ran::from(command.output().unwrap());
        ran.shown + &ran.errors
    };
    assert!(games(&[]).starts_with("There are no saved games in "));
    shown_in(
        folder.path(),
        &["--position", "<2,0,0,1,1,0,1> S", "--level", "beginner"],
        "b\na\nb\n",
    );
    shown_in(folder.path(), &["--depth", "1"], "C\n");
    let list = games(&[]);
    let lines: Vec<_> = list.lines().collect();
    assert!(lines[0].starts_with("1. 20") && lines.len() == 2, "{list}");
    assert!(lines[0].ends_with(": you against kalah, depth=1; unfinished, 1 move."), "{list}");
    assert!(lines[1].contains("kalah, beginner; South by 1, "), "{list}");
    let text = games(&["2", "--plain"]);
    let headline = "you (South) - kalah, beginner (North), 1-0, by 1 seed, ";
    assert_shows(&text, &[headline, "1. South sowed B"]);
    let page = folder.path().join("page");
    games(&["2", "--report", page.to_str().unwrap()]);
    let page = fs::read_to_string(page.join("index.html")).unwrap();
    assert!(page.contains("human against kalah</h1>"), "{page}");
    assert!(games(&["3"]).contains(": no game 3: there are 2"));
    let text = shown_in(folder.path(), &["--resume", "2"], "analyse\nnext\n");
    assert_shows(&text, &["South won. next and back step", "South lost ", "Turn 1 of "]);
    assert!(games(&[]).contains("South by 1"), "a finished game stays in the list");
    shown_in(folder.path(), &["--depth", "1"], "C\n");
    let list = games(&[]);
    assert!(list.contains("\nNot listed: 1 unfinished game with a single move; --all"), "{list}");
    let [first, last] =
        [0, 2].map(|line| games(&["--all"]).lines().nth(line).unwrap()[..1].to_owned());
    assert_eq!([first, last], ["1", "3"].map(str::to_owned));
}
