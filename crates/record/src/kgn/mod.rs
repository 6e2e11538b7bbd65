//! Games as `.kgn` text, similar to the PGN of chess.
//!
//! ```text
//! [Event "casual"]
//! [South "Ann"]
//! [North "kalah"]
//! [Position "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S"]
//! [Capture "standard"]
//! [Result "*"]
//!
//! 1. CF 2. b {+0.50/12 0.012s 4501n} 3. A {a quiet move} *
//! ```
//!
//! A number precedes each turn, which is all that a side sows until the other side moves; readers
//! ignore it, because older files number only the turns of South. The letters of one turn may be
//! joined. A comment belongs to the letter before it (before the first move, to the game), and a
//! variation in parentheses follows the move that it replaces. The grammar is in `doc/records.md`.

mod annotation;
mod read;
mod write;

pub use read::read;
pub(super) use read::{is_result, read_while};
pub use write::write;
