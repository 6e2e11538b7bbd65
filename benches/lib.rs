//! Benches of `kalah`, a file each: `cargo bench --manifest-path benches/Cargo.toml`.
