//! Access to the machine for the other crates: files, threads, memory and clocks.
//!
//! ```text
//! files     reading and replacing files
//! lock      locks that keep other processes away
//! journal   files that only grow, one durable line at a time
//! folders   where the user's own files are
//! lines     lines of bounded length from a stream
//! machine   processors, memory and processes
//! memory    large tables in huge pages or in mapped files
//! parallel  starting threads, and independent pieces of work on several of them
//! wakeup    a clock that leaves suspensions out
//! stop      the flag that asks a thread to stop
//! clock     dates, and the processor time of a thread
//! random    reproducible pseudorandom numbers
//! browser   a clock and a stop for WebAssembly
//! ```
//!
//! Nothing here depends on the game. The features `files`, `log` and `memory`, all of which are on
//! by default, choose the dependencies: without one, what needs it is missing, or reports
//! that it is not supported.
//!
//! ```
//! use kalah_sys::journal::{self, Journal};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("journal");
//! let (mut journal, _) = Journal::open(&path, r#"{"journal":"an example"}"#, None)?;
//! journal.append(r#"{"a":1}"#)?;
//! assert_eq!(journal::read(&path, r#"{"journal":"an example"}"#)?, [r#"{"a":1}"#]);
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod browser;
pub mod clock;
pub mod files;
pub mod folders;
pub mod journal;
pub mod lines;
pub mod lock;
#[cfg(not(feature = "log"))]
pub mod log;
pub mod machine;
pub mod memory;
pub mod parallel;
pub mod random;
pub mod stop;
#[cfg(not(target_family = "wasm"))]
pub mod wakeup;

/// The `log` crate, or macros in its place that do nothing.
#[cfg(feature = "log")]
pub use log;
