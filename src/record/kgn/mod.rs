//! Games as `.kgn` text, in the manner of chess's PGN.
//!
//! ```text
//! [Event "casual"]
//! [South "Ann"]
//! [North "kalah"]
//! [Position "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S"]
//! [Capture "standard"]
//! [Result "*"]
//!
//! 1. CF b {+0.50/12 0.012s 4501n} 2. A {a quiet move} *
//! ```
//!
//! A number stands before each turn of South; the letters of one turn may
//! stand together. A comment belongs to the letter before it, and variations in
//! parentheses stand after the move that they replace. The grammar is in
//! `doc/records.md`.

mod annotation;
mod read;
mod words;
mod write;

pub use read::read;
pub use write::write;
