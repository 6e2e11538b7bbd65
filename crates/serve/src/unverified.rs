//! Keeps room for connections that have made an acceptable request. With `--listen`, anybody on
//! the network can open connections and send nothing: 400 such connections delayed the owner of
//! the page by up to half a minute. The number of unverified connections is therefore bounded, and
//! a further one evicts the oldest.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The maximum number of connections that have not made an acceptable request yet. A browser
/// opens six at a time.
const MAX_UNVERIFIED: usize = 64;

/// The connections that have not made an acceptable request yet.
#[derive(Debug, Default)]
pub(crate) struct UnverifiedConnections {
    /// In the order of their arrival.
    queue: Mutex<VecDeque<Arc<ConnectionStatus>>>,
}

/// What is known about the client of a connection.
#[derive(Debug, Default)]
pub(crate) struct ConnectionStatus {
    is_verified: AtomicBool,
    eviction: Notify,
}

impl UnverifiedConnections {
    fn queue(&self) -> MutexGuard<'_, VecDeque<Arc<ConnectionStatus>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection, and evicts the oldest unverified one if there are too many.
    pub(crate) fn add(&self) -> Arc<ConnectionStatus> {
        let added = Arc::new(ConnectionStatus::default());
        let mut queue = self.queue();
        // Verified connections are removed here, once per connection, so that `verify`, which is
        // called for each request, takes no lock.
        queue.retain(|connection| !connection.is_verified.load(Relaxed));
        queue.push_back(Arc::clone(&added));
        if queue.len() > MAX_UNVERIFIED
            && let Some(oldest) = queue.pop_front()
        {
            oldest.eviction.notify_one();
        }
        added
    }

    /// Removes a connection that has ended.
    pub(crate) fn remove(&self, connection: &Arc<ConnectionStatus>) {
        self.queue().retain(|other| !Arc::ptr_eq(other, connection));
    }
}

impl ConnectionStatus {
    /// Records that a request of this connection was accepted, so that it is not evicted.
    pub(crate) fn verify(&self) {
        self.is_verified.store(true, Relaxed);
    }

    /// Waits until the connection is evicted.
    pub(crate) async fn evicted(&self) {
        self.eviction.notified().await;
        if self.is_verified.load(Relaxed) {
            // A request was accepted after the eviction had been requested.
            std::future::pending().await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    async fn is_evicted(connection: &ConnectionStatus) -> bool {
        timeout(std::time::Duration::ZERO, connection.evicted()).await.is_ok()
    }

    #[tokio::test]
    async fn the_oldest_unverified_connection_is_evicted_and_verified_ones_stay() {
        let connections = UnverifiedConnections::default();
        let verified = connections.add();
        let ended = connections.add();
        verified.verify();
        connections.remove(&ended);
        let unverified: Vec<_> = (0..MAX_UNVERIFIED).map(|_| connections.add()).collect();
        for connection in unverified.iter().chain([&verified, &ended]) {
            assert!(!is_evicted(connection).await);
        }
        let owner = connections.add();
        assert!(is_evicted(&unverified[0]).await && !is_evicted(&unverified[1]).await);
        owner.verify();
        // Unverified connections never evict a verified one.
        let more: Vec<_> = (0..3 * MAX_UNVERIFIED).map(|_| connections.add()).collect();
        assert!(!is_evicted(&owner).await && !is_evicted(&verified).await);
        let latest = &more[2 * MAX_UNVERIFIED..];
        assert!(is_evicted(&more[2 * MAX_UNVERIFIED - 1]).await);
        for connection in latest {
            assert!(!is_evicted(connection).await);
        }
    }
}
