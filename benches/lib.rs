//! Benches of the crates, one file each: `cargo bench -p kalah-benches`.
