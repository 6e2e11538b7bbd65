//! The endgame tables that an engine builds when it is prepared, built once for all tests: without
//! them, each process that a test starts would spend a second of processor time on its own.

use std::fs;
use std::path::{Path, PathBuf};

use kalah_engine::Resources;
use kalah_engine::endgame::{Encoding, Extent, Tables};
use kalah_game::{Capture, Variant};
use once_cell::sync::Lazy;

const PREFIX: &str = "tables-of-";

/// The user's cache of the programs that tests start. It holds exactly what they would build in
/// memory, so their searches are the same.
pub(crate) static CACHE: Lazy<PathBuf> = Lazy::new(|| {
    // Tables that a different version has built may be wrong.
    let program = fs::metadata(env!("CARGO_BIN_EXE_kalah")).expect("the program exists");
    let built = program.modified().expect("a time").duration_since(std::time::UNIX_EPOCH);
    let name = format!("{PREFIX}{}", built.expect("a time after 1970").as_nanos());
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for folder in fs::read_dir(all).expect("a folder").flatten() {
        let other = folder.file_name().into_string().unwrap_or_default();
        if other.starts_with(PREFIX) && other != name {
            // A second run of the same tests may be faster.
            let _ = fs::remove_dir_all(folder.path());
        }
    }
    let cache = all.join(name);
    for pits in [3, 6] {
        let variant = Variant::new(pits, Capture::Standard).expect("a board");
        let extent = Extent::like_six_pits(variant, Resources::DEFAULT_TABLE_SEEDS);
        let folder = cache.join("kalah/tables");
        let built = Tables::build_in(&folder, extent, Encoding::Plain, 2, &|_| ());
        built.expect("tables are built");
    }
    cache
});
