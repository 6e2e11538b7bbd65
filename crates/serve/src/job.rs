//! Work on a separate thread. The runtime's `spawn_blocking` would panic where the system
//! refuses a thread; here, that is an error.

use std::thread;

use tokio::sync::oneshot::{Receiver, channel};

use kalah_page::ApiError;
use kalah_sys::stop::Flag;

/// Starts blocking work. No result arrives if the work panics.
///
/// # Errors
/// [`ApiError::busy`] if the system refuses a thread: it may have one later.
pub(crate) fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Receiver<T>, ApiError> {
    let (sender, result) = channel();
    let thread = thread::Builder::new().name("job".to_owned()).spawn(move || {
        // Nobody waits any more if the client has left.
        let _ = sender.send(work());
    });
    match thread {
        Ok(_) => Ok(result),
        Err(error) => {
            log::warn!("cannot start a thread for a request: {error}");
            Err(ApiError::busy())
        }
    }
}

/// Raises its flag when it is dropped, as the future of a request is when its client leaves.
#[derive(Debug, Default)]
pub(crate) struct RaisedOnDrop(pub(crate) Flag);

impl Drop for RaisedOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}
