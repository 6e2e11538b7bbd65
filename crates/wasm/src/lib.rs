//! The board and the engine entirely in a browser: hosts `kalah-page` and the protocol in Web
//! Workers, so that any static server can serve the page, and none is needed after the first
//! visit. `.ci/web FOLDER` writes the files of this page.
//!
//! A worker has neither threads nor files, and it receives no message while it works. A search
//! therefore runs to its end and regularly polls its host for a stop. The page answers through a
//! blob URL that it revokes: a synchronous request by the worker then fails. A `SharedArrayBuffer`
//! would need headers that many hosts cannot set, a new worker would lose its tables, and a search
//! in slices would visit different nodes from those visited elsewhere.
//!
//! ```
//! use kalah_wasm::WorkerSession;
//!
//! let mut session = WorkerSession::new()?;
//! let mut said = Vec::new();
//! session.line("go nodes 1000", &mut |line| said.push(line.to_owned()));
//! assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order:
//!
//! ```text
//! worker_session  a session of the protocol, without threads
//! requests        hosts the requests of the page
//! boundary        the functions that JavaScript calls, and those that it supplies
//! ```

#![deny(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used
)]

#[cfg(target_family = "wasm")]
mod boundary;
mod requests;
mod worker_session;

pub use requests::{PageReply, RequestHost};
pub use worker_session::WorkerSession;
