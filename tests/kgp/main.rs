//! `kalah kgp`: the client of the Kalah Game Protocol.
//!
//! ```text
//! laws     what a client must survive, on the session alone, with a clock of the test
//! server   a small server: it plays games, and misbehaves
//! games    whole games and verify mode over TCP and WebSocket
//! hostile  arbitrary lines; memory
//! process  the program: options, environment, token, certificates, files
//! ```

mod games;
mod hostile;
mod laws;
mod process;
mod server;
