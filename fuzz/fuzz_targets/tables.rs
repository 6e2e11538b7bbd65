//! Opens files of endgame tables in which bytes were changed, added and cut off.
//!
//! The gains of the tables are the same, without those of a layer whose file is refused, and of
//! larger ones; the error is one line.
//!
//! `cargo +nightly fuzz run tables -- -max_total_time=600`

#![no_main]

use std::fs;

use kalah_engine::endgame::file_name;
use kalah_engine::endgame::{Encoding, Extent, Tables};
use kalah_game::{Capture, Variant};
use libfuzzer_sys::fuzz_target;

/// The largest layer, whose values take four bits each.
const SEEDS: u32 = 8;

/// Whether the file is plain, its layer, its new length, and the bytes that change: their places,
/// and the bits that are flipped there.
type Edit = (bool, u8, u16, Vec<(u16, u8)>);

fuzz_target!(|edit: Edit| {
    let (is_plain, layer, length, changes) = edit;
    let variant = Variant::new(3, Capture::Standard).expect("a board");
    let extent = Extent::new(variant, SEEDS).expect("a small table");
    let encoding = if is_plain { Encoding::Plain } else { Encoding::Compact };
    let folder = tempfile::tempdir().expect("a folder");
    Tables::build_in(folder.path(), extent, encoding, 1, &|_| ()).expect("tables");
    let path = folder.path().join(file_name(variant, u32::from(layer) % (SEEDS + 1)));
    let whole = fs::read(&path).expect("a layer");
    let mut bytes = whole.clone();
    for (at, by) in changes {
        let at = usize::from(at) % bytes.len();
        bytes[at] ^= by;
    }
    // Most inputs keep the length.
    if length < 256 {
        bytes.resize(usize::from(length), 0);
    }
    fs::write(&path, &bytes).expect("a layer");
    match Tables::open(folder.path(), variant) {
        Ok(tables) => {
            let fresh = Tables::build(variant, tables.seeds(), 1).expect("tables");
            assert_eq!(tables.checksum(), fresh.checksum());
            let unused = tables.origin().unused.as_ref().map(ToString::to_string);
            assert_eq!(tables.seeds() < SEEDS, unused.is_some());
            assert!(!unused.is_some_and(|unused| unused.contains('\n')));
        }
        Err(error) => assert!(!error.to_string().contains('\n') && bytes != whole),
    }
});
