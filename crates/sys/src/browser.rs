//! What WebAssembly in a browser lacks: it has neither a clock nor other threads that could raise a
//! flag while it works, and gets both from its page. Elsewhere, no browser is installed and the
//! system's own clock is used.

use std::sync::OnceLock;
use std::time::Duration;

/// The functions of a browser.
#[derive(Clone, Copy, Debug)]
pub struct Browser {
    /// The time since the Unix epoch. It never goes back.
    pub now: fn() -> Duration,
    /// Whether the running work should stop. It is called about once per millisecond.
    pub wants_stop: fn() -> bool,
}

static BROWSER: OnceLock<Browser> = OnceLock::new();

/// Installs the browser, before anything else of this program runs; a second call changes nothing.
pub fn install(browser: Browser) {
    // Fails only for a second one.
    let _ = BROWSER.set(browser);
}

/// The time of the browser; without one, the epoch.
#[cfg(target_family = "wasm")]
pub(crate) fn now() -> Duration {
    match BROWSER.get() {
        Some(browser) => (browser.now)(),
        None => Duration::ZERO,
    }
}

pub(crate) fn wants_stop() -> bool {
    match BROWSER.get() {
        Some(browser) => (browser.wants_stop)(),
        None => false,
    }
}
