//! Waiting for the server, the search and the user at the same time.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token, Waker, event::Source};

use kalah_sys::stop::Flag;

const SERVER: Token = Token(0);
const WAKER: Token = Token(1);

/// Waits for events from one connection and from other threads.
#[derive(Debug)]
pub(super) struct Poller {
    poll: Poll,
    /// The events of the last wait. They are not read, because every source is tried anyway.
    ready: Events,
    leave: Leave,
}

/// A handle to end a client from another thread.
#[derive(Clone, Debug)]
pub struct Leave {
    /// Raised to make the client say goodbye and end.
    pub flag: Flag,
    waker: Arc<Waker>,
}

impl Leave {
    /// Makes the client check the flag now instead of at its next event.
    pub fn wake(&self) {
        // An error means that the client is gone, and so there is nothing to wake.
        let _ = self.waker.wake();
    }
}

impl Poller {
    pub(super) fn new() -> io::Result<Self> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let leave = Leave { flag: Flag::default(), waker };
        Ok(Self { poll, ready: Events::with_capacity(8), leave })
    }

    /// The waker that ends a wait from a different thread.
    pub(super) fn waker(&self) -> Arc<Waker> {
        Arc::clone(&self.leave.waker)
    }

    pub(super) fn leave(&self) -> Leave {
        self.leave.clone()
    }

    /// Whether the user wants to leave.
    pub(super) fn is_leaving(&self) -> bool {
        self.leave.flag.is_raised()
    }

    /// Includes the events of a connection in waits until the connection is dropped.
    pub(super) fn register(&self, connection: &mut impl Source) -> io::Result<()> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll.registry().register(connection, SERVER, interest)
    }

    /// Waits for an event, for at most `time`.
    pub(super) fn wait(&mut self, time: Duration) -> io::Result<()> {
        match self.poll.poll(&mut self.ready, Some(time)) {
            // A signal ends the wait like an event: the caller checks whether to leave.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            polled => polled,
        }
    }

    /// Waits for an event while a connection is being opened.
    ///
    /// # Errors
    /// [`io::ErrorKind::TimedOut`] after the deadline, [`io::ErrorKind::Interrupted`] if
    /// the user wants to leave.
    pub(super) fn wait_until(&mut self, deadline: Instant) -> io::Result<()> {
        let time = deadline.saturating_duration_since(Instant::now());
        if self.is_leaving() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if time.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.wait(time)
    }
}
