//! Files, journals, lines and threads.

mod files;
mod journal;
mod lines;
mod lock;
#[cfg(target_os = "linux")]
mod machine;
mod parallel;
mod random;
