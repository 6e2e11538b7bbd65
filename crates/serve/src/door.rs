//! Keeps room for connections that have made an acceptable request. With `--listen`, anybody on
//! the network can open connections and send nothing: 400 such connections delayed the owner of
//! the page by up to half a minute. The connections of strangers are therefore few, and one more
//! makes the oldest of them leave.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The maximum number of connections that have not made an acceptable request yet. A browser
/// opens six at a time.
const MAX_STRANGERS: usize = 64;

/// The connections of strangers.
#[derive(Debug, Default)]
pub(crate) struct Door {
    /// In the order of their arrival.
    strangers: Mutex<VecDeque<Arc<Guest>>>,
}

/// A connection.
#[derive(Debug, Default)]
pub(crate) struct Guest {
    is_known: AtomicBool,
    leaving: Notify,
}

impl Door {
    fn strangers(&self) -> MutexGuard<'_, VecDeque<Arc<Guest>>> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in, and makes the oldest stranger leave if there are too many.
    pub(crate) fn enter(&self) -> Arc<Guest> {
        let guest = Arc::new(Guest::default());
        let mut strangers = self.strangers();
        // Known guests are removed here, once per connection, so that `admit`, which is called for
        // each request, takes no lock.
        strangers.retain(|guest| !guest.is_known.load(Relaxed));
        strangers.push_back(Arc::clone(&guest));
        if strangers.len() > MAX_STRANGERS
            && let Some(oldest) = strangers.pop_front()
        {
            oldest.leaving.notify_one();
        }
        guest
    }

    /// Forgets a connection that has ended.
    pub(crate) fn leave(&self, guest: &Arc<Guest>) {
        self.strangers().retain(|other| !Arc::ptr_eq(other, guest));
    }
}

impl Guest {
    /// The guard has admitted a request of this connection, which then need not leave.
    pub(crate) fn admit(&self) {
        self.is_known.store(true, Relaxed);
    }

    /// Waits until the connection must leave.
    pub(crate) async fn leaving(&self) {
        self.leaving.notified().await;
        if self.is_known.load(Relaxed) {
            // It was admitted after it had been asked to leave.
            std::future::pending().await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    async fn must_leave(guest: &Guest) -> bool {
        timeout(std::time::Duration::ZERO, guest.leaving()).await.is_ok()
    }

    #[tokio::test]
    async fn the_oldest_stranger_makes_room_for_a_new_one_and_known_guests_stay() {
        let door = Door::default();
        let [known, gone] = [door.enter(), door.enter()];
        known.admit();
        door.leave(&gone);
        let strangers: Vec<_> = (0..MAX_STRANGERS).map(|_| door.enter()).collect();
        for guest in strangers.iter().chain([&known, &gone]) {
            assert!(!must_leave(guest).await);
        }
        let owner = door.enter();
        assert!(must_leave(&strangers[0]).await && !must_leave(&strangers[1]).await);
        owner.admit();
        // Strangers never make a known guest leave.
        let more: Vec<_> = (0..3 * MAX_STRANGERS).map(|_| door.enter()).collect();
        assert!(!must_leave(&owner).await && !must_leave(&known).await);
        let stay = &more[2 * MAX_STRANGERS..];
        assert!(must_leave(&more[2 * MAX_STRANGERS - 1]).await);
        for guest in stay {
            assert!(!must_leave(guest).await);
        }
    }
}
