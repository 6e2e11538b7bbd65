//! `kalah play` from the outside: boards compared character by character, and sessions
//! through a pipe, through a real pseudo-terminal, and in full-screen mode.

mod files;
#[cfg(all(unix, feature = "tui"))]
mod full_screen;
mod learning;
mod levels;
mod pipe;
#[cfg(unix)]
pub(crate) mod pty;
#[cfg(unix)]
mod typed;
mod views;
