//! Drawings of positions as lines with roles.

use kalah::game::{Capture, Position, Side};
use kalah::view::board::{Annotations, Glyphs, View, board};
use kalah::view::text::{Line, Role};

#[test]
fn neighbours_in_one_role_are_one_span() {
    let line = Line::plain("a").with(Role::Plain, "b").with(Role::Strong, "c");
    assert_eq!((line.0.len(), line.width(), line.text()), (2, 3, "abc".to_owned()));
}

#[test]
fn lines_have_no_control_characters() {
    let line = Line::plain("a\u{1b}[2J\n\u{9b}b").with(Role::Strong, "\u{202e}c");
    assert_eq!(line.text(), "a\\u001b[2J\\u000a\\u009bb\\u202ec");
}

#[test]
fn empty_pits_of_any_size_are_drawn() {
    let position = Position::parse("<2,0,0,0,1,1,0> S", Capture::Standard).unwrap();
    for (width, height) in (24..60).flat_map(|width| (8..20).map(move |height| (width, height))) {
        let (bottom, glyphs) = (Side::South, Glyphs::Unicode);
        let view = View { width, height: Some(height), glyphs, bottom };
        let lines = board(&position, &Annotations::of(&position), &view);
        assert!(lines.iter().all(|line| line.width() <= width), "{width} by {height}");
    }
}
