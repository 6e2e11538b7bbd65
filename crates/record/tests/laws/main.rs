//! Recorded games in both formats, marks of moves, and drawn boards.

#[path = "../../../../tests/common/mod.rs"]
mod common;
mod manifest;
mod marks;
mod record;
mod view;
