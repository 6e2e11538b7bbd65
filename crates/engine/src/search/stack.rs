//! The stacks on which searches run: the caller's for short ones, a thread's own for the others.

use std::io;
use std::panic::resume_unwind;
use std::thread::{self, Builder, sleep};
use std::time::Duration;

use kalah_game::depth::Depth;
use kalah_sys::machine::{require_address_space, thread_error};

/// The stack of the thread that calls a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// At least 1 MiB. The iterations that could need most of it run in a thread of their own:
    /// short searches do not get that far, and need not wait for a thread to start.
    Usual,
    /// Room for the deepest search.
    Deep,
}

impl Stack {
    /// Whether there is room for an iteration of this depth. Extra turns are free for twice the
    /// depth, so its longest path has three times as many plies.
    pub(super) fn suffices(self, depth: Depth) -> bool {
        const DEEPEST_USUAL: Depth = Depth(12);
        // A worker of a browser cannot start a thread, and has a deep stack: .cargo/config.toml.
        let is_deep = self == Self::Deep || cfg!(target_family = "wasm");
        is_deep || depth <= DEEPEST_USUAL
    }
}

/// Stack size for the longest path that a search can follow: three times
/// [`Depth::MAX`](kalah_game::depth::Depth::MAX) plies, as extra turns are free for twice
/// the depth. The C library keeps the stacks of ended threads for new ones up to 40 MiB, so two
/// engines that play each other start their searches without mapping new ones.
pub(crate) const STACK_BYTES: usize = 16 << 20;

/// Address space for small allocations: the process aborts if one of them fails.
const SMALL_BYTES: u64 = 8 << 20;

/// Address space that tables leave for a search on one thread, and for small allocations made
/// before the search.
pub(crate) const MIN_SEARCH_BYTES: u64 = STACK_BYTES as u64 + 3 * SMALL_BYTES;

/// Whether the address space suffices for a search on one thread. Starting a thread is the only way
/// to know: the C library keeps the stacks of ended threads for new ones. Waits a moment for the
/// thread of a search that has reported its result but not ended.
pub(crate) fn has_room() -> io::Result<()> {
    const PAUSE: Duration = Duration::from_millis(5);
    const ATTEMPTS: usize = 20;
    let mut attempts =
        (1..ATTEMPTS).map(|_| start_and_end_a_thread().inspect_err(|_| sleep(PAUSE)));
    let started = attempts.find(Result::is_ok);
    started.unwrap_or_else(start_and_end_a_thread)?;
    Ok(require_address_space(SMALL_BYTES)?)
}

fn start_and_end_a_thread() -> io::Result<()> {
    let thread = deep_stack().spawn(|| ()).map_err(|error| thread_error(error, STACK_BYTES))?;
    thread.join().unwrap_or_else(|fault| resume_unwind(fault));
    Ok(())
}

/// Starts threads with a stack of [`STACK_BYTES`].
pub(crate) fn deep_stack() -> Builder {
    Builder::new().name("search".to_owned()).stack_size(STACK_BYTES)
}

/// Runs `work` in a thread with a deep stack.
///
/// # Errors
/// If the system refuses to start one.
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = deep_stack().spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|fault| resume_unwind(fault)))
    })
}
