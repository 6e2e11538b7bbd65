//! Drawn boards, and the files of the page.

mod assets;
mod board;
