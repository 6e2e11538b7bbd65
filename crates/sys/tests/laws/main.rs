//! Files, journals, lines and threads.

#[path = "../../../../tests/common/mod.rs"]
mod common;
mod files;
mod journal;
mod lines;
mod lock;
mod parallel;
mod random;
