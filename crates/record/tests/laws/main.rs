//! Recorded games in both formats and in words, and marks of moves.

mod manifest;
mod marks;
mod opening;
mod record;
mod sentence;
mod suites;
