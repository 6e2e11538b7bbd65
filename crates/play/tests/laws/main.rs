//! Laws of a game in play.

mod clocks;
mod course;
mod puzzles;
mod support;
