//! Recorded games in both formats, marks of moves, and drawn boards.

mod manifest;
mod marks;
mod opening;
mod record;
mod view;
