//! Laws of what commands show in a terminal.

mod layers;
mod replay;
