//! Reads arbitrary text as a position and moves.
//!
//! A position that was read from text survives writing and reading, as does the position after
//! every move that is accepted as legal.
//!
//! `cargo +nightly fuzz run notation -- -dict=fuzz/words.dict -max_total_time=600`

#![no_main]

use kalah_game::{Capture, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (position, moves) = text.split_once("moves").unwrap_or((text, ""));
    for capture in Capture::ALL {
        match Position::parse(position, capture) {
            Ok(position) => play(position, moves),
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
});

fn play(mut position: Position, moves: &str) {
    reads_back(&position);
    for word in moves.split_whitespace() {
        match position.parse_move(word) {
            Ok(pit) => {
                let seeds = position.total();
                position.play(pit).expect("a legal move");
                assert_eq!(position.total(), seeds);
                reads_back(&position);
            }
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
}

fn reads_back(position: &Position) {
    let text = position.to_string();
    assert_eq!(Position::parse(&text, position.capture()).as_ref(), Ok(position), "{text}");
}
