//! Reads arbitrary lines as a ledger of proofs. Each is given its checksum, because random bytes
//! would get no further.
//!
//! All bounds that are accepted are possible. A torn line at the end is cut off, and the other
//! lines give the same bounds.
//!
//! `cargo +nightly fuzz run proofs -- -dict=fuzz/words.dict -max_total_time=600`

#![no_main]

use std::collections::HashMap;
use std::fs;

use kalah_engine::solve::ledger::Ledger;
use kalah_game::Position;
use kalah_game::score::{Gain, Interval};
use kalah_sys::journal::with_checksum;
use libfuzzer_sys::fuzz_target;

type Bounds = HashMap<Position, Interval<Gain>>;

fuzz_target!(|text: &str| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proofs");
    drop(Ledger::open(&path).expect("a new ledger"));
    let mut lines = fs::read_to_string(&path).expect("the header");
    for line in text.lines() {
        lines += &with_checksum(line);
        lines.push('\n');
    }
    fs::write(&path, &lines).expect("a file");
    let Ok(ledger) = Ledger::open(&path) else { return };
    let bounds: Bounds = ledger.bounds().map(|(position, gain)| (*position, gain)).collect();
    drop(ledger);
    for (position, gain) in &bounds {
        let seeds = position.in_play() as i32;
        assert!(-seeds <= gain.lower.0 && gain.lower <= gain.upper && gain.upper.0 <= seeds);
    }
    fs::write(&path, lines + "{\"position\":").expect("a file");
    let ledger = Ledger::open(&path).expect("the torn line is cut off");
    let again: Bounds = ledger.bounds().map(|(position, gain)| (*position, gain)).collect();
    assert_eq!(again, bounds);
});
