//! Laws of what commands show in a terminal.

mod replay;
