//! Exact gains of every position with few seeds in play.
//!
//! [`Tables`] hold, for one width of board and one capture rule, the seeds that
//! the mover still wins in each position of up to N seeds in play, a byte each.
//! They are built from nothing in a moment: layer by layer of equal seeds, in
//! one pass a layer (`build`). Nothing here searches.
//!
//! ```
//! use kalah::endgame::Tables;
//! use kalah::game::{Capture, Position, Variant};
//! use kalah::score::Gain;
//!
//! let variant = Variant::new(6, Capture::Standard).unwrap();
//! let tables = Tables::build(variant, 8, 1).unwrap();
//! let position = Position::parse("<6,18,10,4,1,1,0,0,0,0,0,0,2,0,0> S", Capture::Standard);
//! assert_eq!(tables.gain(position.unwrap().board::<u64>()), Some(Gain(4)));
//! ```

mod build;
mod effect;
mod extent;
pub mod file;
pub mod folder;
mod layout;
mod memory;
mod program;
mod rank;
mod tables;
pub mod verify;

pub use extent::{Extent, ExtentError, MOST_SEEDS, bytes};
pub use file::Encoding;
pub use layout::Layout;
pub use rank::Ranks;
pub use tables::{BuildError, Progress, Tables};
