//! Stopping work from another thread: the flag that requests it, and the error of work
//! that was stopped.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use crate::browser;

/// Error of work that was stopped: its result is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// A flag that any thread can raise and none can lower; clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Flag(Arc<AtomicBool>);

impl Flag {
    /// Raises the flag; returns whether it was raised before.
    pub fn raise(&self) -> bool {
        // Relaxed suffices: the flag guards no other memory.
        self.0.swap(true, Relaxed)
    }

    /// Whether some thread has raised the flag.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Like [`Flag::is_raised`], but first asks the [browser], if there is one, whether the flag
    /// should be raised: without other threads, nothing else can raise it while work is running.
    /// This takes longer, so work calls it about once per millisecond.
    pub fn poll(&self) -> bool {
        if browser::wants_stop() {
            self.raise();
        }
        self.is_raised()
    }
}
