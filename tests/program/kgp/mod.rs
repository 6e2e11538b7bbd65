//! `kalah kgp` against servers.
//!
//! ```text
//! server   a small server that plays games and misbehaves
//! games    whole games over TCP and WebSocket
//! process  the program: options, environment, token, certificates, files and signals
//! ```

mod games;
mod process;
mod server;
