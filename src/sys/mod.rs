//! Threads, memory, time and untrusted text, for all rooms. Nothing here
//! depends on the game.
//!
//! ```text
//! random     reproducible pseudorandom numbers
//! parallel   independent pieces of work on several threads
//! searching  which keys other threads are searching (ABDADA)
//! files      files written whole, and files opened to be read
//! journal    a file that grows by checked lines
//! lines      lines of bounded length from a reader
//! clock      the current time as text, and processor time
//! machine    processors and available memory
//! pages      zeroed memory in huge pages
//! names      enums with names, unknown names in options and files, quoted text in messages
//! prefetch   loading of cache lines ahead
//! statistics means of samples and what follows from them, with errors
//! stop       a flag that ends work in other threads
//! ```

pub mod clock;
pub mod files;
pub mod journal;
pub mod lines;
pub mod machine;
pub mod names;
pub mod pages;
pub mod parallel;
pub mod prefetch;
pub mod random;
pub mod searching;
pub mod statistics;
pub mod stop;
