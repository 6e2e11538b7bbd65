//! Sessions typed at a terminal.

use std::fs;
use std::path::Path;

use super::pipe::play;
use super::pty::{Session, THINKING};

fn typed(arguments: &[&str], columns: u16) -> Session {
    Session::in_new_folder(|folder| play(folder, arguments), 40, columns)
}

/// A game at a terminal of the usual width, when it asks for a move.
fn begun(arguments: &[&str]) -> Session {
    let session = typed(arguments, 80);
    session.wait_for("South, A to F or help>");
    session
}

fn typed_in(folder: &Path, arguments: &[&str], columns: u16) -> Session {
    Session::start(play(folder, arguments), 40, columns)
}

#[test]
fn a_game_is_drawn_and_asks_for_pits_by_letter() {
    let mut session = begun(&["--depth", "3"]);
    session.send_line("c");
    session.wait_for("and ended in its store. South moves again.");
    session.wait_for("[C]");
    session.send_line("a");
    session.wait_for("North sowed");
    session.wait_for("South (you) to move");
    let screen = session.screen();
    assert!(screen.contents().contains("◀──") && screen.contents().contains('│'));
    session.send_line("quit");
    assert!(session.wait().success());
    assert!(session.screen().contents().contains("--resume"));
}

#[test]
fn forty_columns_are_enough_for_everything() {
    let mut session = typed(&["--depth", "3"], 40);
    for (line, answer) in [
        ("help", "undo (u)"),
        ("rules", "more seeds wins."),
        ("level", "perfect"),
        ("c", "moves again."),
        ("eval", "pit by pit"),
        ("hint", "Hint:"),
        ("moves", "1. C"),
        ("zzz", "got 'zzz'."),
        ("analyse", "move by move"),
    ] {
        session.send_line(line);
        session.wait_for(answer);
        let screen = session.screen();
        for row in 0..40 {
            let text: Vec<String> = screen.rows(0, 40).collect();
            assert!(
                !screen.row_wrapped(row),
                "{line}: line {row} is too long:\n{}",
                text.join("\n")
            );
        }
    }
}

#[test]
fn a_narrow_terminal_gets_its_answers_too() {
    for columns in [6, 23] {
        let mut session = typed(&["--depth", "3"], columns);
        session.send_line("eval");
        session.wait_for("pit:");
        session.send_line("quit");
        assert!(session.wait().success());
    }
}

#[test]
fn undo_and_quit_are_accepted_while_the_engine_thinks() {
    let mut session = begun(&THINKING);
    session.lines(&[
        ("a", "North (1000s) is thinking; you can type now, undo or quit."),
        ("b", "It is North's turn and the engine is thinking"),
        ("moves", "1. A"),
        ("undo", "Took back 1 move. South to move."),
        ("b", "South sowed B"),
        ("now", "North sowed"),
    ]);
    session.wait_for("● South (you) to move");
    session.send_line("undo");
    session.wait_for("Took back");
    session.send_line("a");
    session.wait_for("● North (1000s) to move");
    session.send_line("q");
    assert!(session.wait().success());
}

#[test]
fn a_killed_game_continues_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = typed_in(folder.path(), &["--south", "human", "--north", "human"], 80);
    for (line, answer) in [("c", "moves again."), ("f", "North to move."), ("a", "North sowed a")] {
        session.send_line(line);
        session.wait_for(answer);
    }
    session.wait_for("South, A to F or help>");
    session.kill();
    let mut session = typed_in(folder.path(), &["--resume"], 80);
    session.wait_for("Loaded: South against North, 3 moves.");
    session.send_line("moves");
    session.wait_for("1. CF       2. a");
    let files: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

#[test]
fn ctrl_c_the_end_of_input_and_signals_leave_cleanly() {
    for way_out in ["\x03", "\x04", "TERM", "HUP"] {
        let mut session = begun(&THINKING);
        session.send_line("a");
        session.wait_for("● North (1000s) to move");
        if way_out.len() == 1 {
            session.send(way_out);
        } else {
            session.signal(way_out);
        }
        assert!(session.wait().success(), "{way_out:?}");
        session.wait_until("where the game is saved", |screen| {
            screen.contents().contains("--resume --games")
        });
    }
}

#[test]
fn ctrl_c_ends_an_analysis_and_not_the_game() {
    let people = ["--south", "human", "--north", "human", "--capture", "empty-capture"];
    let mut session = typed(&people, 80);
    // Analysing three moves takes longer than pressing the keys.
    for letter in ["a", "a", "d"] {
        session.send_line(letter);
    }
    session.wait_for("South sowed D");
    session.send_line("analyse");
    session.wait_for("this takes a few seconds");
    session.send("\x03");
    session.wait_for("The analysis was cancelled.");
    session.send_line("b");
    session.wait_for("North sowed b");
}

#[test]
fn a_window_that_is_closed_leaves_the_game_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = typed_in(folder.path(), &["--depth", "2"], 80);
    session.wait_for("South, A to F or help>");
    session.send_line("c");
    session.wait_for("moves again.");
    session.hang_up();
    let status = session.wait();
    assert!(status.success(), "{status}");
    let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    assert!(fs::read_to_string(file).unwrap().contains("1. C"));
}

#[test]
fn colours_depend_on_the_terminal_and_the_theme() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = |arguments: &[&str], name: &str, value: &str| {
        let mut command = play(folder.path(), arguments);
        command.env(name, value);
        let session = Session::start(command, 24, 80);
        session.wait_for("A to F or help>");
        session.bytes()
    };
    let colours = |name: &str, value: &str| drawn(&[], name, value);
    let has = |bytes: &[u8], text: &str| String::from_utf8_lossy(bytes).contains(text);
    let plain = colours("TERM", "xterm-256color");
    assert!(has(&plain, "\x1b[38;5;31m\x1b[1m") && has(&plain, "╭"));
    let none = colours("NO_COLOR", "1");
    // Whether pastes are marked is a mode of the terminal, not a style.
    let none = String::from_utf8_lossy(&none).replace("\x1b[?2004h", "");
    assert!(!none.contains("\x1b[") && none.contains('╭'));
    let dumb = colours("TERM", "dumb");
    assert!(dumb.is_ascii() && !has(&dumb, "\x1b"));
    let c_locale = colours("LANG", "C");
    assert!(c_locale.is_ascii() && has(&c_locale, "\x1b[1"));
    for (theme, south, other) in [("dark", 81, 31), ("light", 24, 31), ("any", 31, 81)] {
        let arguments = ["--theme", theme];
        let themed = drawn(&arguments, "TERM", "xterm-256color");
        assert!(has(&themed, &format!("\x1b[38;5;{south}m\x1b[1m")), "{theme}");
        assert!(!has(&themed, &format!("38;5;{other}m")), "{theme}");
    }
}

#[test]
fn plain_play_at_a_terminal_shows_only_sentences() {
    let mut session = begun(&["--plain", "--depth", "2"]);
    session.send_line("board");
    session.wait_for("South: A 4, B 4, C 4, D 4, E 4, F 4, store 0.");
    session.send_line("c");
    session.wait_for("South sowed C (4 seeds) and ended in its store. South moves again.");
    assert!(session.bytes().is_ascii());
}

#[test]
fn running_out_of_time_is_reported_and_loses_only_with_a_flag() {
    let folder = tempfile::tempdir().unwrap();
    let clock = ["--south", "human", "--north", "human", "--clock", "0.005"];
    let mut session = typed_in(folder.path(), &clock, 80);
    session.wait_for("clock 0.005+0.");
    // The clocks start with the first sowing.
    session.send_line("c");
    session.wait_for("South sowed C");
    session.wait_for("South has run out of time; play continues.");
    session.wait_for("South 0:00, A to F or help>");
    session.send_line("a");
    session.wait_for("North has run out of time; play continues.");
    assert_eq!(session.screen().contents().matches("South has run out of time").count(), 1);
    drop(session);
    let mut session = typed_in(folder.path(), &[&clock[..], &["--flag"]].concat(), 80);
    session.send_line("c");
    session.wait_for("South ran out of time; North wins.");
    session.send_line("a");
    session.wait_for("The game is over: South ran out of time; undo takes");
    let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let texts: Vec<_> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let lost = |text: &&String| text.contains("[Termination \"time\"]");
    assert_eq!(texts.iter().filter(lost).count(), 1, "{texts:?}");
    session.send_line("undo");
    session.wait_for("the expired clock no longer counts. South to move.");
}

#[test]
fn a_typed_line_is_edited_completed_and_recalled() {
    let mut session = begun(&["--depth", "2"]);
    // "oves" is typed first, then "m" before it, after moving there with arrows and Home.
    session.send("ovesx\x7f\x1b[D\x1b[Hm\r");
    session.wait_for("No moves yet.");
    session.send("lev\tbe\t\r");
    session.wait_for("The engine plays as beginner");
    session.send("re\t");
    session.wait_for("redo, resign");
    session.wait_for("help> re");
    // Ctrl-U deletes the line up to the cursor; the arrow recalls a line that begins with the typed
    // text.
    session.send("\x15mov\x1b[A\r");
    session.wait_until("the moves again", |screen| {
        screen.contents().matches("No moves yet.").count() == 2
    });
}

#[test]
fn a_burst_of_keys_is_read_to_its_end_and_a_paste_waits_for_enter() {
    let mut session = begun(&["--depth", "2"]);
    // More bytes than are read at once, and no key after them.
    session.send(&format!("{}moves\r", "\x7f".repeat(2_000)));
    session.wait_for("No moves yet.");
    session.send("\x1b[200~C\r\nF\x1b[201~");
    session.wait_for("help> C F");
    session.send(&format!("\x15\x1b[200~{}\x1b[201~", "x".repeat(20_000)));
    session.wait_for("The pasted text is too long");
    session.send_line("moves");
    session.wait_until("the moves again", |screen| {
        screen.contents().matches("No moves yet.").count() == 2
    });
}

#[test]
fn a_line_that_is_being_typed_stays_below_the_output_of_the_engine() {
    let mut session = begun(&THINKING);
    session.send_line("a");
    session.wait_for("you can type now, undo or quit.");
    session.send("mov");
    session.wait_until("what is typed", |screen| screen.contents().ends_with("mov"));
    session.send("\x15undo\r");
    session.wait_for("Took back 1 move.");
    session.send("hint\rev");
    session.wait_for("Hint: ");
    session.wait_until("the line below the hint", |screen| {
        let text = screen.contents();
        text.ends_with("help> ev") && text.matches("help> ev").count() == 1
    });
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_the_line_is_restored() {
    let mut session = begun(&[]);
    session.send("mov\x1aes\r");
    // There is no shell to return to, so the process continues immediately.
    session.wait_for("No moves yet.");
    let bytes = String::from_utf8_lossy(&session.bytes()).into_owned();
    assert_eq!(bytes.matches("\x1b[?2004h").count(), 2, "pastes are marked again");
}

#[test]
fn the_protocol_greets_a_person_at_a_terminal() {
    let command = crate::kalah();
    let mut session = Session::start(command, 24, 80);
    session.wait_for("type 'help' for the UCI and UGI commands; run 'kalah play' to play");
    session.send_line("quit");
    assert!(session.wait().success());
}

#[test]
fn a_list_of_games_fits_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    super::pipe::shown_in(folder.path(), &["--depth", "1"], "C\n");
    for columns in [80, 40] {
        let mut command = crate::kalah();
        command.arg("games").arg("--games").arg(folder.path());
        let session = Session::start(command, 12, columns);
        session.wait_for("1. 20");
        assert!((0..12).all(|row| !session.screen().row_wrapped(row)));
    }
}
