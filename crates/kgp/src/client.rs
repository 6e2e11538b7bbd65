//! The client: it connects, serves a session, and reconnects when the connection is lost.
//! A separate thread searches and wakes the loop with its events.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use mio::Waker;

use super::action::{KgpAction, KgpEnd};
pub use super::address::{Address, AddressError, PORTS};
use super::connection::ServerConnection;
use super::games::PlayedGame;
pub use super::poller::Leave;
use super::poller::Poller;
use super::session::{KgpInput, KgpSession};
use super::setup::{ClientProgress, ClientSetup};
use kalah_engine::Engine;
use kalah_engine::search::{Info, Limits, SearchEvent, Stopper};
use kalah_game::Position;
use kalah_sys::parallel;
use kalah_sys::wakeup::AwakeClock;

/// The pause before the first attempt to reconnect; it doubles with each failure.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Maximum number of lines that are served in a row: a flood of lines must not delay events
/// from the search.
const LINES_AT_ONCE: usize = 64;

/// Minimum time per move for which it pays to build larger endgame tables for a new board,
/// which takes less than a second.
const TIME_FOR_TABLES: Duration = Duration::from_secs(2);

/// An event that a client reports.
#[derive(Debug)]
pub enum ClientEvent<'a> {
    /// The connection is open; the server has not sent its greeting yet.
    Connected,
    /// The connection was lost for this reason; the client reconnects after this pause.
    Lost(&'a str, Duration),
    /// A line from the server, without the token.
    Received(&'a str),
    /// A line to the server, without the token.
    Sent(&'a str),
    /// A game has ended.
    GameOver(PlayedGame),
}

/// Receives the events. Its errors end the client.
pub type Listener<'a> = &'a mut dyn FnMut(ClientEvent<'_>) -> io::Result<()>;

/// Where a client plays, and how often it reconnects.
#[derive(Clone, Debug)]
pub struct ClientPlan {
    /// The server.
    pub address: Address,
    /// How the client introduces itself and what it wants.
    pub setup: ClientSetup,
    /// Maximum number of consecutive failed connections; one more ends the client.
    pub retries: u32,
}

/// A client of one server.
#[derive(Debug)]
pub struct Client {
    plan: ClientPlan,
    poller: Poller,
    search: SearchThread,
    progress: ClientProgress,
}

impl Client {
    /// A client that plays with `engine`.
    ///
    /// # Errors
    /// If the system cannot provide a thread or a file descriptor.
    pub fn new(plan: ClientPlan, engine: Engine) -> io::Result<Self> {
        let poller = Poller::new()?;
        let search = SearchThread::start(engine, poller.waker())?;
        Ok(Self { plan, poller, search, progress: ClientProgress::default() })
    }

    /// A handle that ends the client.
    pub fn leave(&self) -> Leave {
        self.poller.leave()
    }

    /// The client's progress so far.
    pub fn progress(&self) -> ClientProgress {
        self.progress
    }

    /// Plays until all games are played or the user leaves.
    ///
    /// # Errors
    /// If the server refuses the client, more connections in a row have failed than
    /// [`ClientPlan::retries`] allows, or the system or `listener` fails.
    pub fn run(&mut self, listener: Listener<'_>) -> io::Result<()> {
        let mut failures: u32 = 0;
        loop {
            let answers = self.progress.answers;
            let end = match ServerConnection::open(&self.plan.address, &mut self.poller) {
                Ok(connection) => self.serve(connection, listener)?,
                Err(error) => KgpEnd::Lost(error.to_string()),
            };
            let (reason, is_refused) = match end {
                KgpEnd::Done => return Ok(()),
                KgpEnd::Lost(_) if self.poller.is_leaving() => return Ok(()),
                KgpEnd::Lost(reason) => (reason, false),
                KgpEnd::Refused(reason) => (reason, true),
            };
            // Only connections without any answer count as failed: a server that drops the client
            // now and then must not end it.
            let has_played = self.progress.answers > answers;
            failures = if has_played { 0 } else { failures.saturating_add(1) };
            if is_refused || failures > self.plan.retries {
                return Err(io::Error::other(format!("{}: {reason}", self.plan.address)));
            }
            // A server that is down for hours should not be contacted every second. The bound
            // of 8 keeps the shift from overflowing; `MAX_PAUSE` is reached earlier.
            let doubled = FIRST_PAUSE.saturating_mul(1 << failures.saturating_sub(1).min(8));
            let pause = doubled.min(MAX_PAUSE);
            listener(ClientEvent::Lost(&reason, pause))?;
            self.pause(pause)?;
        }
    }

    /// Waits until the pause is over or the user leaves.
    fn pause(&mut self, pause: Duration) -> io::Result<()> {
        let start = Instant::now();
        while !self.poller.is_leaving() && start.elapsed() < pause {
            self.poller.wait(pause.saturating_sub(start.elapsed()))?;
        }
        Ok(())
    }

    /// Serves a session until its end. A lost connection is a [`KgpEnd`], not an error.
    fn serve(
        &mut self,
        mut connection: ServerConnection,
        listener: Listener<'_>,
    ) -> io::Result<KgpEnd> {
        listener(ClientEvent::Connected)?;
        let mut session = KgpSession::new(self.plan.setup.clone(), self.progress);
        // A suspended client has not waited for the server.
        let clock = AwakeClock::start();
        let end = loop {
            let (inputs, next) = self.receive(&mut connection, listener)?;
            let actions: Vec<KgpAction> =
                inputs.into_iter().flat_map(|input| session.take(clock.now(), input)).collect();
            if let Some(end) = self.act(actions, &mut connection, listener)? {
                break end;
            }
            if let Err(error) = connection.flush() {
                break KgpEnd::Lost(error.to_string());
            }
            match next {
                LoopStep::More => (),
                LoopStep::Wait => {
                    self.poller.wait(session.wakes_at().saturating_sub(clock.now()))?
                }
                LoopStep::End(end) => break end,
            }
        };
        self.search.stop();
        // A game ends with its connection. Nothing is sent, because the connection may be
        // broken.
        let mut actions = session.take(clock.now(), KgpInput::Leave);
        actions.retain(|action| !matches!(action, KgpAction::Send(_)));
        self.act(actions, &mut connection, listener)?;
        connection.close();
        self.progress = session.progress();
        let is_done = self.plan.setup.is_done(&self.progress);
        Ok(if is_done { KgpEnd::Done } else { end })
    }

    /// Collects what has happened since the last round.
    fn receive(
        &mut self,
        connection: &mut ServerConnection,
        listener: Listener<'_>,
    ) -> io::Result<(Vec<KgpInput>, LoopStep)> {
        let mut inputs = Vec::new();
        if self.poller.is_leaving() {
            inputs.push(KgpInput::Leave);
        }
        let mut next = LoopStep::More;
        for _ in 0..LINES_AT_ONCE {
            match connection.line() {
                Ok(Some(line)) => {
                    if let Ok(line) = &line {
                        listener(ClientEvent::Received(&self.plan.setup.shown(line)))?;
                    }
                    inputs.push(KgpInput::Line(line));
                }
                Ok(None) => {
                    next =
                        LoopStep::End(KgpEnd::Lost("the server closed the connection".to_owned()));
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    next = LoopStep::Wait;
                    break;
                }
                Err(error) => {
                    next = LoopStep::End(KgpEnd::Lost(error.to_string()));
                    break;
                }
            }
        }
        while let Some((number, event)) = self.search.event()? {
            inputs.push(KgpInput::Search(number, event));
        }
        // Something may be due even if nothing else has happened.
        inputs.push(KgpInput::Tick);
        Ok((inputs, next))
    }

    fn act(
        &mut self,
        actions: Vec<KgpAction>,
        connection: &mut ServerConnection,
        listener: Listener<'_>,
    ) -> io::Result<Option<KgpEnd>> {
        for action in actions {
            match action {
                KgpAction::Send(line) => {
                    listener(ClientEvent::Sent(&self.plan.setup.shown(&line)))?;
                    if let Err(error) = connection.send(&line) {
                        return Ok(Some(KgpEnd::Lost(error.to_string())));
                    }
                }
                KgpAction::Search { number, position, limits } => {
                    self.search.search(number, position, limits);
                }
                KgpAction::StopSearch => self.search.stop(),
                KgpAction::GameOver(game) => listener(ClientEvent::GameOver(game))?,
                KgpAction::Close(end) => return Ok(Some(end)),
            }
        }
        Ok(None)
    }
}

/// What to do after a round.
#[derive(Debug)]
enum LoopStep {
    /// Continue reading: there may be more lines.
    More,
    Wait,
    End(KgpEnd),
}

/// The thread that searches.
#[derive(Debug)]
struct SearchThread {
    jobs: Sender<SearchRequest>,
    events: Receiver<(u64, SearchEvent)>,
    /// The stopper for the last search.
    stopper: Stopper,
}

#[derive(Debug)]
struct SearchRequest {
    number: u64,
    position: Position,
    limits: Limits,
    stopper: Stopper,
}

impl SearchThread {
    fn start(engine: Engine, waker: Arc<Waker>) -> io::Result<Self> {
        let (jobs, received) = channel();
        let (sender, events) = channel();
        parallel::start("searcher", move || {
            serve_jobs(engine, &received, &|number, event| {
                // Without a receiver, the client has ended.
                let _ = sender.send((number, event));
                let _ = waker.wake();
            });
        })?;
        Ok(Self { jobs, events, stopper: Stopper::new() })
    }

    fn search(&mut self, number: u64, position: Position, limits: Limits) {
        // Each search has its own stopper: a late stop of the previous one must not end it.
        self.stopper = Stopper::new();
        let stopper = self.stopper.clone();
        // If the thread has failed, its closed channel of events reports it.
        let _ = self.jobs.send(SearchRequest { number, position, limits, stopper });
    }

    /// The next event from a search, with the number of the search.
    fn event(&self) -> io::Result<Option<(u64, SearchEvent)>> {
        match self.events.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(io::Error::other("the search failed")),
        }
    }

    fn stop(&self) {
        self.stopper.stop();
    }
}

/// Searches until the client ends.
fn serve_jobs(
    mut engine: Engine,
    jobs: &Receiver<SearchRequest>,
    report: &(dyn Fn(u64, SearchEvent) + Sync),
) {
    // A search of one node writes the transposition table before any clock runs: the system
    // provides its memory only at the first access.
    engine.best_move(Limits::nodes(1));
    let mut prepared = None;
    for SearchRequest { number, position, limits, stopper } in jobs {
        engine.set_position(position);
        let result = engine.search(limits, &stopper, &mut |info: &Info| {
            report(number, SearchEvent::Info(info.clone()));
        });
        report(number, SearchEvent::Finished(result));
        // Tables are built after the first answer on a board, while the opponent may be
        // thinking: before it, they would use up the client's own time.
        let variant = position.variant();
        let is_worth_it = matches!(limits.movetime, Some(time) if time >= TIME_FOR_TABLES);
        if is_worth_it && prepared.replace(variant) != Some(variant) {
            engine.prepare();
        }
    }
}
