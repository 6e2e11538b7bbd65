//! Exact gains of every position with few seeds in play.
//!
//! [`Tables`] hold, for one number of pits and one capture rule, the seeds that the mover still
//! wins in each position of up to N seeds in play, in a few bits each (`packed`). They are either
//! built by retrograde analysis (`build`) or read from a folder (`folder`). A layer is all positions
//! with the same number of seeds in play; layers are filled from the fewest seeds upwards, each in
//! one pass (`layer`). `verify` recomputes the gains independently. Nothing here searches.
//!
//! ```
//! use kalah_endgame::Tables;
//! use kalah_game::{Capture, Position, Variant};
//! use kalah_game::score::Gain;
//!
//! let variant = Variant::new(6, Capture::Standard).unwrap();
//! let tables = Tables::build(variant, 8, 1).unwrap();
//! let position = Position::parse("<6,18,10,4,1,1,0,0,0,0,0,0,2,0,0> S", Capture::Standard);
//! assert_eq!(tables.margin(&position.unwrap()), Some(Gain(12)));
//! ```

mod build;
mod extent;
pub mod folder;
mod found;
mod layer;
mod layer_file;
mod layout;
mod packed;
mod tables;
mod transitions;
pub mod verify;

pub use extent::{BuildError, Extent};
pub use folder::TablesError;
pub use found::{FoundLayers, LayerFault, UnusedLayers};
pub use layer::OnPositions;
pub use layer_file::{Encoding, Layer, LayerHeader, file_name};
pub use layout::{TableSlot, binomial, positions};
pub use tables::{Origin, OtherTables, Tables};
