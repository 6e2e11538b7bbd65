//! `kalah play` from the outside: boards held to the letter, scripted sessions
//! through a pipe, through a real pseudo-terminal, and on the full screen.

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
