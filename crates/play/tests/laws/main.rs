//! Laws of a game in play.

mod clocks;
mod course;
mod support;
