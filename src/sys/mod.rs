//! What the operating system and the processor give: threads, memory, time,
//! bytes. Nothing here knows the game.
//!
//! ```text
//! random     reproducible pseudorandom numbers
//! parallel   independent pieces of work on several threads
//! searching  which keys other threads are searching (ABDADA)
//! lines      lines of bounded length from a reader
//! clock      the calendar, and processor time
//! machine    processors and available memory
//! pages      zeroed memory in huge pages
//! prefetch   loading of cache lines ahead
//! ```

pub mod clock;
pub mod lines;
pub mod machine;
pub mod pages;
pub mod parallel;
pub mod prefetch;
pub mod random;
pub mod searching;
