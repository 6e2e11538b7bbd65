//! The experiments: which trees, which methods, how often, how sure.
//!
//! They return numbers; tables and pictures are made from them elsewhere. The
//! same plan and seed give the same counts on every machine and at any number
//! of threads; only times differ.

pub mod ensemble;
pub mod estimate;
pub mod kalah;
pub mod matches;
pub mod noe;
pub mod statistics;
pub mod uniform;
pub mod windows;
pub mod work;

/// Runs the block with `$rows` standing for the narrowest rows that a position
/// fits on: so each search is compiled for both widths and chosen once.
macro_rules! on_rows_of {
    ($position:expr, $rows:ident => $body:expr) => {
        if $position.fits::<u64>() {
            type $rows = u64;
            $body
        } else {
            type $rows = $crate::kalah::Wide;
            $body
        }
    };
}
use on_rows_of;
