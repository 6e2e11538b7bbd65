//! Recorded games in both formats, marks of moves, and drawn boards.

mod manifest;
mod marks;
mod record;
mod view;
