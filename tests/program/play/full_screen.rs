//! `kalah play --tui` on a real pseudo-terminal.

use std::path::Path;
use std::process::Command;

use super::pipe::play;
use super::pty::{Session, THINKING};

fn on_screen(arguments: &[&str], lines: u16, columns: u16) -> Session {
    let arguments = [&["--tui"], arguments].concat();
    Session::in_new_folder(|folder| play(folder, &arguments), lines, columns)
}

fn on_screen_in(folder: &Path, arguments: &[&str], lines: u16, columns: u16) -> Session {
    let arguments = [&["--tui"], arguments].concat();
    Session::start(play(folder, &arguments), lines, columns)
}

/// Starts a game on a screen of 24 lines and 80 columns, and waits until it is drawn.
fn start_game(arguments: &[&str]) -> Session {
    let session = on_screen(arguments, 24, 80);
    session.wait_for(" to move");
    session
}

/// Quits with `q`, and checks that the terminal is restored.
fn leave(session: &mut Session) {
    session.send("q");
    assert!(session.wait().success());
    assert_restored(session);
}

/// The terminal is as it was before full-screen mode.
fn assert_restored(session: &Session) {
    let screen = session.screen();
    assert!(!screen.alternate_screen(), "the main screen is back");
    assert!(!screen.hide_cursor(), "the cursor is shown");
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    assert!(!screen.bracketed_paste(), "pastes are keys");
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = play(folder.path(), &["--tui"]);
    command.env("TERM", "dumb");
    let session = Session::start(command, 24, 80);
    session.wait_for("--tui needs a terminal");
    assert_restored(&session);
}

#[test]
fn keys_sow_undo_hint_and_leave() {
    let mut session = start_game(&["--depth", "3", "--sowing", "off"]);
    assert!(session.screen().alternate_screen());
    session.send("c");
    session.wait_for("[C]");
    session.wait_for("1. C");
    // Two steps to the right: A, then B.
    session.keys(&[("\x1b[C", ">A<"), ("\x1b[C", ">B<"), ("\r", "North sowed")]);
    session.wait_for("● South (you) to move");
    session.keys(&[("t", "Hint: "), ("u", "Took back"), ("?", "Esc closes")]);
    // A page ignores the keys of the board, but `:` starts a command.
    session.send("abxu:level beginner\r");
    session.wait_for("The engine plays as beginner");
    assert!(!session.screen().contents().contains("Esc closes"));
    assert!(!session.screen().contents().contains("1. CA"));
    session.send("x");
    session.wait_for("South lost");
    session.send(" ");
    session.send(":");
    session.send("flip\r");
    session.wait_for("North is now at the bottom.");
    session.send(":nonsense\r");
    session.wait_for("got 'nonsense'");
    leave(&mut session);
    assert!(session.screen().contents().contains("--resume"));
}

/// The picture in the documents shows this game; the engine's reply and its hint may differ.
#[test]
fn the_picture_of_the_full_screen_is_up_to_date() {
    const PICTURE: &str = include_str!("../../../doc/tui.svg");
    let shown: Vec<_> = PICTURE.split('>').filter_map(|part| part.split('<').next()).collect();
    let game = ["--north", "club", "--clock", "10+5", "--sowing", "off"];
    let mut session = on_screen(&game, 31, 96);
    session.wait_for("● South (you)");
    session.keys(&[("c", "1. C"), ("f", "2. "), ("t", "Hint: ")]);
    let screen = session.screen();
    let rows: Vec<_> = screen.rows(0, 96).map(|row| row.trim().to_owned()).collect();
    for start in ["South sowed", "Hint: ", "A-F/arrows"] {
        let row = rows.iter().find(|row| row.starts_with(start)).expect(start);
        // The move and the margin of a hint depend on the reply.
        let sentence = match row.split_once(", with which") {
            Some(_) => ", with which you win by about ",
            None => row,
        };
        for words in sentence.split("  ") {
            assert!(shown.iter().any(|text| text.contains(words)), "{words}");
        }
    }
    leave(&mut session);
}

#[test]
fn the_hint_is_the_choice_that_enter_sows() {
    let mut session = start_game(&["--depth", "3", "--sowing", "off"]);
    session.send("\r");
    session.wait_for(">A<");
    session.send("t");
    session.wait_for("Hint: C");
    session.wait_for(">C<");
    session.send("\r");
    session.wait_for("1. C");
    assert!(!session.screen().contents().contains('>'), "the choice is gone");
    leave(&mut session);
}

#[test]
fn a_page_leaves_the_board_its_seeds_and_the_line_of_keys() {
    let mut session = start_game(&THINKING);
    let row = |screen: &vt100::Screen, row: usize| screen.rows(0, 80).nth(row).unwrap();
    let before = session.screen();
    session.send("?");
    session.wait_for("Esc closes");
    let screen = session.screen();
    assert!((0..14).all(|line| row(&screen, line) == row(&before, line)));
    assert!(row(&screen, 23).ends_with("? keys  q quit"));
}

#[test]
fn a_click_sows_and_one_on_the_other_row_is_explained() {
    let mut session = start_game(&["--south", "human", "--north", "human", "--sowing", "off"]);
    let place = |session: &Session, letter: &str| {
        let screen = session.screen();
        let rows: Vec<String> = screen.rows(0, 54).collect();
        let found = rows.iter().enumerate().find_map(|(row, text)| {
            let near = text.contains("──▶") || text.contains("◀──");
            let column = text.chars().position(|shown| shown.to_string() == letter);
            column.filter(|_| near).map(|column| (row, column))
        });
        found.unwrap_or_else(|| panic!("no {letter}:\n{}", screen.contents()))
    };
    // The counts of the near row are two lines above its letters.
    let (row, column) = place(&session, "C");
    let click = |row: usize, column: usize| format!("\x1b[<0;{};{}M", column + 1, row + 1);
    session.send(&click(row - 2, column));
    session.wait_for("South sowed C");
    let (row, column) = place(&session, "b");
    session.send(&click(row, column));
    session.wait_for("Pit b is not yours: South is to move.");
}

#[test]
fn sowing_is_shown_seed_by_seed_and_a_key_ends_it() {
    let people = ["--south", "human", "--north", "human", "--sowing", "slow"];
    let mut session = start_game(&people);
    session.send("c");
    for hand in [4, 3, 2] {
        session.wait_to_have_shown(&format!("in hand: {hand}"));
    }
    session.send("a");
    session.wait_to_have_shown("in hand: 4");
}

#[test]
fn a_small_window_is_reported_and_a_larger_one_shows_the_board() {
    let mut session = on_screen(&[], 8, 30);
    session.wait_for("This window has 30 columns");
    for (lines, columns) in [(12, 30), (14, 24)] {
        session.resize(lines - 1, columns);
        session.wait_for("This window has");
        session.resize(lines, columns);
        session.wait_until("the smallest board", |screen| screen.contents().contains("South (y"));
    }
    session.resize(24, 80);
    session.wait_for("South (you) to move");
    session.resize(16, 40);
    session.wait_until("a board of forty columns", |screen| {
        let text = screen.contents();
        text.contains("╰────┴───┴───┴───┴───┴───┴───┴────╯") && text.contains("q quit")
    });
    leave(&mut session);
}

#[test]
fn every_exit_restores_the_terminal() {
    for way_out in ["q", "\x03", "TERM", "HUP"] {
        let mut session = on_screen(&THINKING, 24, 80);
        session.wait_for("South (you) to move");
        session.send("a");
        session.wait_for("North (1000s) is thinking");
        if way_out.len() == 1 {
            session.send(way_out);
        } else {
            session.signal(way_out);
        }
        assert!(session.wait().success(), "{way_out:?}");
        assert_restored(&session);
    }
}

#[test]
fn a_killed_game_continues_on_the_full_screen() {
    let folder = tempfile::tempdir().unwrap();
    let people = ["--south", "human", "--north", "human", "--sowing", "off"];
    let mut session = on_screen_in(folder.path(), &people, 24, 80);
    session.wait_for("South to move");
    session.send("ca");
    session.wait_for("1. CA");
    session.kill();
    let session = on_screen_in(folder.path(), &["--resume"], 24, 80);
    session.wait_for("1. CA");
    session.wait_for("North to move");
}

/// The second test below, which the first one runs on a separate terminal.
const PANICS: &str = "play::full_screen::a_panic_on_the_full_screen";

#[test]
fn a_panic_restores_the_terminal_and_is_printed() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", PANICS, "--nocapture"]).env("TERM", "xterm-256color");
    let mut session = Session::start(command, 24, 80);
    assert!(!session.wait().success());
    assert_restored(&session);
    let bytes = session.bytes();
    let written = String::from_utf8_lossy(&bytes);
    let (_, since) = written.split_once("\x1b[?1049h").expect("the full screen was taken");
    let (_, since) = since.split_once("\x1b[?1049l").expect("and given back");
    assert!(since.contains("on purpose"), "the panic is printed after that: {since}");
}

#[test]
#[ignore = "panics on purpose; the test above runs it on a separate terminal"]
fn a_panic_on_the_full_screen() {
    let mut guard = kalah_tui::FullScreen::new().expect("a terminal");
    guard.draw(|_| panic!("on purpose")).unwrap();
}

#[test]
fn the_sentence_of_a_move_waits_until_its_seeds_are_sown() {
    let arguments = ["--position", "<3,0,0,0,0,1,0,0,1> S", "--south", "human", "--north", "human"];
    let arguments = [&arguments[..], &["--sowing", "slow"]].concat();
    let mut session = start_game(&arguments);
    session.send("c");
    let sowing = session.wait_to_have_shown("in hand: 1");
    assert!(!sowing.contains("South sowed") && !sowing.contains("Game over"), "{sowing}");
    session.wait_for("Game over");
    session.send("\x1b");
    session.wait_for("South sowed C");
}

#[test]
fn a_command_after_a_colon_is_completed_and_edited() {
    let mut session = on_screen(&["--depth", "2"], 40, 120);
    session.wait_for("South (you) to move");
    session.keys(&[
        (":lev\tbe\t\r", "The engine plays as beginner"),
        (":re\t", "redo, resign"),
        ("\x1b[D\x1b[D\x1b[3~\x1b[3~", ":_"),
        ("\x1b[A\x1b[D", ":level beginner"),
    ]);
}

#[test]
fn a_burst_of_keys_is_read_to_its_end_and_a_paste_is_a_command_that_waits_for_enter() {
    let mut session = start_game(&["--depth", "2", "--sowing", "off"]);
    session.keys(&[
        ("\x1b[200~level\r\nbeginner\x1b[201~", ":level beginner"),
        ("\r", "The engine plays as beginner"),
        (&format!("\x1b[200~{}\x1b[201~", "q".repeat(20_000)), "The pasted text is too long"),
    ]);
    // Keys without a meaning, and one at the end that leaves.
    session.send(&format!("{}q", "~".repeat(2_000)));
    assert!(session.wait().success());
    assert_restored(&session);
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_for_a_while() {
    let mut session = start_game(&[]);
    let left = |session: &Session| {
        let bytes = String::from_utf8_lossy(&session.bytes()).into_owned();
        bytes.matches("\x1b[?1049l").count()
    };
    session.send("\x1a");
    // There is no shell to return to, so the process continues immediately.
    session.wait_until("the screen again", |screen| screen.alternate_screen());
    session.send("y");
    session.wait_for("North is now at the bottom.");
    assert_eq!(left(&session), 1);
}

#[test]
fn clocks_run_on_the_screen() {
    let people = ["--south", "human", "--north", "human", "--clock", "0.05+1", "--flag"];
    let session = on_screen(&people, 24, 80);
    for time in ["● South, 0:03 to move", "● South, 0:01 to move"] {
        session.wait_to_have_shown(time);
    }
    session.wait_for("South ran out of time; North wins.");
}

#[test]
fn the_end_of_a_game_is_a_page_with_the_result() {
    let start = ["--position", "<2,0,0,1,1,0,1> S", "--level", "beginner", "--sowing", "off"];
    let mut session = start_game(&start);
    session.send("b");
    session.wait_for("South moves again.");
    session.send("a");
    session.wait_for("Game over");
    for text in ["You win by 1.", "South wins 2 to 1."] {
        session.wait_for(text);
    }
    session.send("\x1b");
    session.wait_until("no page", |screen| !screen.contents().contains("Game over"));
    session.wait_for("n new game  x analysis");
    session.send("u");
    session.wait_for("Took back");
    assert!(!session.screen().contents().contains("as a page"));
    leave(&mut session);
    // What was undone can be redone: the file still has the whole game.
    session.wait_until("the page", |screen| screen.contents().contains("writes a page for it"));
}

#[test]
fn the_keys_on_the_page_of_the_result_work_there() {
    let people = ["--south", "human", "--north", "human", "--sowing", "off"];
    let start = [&people[..], &["--position", "<3,0,0,0,0,1,0,1,1> S"]].concat();
    let mut session = on_screen(&start, 24, 40);
    session.wait_for("South to move");
    session.send("c");
    session.wait_for("Game over");
    session.wait_for("x analyses, u undoes, n plays again.");
    session.send("x");
    session.wait_for("Analysis");
    session.send(" ");
    session.keys(&[("n", "● South to move"), ("c", "Game over"), ("u", "Took back 1 move.")]);
    session.wait_for("● South to move");
    leave(&mut session);
}

#[test]
fn messages_on_the_full_screen_name_keys() {
    let people = ["--south", "human", "--north", "human", "--sowing", "off", "--coach"];
    let start = [&people[..], &["--position", "<3,0,0,1,0,2,1,9,1> S"]].concat();
    let mut session = start_game(&start);
    session.send("c");
    session.wait_for("it back with u.");
    session.send("u");
    session.wait_for("Took back 1 move.");
    leave(&mut session);
}
