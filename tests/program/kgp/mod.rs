//! `kalah kgp` against servers.
//!
//! ```text
//! server   a small server that plays games and misbehaves
//! games    whole games over TCP and WebSocket
//! process  the program: options, environment, token, files and signals
//! tls      certificates, if the program is built with the feature `tls`
//! ```

mod games;
mod process;
mod server;
#[cfg(feature = "tls")]
mod tls;
