//! Any text as a position and moves.
//!
//! What reads as a position is written as a text that reads as the same one,
//! and so after every move that reads as legal.
//!
//! `cargo +nightly fuzz run notation -- -dict=fuzz/words.dict -max_total_time=600`

#![no_main]

use kalah::game::{Capture, Position};
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
                position.play(pit).expect("it reads as legal");
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
