//! Recorded games, move by move.

use kalah_game::Side;
use kalah_record::{Ending, Game, Reason, kgn};
use kalah_terminal::palette::{Palette, Theme};
use kalah_terminal::terminal::Terminal;
use kalah_terminal::{listings, replay};
use kalah_view::board::{Annotations, Glyphs};

fn terminal(palette: Palette) -> Terminal {
    Terminal { typed: false, edited: false, drawn: true, palette, glyphs: Glyphs::Ascii }
}

fn read(text: &str) -> Game {
    kgn::read(text).unwrap().remove(0)
}

fn shown(game: &Game, palette: Palette, plain: bool) -> String {
    let mut out = Vec::new();
    replay::show(game, 3, &terminal(palette), plain, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The marks are those of the values: F loses South's lead.
const VALUED: &str = "{before} 1. C {+1.90} F {+1.50} d {-1.00} 2. A {-3.00} b {+3.50} (c) *";

#[test]
fn a_game_in_sentences_has_its_turns_marks_and_variations() {
    let mut game = read(VALUED);
    game.finish(Ending::lost_by(Side::North, Reason::Crash, Some("\u{1b}[2J".to_owned()))).unwrap();
    game.warnings = vec!["slow\n".to_owned()];
    let text = shown(&game, Palette::None, true);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], listings::headline(&game, 3));
    assert_eq!(lines[1..3], ["[before]", ""]);
    for (line, start, end) in [
        (lines[3], "1. South sowed C", "[expects +1.90]"),
        (lines[4], "1. South sowed F", "[?, expects +1.50]"),
        (lines[5], "2. North sowed d", "[expects -1.00]"),
        (lines[6], "3. South sowed A", "[expects -3.00]"),
        (lines[7], "4. North sowed b", "[expects +3.50]"),
    ] {
        assert!(line.starts_with(start) && line.ends_with(end), "{line}");
    }
    assert!(lines[8].ends_with(" \\u001b[2J"), "{text}");
    assert_eq!(lines[9..11], ["", "  1. CF?      2. d"]);
    let end = ["  3. A        4. b", "", "Variation 1: 4. c", "warning: slow\\u000a", ""];
    assert_eq!(lines[11..], end);
}

#[test]
fn a_drawn_game_has_a_board_at_the_start_and_after_each_move() {
    let game = read(VALUED);
    let text = shown(&game, Palette::None, false);
    assert_eq!(text.matches("<--").count(), 1 + game.moves().len(), "{text}");
    for step in game.steps() {
        let last = Some((step.played.side, step.played.pit));
        let annotations =
            Annotations { last, names: Default::default(), ..Annotations::new(&step.after) };
        let board = terminal(Palette::None).draw(&step.after, &annotations, Side::South);
        assert!(text.contains(&board), "{board} in {text}");
    }
    // Its sentences are those of a game without boards.
    let mut rest = text.lines();
    for line in shown(&game, Palette::None, true).lines() {
        assert!(rest.any(|other| other == line), "{line:?} in {text}");
    }
    // The colours of boards are not escaped.
    assert!(!text.contains('\u{1b}'));
    assert!(shown(&game, Palette::Colours(Theme::Dark), false).contains("\u{1b}["));
}
