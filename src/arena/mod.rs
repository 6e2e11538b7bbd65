//! Matches between engines, and what their results mean.
//!
//! ```text
//! stats      Elo, likelihood of superiority, SPRT, ratings
//! ```

pub mod stats;
