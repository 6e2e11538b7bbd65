//! Text for people: numbers and durations in words, names and the errors for unknown ones, and
//! foreign text that is safe to show.
//!
//! ```text
//! duration  times as people type them
//! foreign   text that others wrote, shown without control characters
//! names     enumerations whose variants have names, and errors of unknown names
//! typed     numbers and durations in options
//! width     columns of text on a terminal
//! format    numbers, counts and durations; lines of a given width; HTML
//! ```
//!
//! Nothing here depends on the game or on the machine: no files, no threads, no clocks. Without the
//! feature `std`, which is on by default, only `names` and `foreign` remain, without the standard
//! library.
//!
//! ```
//! use kalah_text::{duration, foreign::Foreign, format};
//!
//! assert_eq!(format::counted(12_345, "seed"), "12,345 seeds");
//! assert_eq!(duration::parse("0.5s"), duration::parse("500ms"));
//! assert_eq!(Foreign("bell\u{7}").to_string(), r"bell\u0007");
//! ```

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(feature = "std")]
pub mod duration;
pub mod foreign;
#[cfg(feature = "std")]
pub mod format;
pub mod names;
#[cfg(feature = "std")]
pub mod typed;
#[cfg(feature = "std")]
pub mod width;
