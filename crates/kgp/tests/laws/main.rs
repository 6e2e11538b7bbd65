//! The client of the Kalah Game Protocol, without a network.
//!
//! ```text
//! laws     single rules, on the session alone and with the clock of the test
//! hostile  arbitrary lines; memory
//! ```

mod hostile;
mod laws;
