//! `kalah play` from the outside: boards held to the letter, scripted sessions
//! through a pipe, through a real pseudo-terminal, and on the full screen.

mod pipe;
mod views;
