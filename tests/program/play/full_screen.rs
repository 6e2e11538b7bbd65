//! `kalah play --tui` on a real pseudo-terminal: what the laws of `kalah-tui`, which draw without
//! one, cannot see.

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
fn keys_change_the_screen_and_q_leaves_it_with_a_hint_how_to_continue() {
    let mut session = start_game(&["--depth", "3", "--sowing", "off"]);
    assert!(session.screen().alternate_screen());
    session.keys(&[("c", "1. C"), ("", "● South (you) to move"), ("\x1b[C", ">A<")]);
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
fn a_window_that_grows_shows_the_board() {
    let mut session = on_screen(&[], 8, 30);
    session.wait_for("This window has 30 columns");
    session.resize(24, 80);
    session.wait_for("South (you) to move");
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
fn a_finished_game_of_which_moves_were_undone_is_kept_whole() {
    let start = ["--position", "<2,0,0,1,1,0,1> S", "--level", "beginner", "--sowing", "off"];
    let mut session = start_game(&start);
    session.keys(&[("b", "South moves again."), ("a", "Game over"), ("\x1b", "n new game")]);
    session.keys(&[("u", "Took back")]);
    leave(&mut session);
    session.wait_until("the page", |screen| screen.contents().contains("writes a page for it"));
}
