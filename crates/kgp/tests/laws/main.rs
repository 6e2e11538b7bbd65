//! The client of the Kalah Game Protocol, without a network.
//!
//! ```text
//! laws     single rules, on the session alone and with the clock of the test
//! hostile  arbitrary lines; memory
//! report   the events as lines of text
//! ```

mod hostile;
mod laws;
mod report;
