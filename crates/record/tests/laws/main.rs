//! Recorded games in both formats and in words, marks of moves, openings and suites.

mod manifest;
mod marks;
mod opening;
mod record;
mod sentence;
mod suites;
