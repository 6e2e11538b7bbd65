//! What a program without an operating system gets from its host: WebAssembly in a browser has
//! neither a clock nor other threads that could raise a flag while it works. Elsewhere, no host is
//! installed and the system's own clock is used.

use std::sync::OnceLock;
use std::time::Duration;

/// The functions of a host.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The time since the Unix epoch. It never goes back.
    pub now: fn() -> Duration,
    /// Whether the running work should stop. It is called about once per millisecond.
    pub wants_stop: fn() -> bool,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Installs the host, before anything else of this program runs; a second call changes nothing.
pub fn install(host: Host) {
    // Fails only for a second host.
    let _ = HOST.set(host);
}

/// The time of the host; without one, the epoch.
#[cfg(target_family = "wasm")]
pub(crate) fn now() -> Duration {
    match HOST.get() {
        Some(host) => (host.now)(),
        None => Duration::ZERO,
    }
}

pub(crate) fn wants_stop() -> bool {
    match HOST.get() {
        Some(host) => (host.wants_stop)(),
        None => false,
    }
}
