//! The client: it connects, serves a session, and reconnects when the connection is
//! lost. A thread searches, and wakes the loop with its events.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use mio::Waker;

use super::action::{Action, End};
pub use super::connection::Address;
use super::connection::Connection;
pub use super::poller::Leave;
use super::poller::Poller;
use super::session::{Input, Session};
use super::setup::{Progress, Setup};
use crate::engine::Engine;
use crate::game::Position;
use crate::record::Game;
use crate::search::{Event, Info, Limits, Stopper};

/// The pause before the first attempt to reconnect, doubled at each one that fails.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Lines that are served before the engine is heard.
const LINES_AT_ONCE: usize = 64;

/// Time for a move from which it pays to build larger endgame tables for a new board,
/// which takes less than a second.
const TIME_FOR_TABLES: Duration = Duration::from_secs(2);

/// What a client reports.
#[derive(Debug)]
pub enum Report<'a> {
    /// A connection was made; the server has not greeted yet.
    Connected,
    /// The connection was lost for this reason; the client reconnects after this pause.
    Lost(&'a str, Duration),
    /// A line from the server, without the token.
    Received(&'a str),
    /// A line to the server, without the token.
    Sent(&'a str),
    /// A game has ended: one part or more, with unknown moves between them.
    GameOver(Vec<Game>),
}

/// Receives the reports. Its errors end the client.
pub type Listener<'a> = &'a mut dyn FnMut(Report<'_>) -> io::Result<()>;

/// Where a client plays and how persistently.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The server.
    pub address: Address,
    /// How the client presents itself and what it wants.
    pub setup: Setup,
    /// Consecutive failed connections that are retried; one more ends the client.
    pub retries: u32,
}

/// A client of one server.
#[derive(Debug)]
pub struct Client {
    plan: Plan,
    poller: Poller,
    searcher: Searcher,
    progress: Progress,
}

impl Client {
    /// A client that plays by `engine`.
    ///
    /// # Errors
    /// If the system cannot provide a thread or a file descriptor.
    pub fn new(plan: Plan, engine: Engine) -> io::Result<Self> {
        let poller = Poller::new()?;
        let searcher = Searcher::start(engine, poller.waker())?;
        Ok(Self { plan, poller, searcher, progress: Progress::default() })
    }

    /// The handle to end it.
    pub fn leave(&self) -> Leave {
        self.poller.leave()
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Plays until all is played or the user leaves.
    ///
    /// # Errors
    /// The server's reason to refuse the client, or the reason to give up; errors of
    /// `report`.
    pub fn run(&mut self, report: Listener<'_>) -> Result<(), String> {
        let mut failures: u32 = 0;
        loop {
            let answers = self.progress.answers;
            let end = match Connection::open(&self.plan.address, &mut self.poller) {
                Ok(connection) => {
                    self.serve(connection, report).map_err(|error| error.to_string())?
                }
                Err(error) => End::Lost(error.to_string()),
            };
            let address = &self.plan.address;
            let reason = match end {
                End::Done => return Ok(()),
                End::Refused(reason) => return Err(format!("{address}: {reason}")),
                End::Lost(_) if self.poller.is_leaving() => return Ok(()),
                End::Lost(reason) => reason,
            };
            let has_played = self.progress.answers > answers;
            failures = if has_played { 0 } else { failures.saturating_add(1) };
            if failures > self.plan.retries {
                return Err(format!("{address}: {reason}"));
            }
            let doubled = FIRST_PAUSE.saturating_mul(1 << failures.saturating_sub(1).min(8));
            let pause = doubled.min(MAX_PAUSE);
            report(Report::Lost(&reason, pause)).map_err(|error| error.to_string())?;
            self.pause(pause).map_err(|error| error.to_string())?;
        }
    }

    /// Waits, unless the user leaves.
    fn pause(&mut self, pause: Duration) -> io::Result<()> {
        let start = Instant::now();
        while !self.poller.is_leaving() && start.elapsed() < pause {
            self.poller.wait(pause.saturating_sub(start.elapsed()))?;
        }
        Ok(())
    }

    /// Serves a session to its end. Errors are those of `report`.
    fn serve(&mut self, mut connection: Connection, report: Listener<'_>) -> io::Result<End> {
        report(Report::Connected)?;
        let mut session = Session::new(self.plan.setup.clone(), self.progress);
        let start = Instant::now();
        let end = loop {
            let (inputs, next) = self.receive(&mut connection, report)?;
            let actions: Vec<Action> =
                inputs.into_iter().flat_map(|input| session.take(start.elapsed(), input)).collect();
            if let Some(end) = self.act(actions, &mut connection, report)? {
                break end;
            }
            if let Err(error) = connection.flush() {
                break End::Lost(error.to_string());
            }
            match next {
                Next::More => (),
                Next::Wait => {
                    self.poller.wait(session.wakes_at().saturating_sub(start.elapsed()))?
                }
                Next::End(end) => break end,
            }
        };
        self.searcher.stop();
        // A game ends with its connection, which may be broken: nothing is sent.
        let mut actions = session.take(start.elapsed(), Input::Leave);
        actions.retain(|action| !matches!(action, Action::Send(_)));
        self.act(actions, &mut connection, report)?;
        connection.close();
        self.progress = session.progress();
        let is_done = self.plan.setup.is_done(&self.progress);
        Ok(if is_done { End::Done } else { end })
    }

    /// Collects what has happened since the last round.
    fn receive(
        &mut self,
        connection: &mut Connection,
        report: Listener<'_>,
    ) -> io::Result<(Vec<Input>, Next)> {
        let mut inputs = Vec::new();
        if self.poller.is_leaving() {
            inputs.push(Input::Leave);
        }
        let mut next = Next::More;
        for _ in 0..LINES_AT_ONCE {
            match connection.line() {
                Ok(Some(line)) => {
                    if let Ok(line) = &line {
                        report(Report::Received(&self.plan.setup.shown(line)))?;
                    }
                    inputs.push(Input::Line(line));
                }
                Ok(None) => {
                    next = Next::End(End::Lost("the server closed the connection".to_owned()));
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    next = Next::Wait;
                    break;
                }
                Err(error) => {
                    next = Next::End(End::Lost(error.to_string()));
                    break;
                }
            }
        }
        while let Some((number, event)) = self.searcher.event()? {
            inputs.push(Input::Search(number, event));
        }
        inputs.push(Input::Tick);
        Ok((inputs, next))
    }

    fn act(
        &mut self,
        actions: Vec<Action>,
        connection: &mut Connection,
        report: Listener<'_>,
    ) -> io::Result<Option<End>> {
        for action in actions {
            match action {
                Action::Send(line) => {
                    report(Report::Sent(&self.plan.setup.shown(&line)))?;
                    if let Err(error) = connection.send(&line) {
                        return Ok(Some(End::Lost(error.to_string())));
                    }
                }
                Action::Search { number, position, limits } => {
                    self.searcher.search(number, position, limits);
                }
                Action::StopSearch => self.searcher.stop(),
                Action::GameOver(parts) => report(Report::GameOver(parts))?,
                Action::Close(end) => return Ok(Some(end)),
            }
        }
        Ok(None)
    }
}

/// What to do after a round.
#[derive(Debug)]
enum Next {
    /// Read on: there may be more lines.
    More,
    Wait,
    End(End),
}

/// The thread that searches.
#[derive(Debug)]
struct Searcher {
    jobs: Sender<Job>,
    events: Receiver<(u64, Event)>,
    /// Of the last search.
    stopper: Stopper,
}

#[derive(Debug)]
struct Job {
    number: u64,
    position: Position,
    limits: Limits,
    stopper: Stopper,
}

impl Searcher {
    fn start(engine: Engine, waker: Arc<Waker>) -> io::Result<Self> {
        let (jobs, received) = channel();
        let (sender, events) = channel();
        thread::Builder::new().name("searcher".to_owned()).spawn(move || {
            serve_jobs(engine, &received, &|number, event| {
                // Without a receiver the client has ended.
                let _ = sender.send((number, event));
                let _ = waker.wake();
            });
        })?;
        Ok(Self { jobs, events, stopper: Stopper::new() })
    }

    fn search(&mut self, number: u64, position: Position, limits: Limits) {
        self.stopper = Stopper::new();
        let stopper = self.stopper.clone();
        // If the thread has failed, the end of its events reports it.
        let _ = self.jobs.send(Job { number, position, limits, stopper });
    }

    /// The next event of a search, with the number of the search.
    fn event(&self) -> io::Result<Option<(u64, Event)>> {
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
fn serve_jobs(mut engine: Engine, jobs: &Receiver<Job>, report: &(dyn Fn(u64, Event) + Sync)) {
    // Writes the transposition table before a clock runs: the system provides its memory at
    // the first access.
    engine.best_move(Limits::nodes(1));
    let mut prepared = None;
    for Job { number, position, limits, stopper } in jobs {
        engine.set_position(position);
        let result = engine.search(limits, &stopper, &mut |info: &Info| {
            report(number, Event::Info(info.clone()));
        });
        report(number, Event::Finished(result));
        // Tables are built after the first answer on a board, when the opponent may be
        // thinking.
        let variant = position.variant();
        let is_worth_it = limits.movetime.is_some_and(|time| time >= TIME_FOR_TABLES);
        if is_worth_it && prepared.replace(variant) != Some(variant) {
            engine.prepare();
        }
    }
}
