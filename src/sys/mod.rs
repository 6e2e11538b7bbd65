//! Threads, memory, time, and text for people, for all rooms. Nothing here
//! depends on the game.

pub mod clock;
pub mod files;
pub mod folders;
pub mod foreign;
pub mod format;
pub mod journal;
pub mod lines;
pub mod machine;
pub mod names;
pub mod pages;
pub mod parallel;
pub mod prefetch;
pub mod random;
pub mod searching;
pub mod statistics;
pub mod stop;
