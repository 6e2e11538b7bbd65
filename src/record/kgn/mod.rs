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
//! stand together. A comment belongs to the letter before it. The grammar is
//! in `doc/records.md`.

mod annotation;
mod read;
mod text;
mod write;

pub use read::{Reader, read};
pub use write::write;

/// The tags that have a field of [`Game`](super::Game) and their order in a text.
mod tag {
    pub const EVENT: &str = "Event";
    pub const DATE: &str = "Date";
    pub const ROUND: &str = "Round";
    pub const ID: &str = "Id";
    pub const OPENING: &str = "Opening";
    pub const POSITION: &str = "Position";
    pub const CAPTURE: &str = "Capture";
    pub const RESULT: &str = "Result";
    pub const TERMINATION: &str = "Termination";
    pub const MARGIN: &str = "Margin";
    pub const DETAIL: &str = "Detail";
    pub const WARNING: &str = "Warning";
    /// After `South` or `North`.
    pub const VERSION: &str = "Version";
    /// After `South` or `North`.
    pub const LIMIT: &str = "Limit";
    /// After `South` or `North`; one tag an option, `name=value`.
    pub const OPTION: &str = "Option";
}

/// The result of a game without one.
const UNFINISHED: &str = "*";

/// The longest line that is written, where words allow it.
const WIDTH: usize = 80;
