//! `kalah kgp`: the client of the Kalah Game Protocol.
//!
//! ```text
//! laws     single rules, on the session alone and with the clock of the test
//! server   a small server that plays games and misbehaves
//! games    whole games and verify mode over TCP and WebSocket
//! hostile  arbitrary lines; memory
//! process  the program: options, environment, token, certificates, files, signals
//! ```

mod games;
mod hostile;
mod laws;
mod process;
mod server;
