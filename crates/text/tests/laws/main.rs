//! Numbers, names and durations as text.

mod duration;
mod format;
mod names;
mod typed;
mod width;
