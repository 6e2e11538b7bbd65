//! Proved openings of Kalah as the text of their files, and proofs of some of them, reduced to what
//! `kalah-engine` reads.

/// Lists of openings with their margins, all for standard captures.
pub const LISTS: [&str; 4] = [
    include_str!("6x3-standard.tsv"),
    include_str!("6x4-standard.tsv"),
    include_str!("6x5-standard.tsv"),
    include_str!("6x6-standard.tsv"),
];

/// Ledgers of proofs in pieces: three of Kalah(6,6), one for each capture rule and a second one for
/// standard captures with small leaves; and one of the openings of Kalah(6,4) whose margin is 0.
/// Each holds only the entries with bounds or splits, and of these only the fields that describe
/// what is proved, without header and checksums (`build.rs`).
pub const PROOFS: [&str; 4] = [
    include_str!(concat!(env!("OUT_DIR"), "/6x6-standard-proof.jsonl")),
    include_str!(concat!(env!("OUT_DIR"), "/6x6-standard-certificate.jsonl")),
    include_str!(concat!(env!("OUT_DIR"), "/6x6-empty-capture-proof.jsonl")),
    include_str!(concat!(env!("OUT_DIR"), "/6x4-standard-even-proof.jsonl")),
];
