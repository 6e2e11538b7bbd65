use kalah_game::score::{Gain, Turn};
use kalah_game::{Capture, MoveError, Pit, Position, Side};

fn position(text: &str, capture: Capture) -> Position {
    Position::parse(text, capture).expect("a test's position")
}

/// The text of a position after a move.
fn after(text: &str, capture: Capture, pit: usize) -> String {
    let mut position = position(text, capture);
    position.play(Pit::new(pit)).expect("a test's move");
    position.to_string()
}

#[test]
fn a_last_seed_in_the_store_earns_an_extra_turn() {
    let text = after("<3,0,0,1,2,3,1,1,1> S", Capture::Standard, 1);
    assert_eq!(text, "<3,1,0,1,0,4,1,1,1> S");
}

#[test]
fn a_lap_passes_the_sown_pit_and_skips_the_other_store() {
    // Seven seeds from A on three pits: B, C, store, a, b, c, A. The last
    // one falls into the emptied pit and captures from c.
    let text = after("<3,0,0,7,0,1,1,1,1> S", Capture::Standard, 0);
    assert_eq!(text, "<3,4,0,0,1,2,2,2,0> N");
}

#[test]
fn only_empty_capture_captures_opposite_an_empty_pit() {
    let text = "<3,0,0,1,0,1,1,0,1> S";
    assert_eq!(after(text, Capture::Standard, 0), "<3,0,0,0,1,1,1,0,1> N");
    assert_eq!(after(text, Capture::EmptyCapture, 0), "<3,1,0,0,0,1,1,0,1> N");
}

#[test]
fn an_empty_row_ends_the_game_even_after_an_extra_turn() {
    let mut position = position("<2,0,0,0,1,3,0> S", Capture::Standard);
    let played = position.play(Pit::new(1)).unwrap();
    assert_eq!((played.turn, played.swept), (Turn::Keeps, [0, 3]));
    assert!(position.is_over() && position.moves().is_empty());
    assert_eq!(position.margin(Side::South), Gain(-2));
    assert_eq!(position.play(Pit::new(0)), Err(MoveError::Over));
}

#[test]
fn illegal_moves_are_reported_and_change_nothing() {
    let before = position("<3,0,0,1,0,1,1,1,1> N", Capture::Standard);
    let mut position = before;
    let error = position.play(Pit::new(3)).unwrap_err();
    assert_eq!(error.to_string(), "expected a pit's letter, a to c, got 'd'");
    let mut south = before.mirrored().mirrored();
    assert_eq!(south.play(Pit::new(0)).map(|played| played.sown), Ok(1));
    assert_eq!(position, before);
}
