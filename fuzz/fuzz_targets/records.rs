//! Reads arbitrary text as recorded games, as JSON lines and as `.kgn` text.
//!
//! Games that were read survive writing and reading in both formats.
//!
//! `cargo +nightly fuzz run records -- -dict=fuzz/words.dict -max_total_time=600`

#![no_main]

use kalah_record::format::read;
use kalah_record::{Game, json, kgn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok((_, games)) = read(text) else { return };
    for game in games {
        assert_eq!(reread(&json::to_line(&game)), game);
        // Whatever this format cannot express is lost when the game is first written.
        let game = reread(&kgn::write(&game));
        assert_eq!(reread(&kgn::write(&game)), game);
    }
});

fn reread(text: &str) -> Game {
    let (_, mut games) = read(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}
