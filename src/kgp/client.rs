//! The client: it connects, serves a session, and connects again when the
//! connection is lost. A thread searches, and wakes the loop with its events.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use mio::{Events, Poll, Token, Waker};

pub use super::connection::Address;
use super::connection::Connection;
use super::session::{Action, End, Input, Progress, Session, Setup};
use crate::engine::Engine;
use crate::game::Position;
use crate::record::Game;
use crate::search::{Event, Info, Limits, Stopper};
use crate::sys::stop::Flag;

/// The pause before a lost connection is made again, doubled each time it fails.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Lines that are served before the engine is heard.
const LINES_AT_ONCE: usize = 64;

/// Time for a move from which on it pays to build larger endgame tables for a new
/// board, which takes less than a second.
const TIME_FOR_TABLES: Duration = Duration::from_secs(2);

const SERVER: Token = Token(0);
const WAKER: Token = Token(1);

/// What a client reports.
#[derive(Debug)]
pub enum Report<'a> {
    /// A connection stands; the server has not greeted yet.
    Connected,
    /// The connection was lost, and will be made again after a pause.
    Lost(&'a str, Duration),
    /// A line from the server.
    Received(&'a str),
    /// A line to the server.
    Sent(&'a str),
    /// A game has ended: its parts between which moves are unknown.
    GameOver(Vec<Game>),
}

/// What takes the reports. Its errors end the client.
pub type Listener<'a> = &'a mut dyn FnMut(Report<'_>) -> io::Result<()>;

/// Where a client plays and how persistently.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The server to connect to, again after each loss.
    pub address: Address,
    /// How it presents itself and what it wants.
    pub setup: Setup,
    /// How often in a row it connects in vain before it gives up.
    pub retries: u32,
}

/// A handle to end a client from another thread.
#[derive(Clone, Debug)]
pub struct Leave {
    /// Raised to let the client say goodbye.
    pub flag: Flag,
    waker: Arc<Waker>,
}

impl Leave {
    /// Lets the client look at the flag.
    pub fn wake(&self) {
        // Without a waker it does so at its next event.
        let _ = self.waker.wake();
    }
}

/// A client of one server.
#[derive(Debug)]
pub struct Client {
    plan: Plan,
    poll: Poll,
    /// What [`Self::wait`] has waited for; which it was is seen by trying.
    ready: Events,
    leave: Leave,
    searcher: Searcher,
    progress: Progress,
}

impl Client {
    /// A client that plays by `engine`.
    ///
    /// # Errors
    /// If the system has no thread or no file for it.
    pub fn new(plan: Plan, engine: Engine) -> io::Result<Self> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let searcher = Searcher::start(engine, Arc::clone(&waker))?;
        let leave = Leave { flag: Flag::default(), waker };
        Ok(Self {
            plan,
            poll,
            ready: Events::with_capacity(8),
            leave,
            searcher,
            progress: Progress::default(),
        })
    }

    /// The handle to end it.
    pub fn leave(&self) -> Leave {
        self.leave.clone()
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Plays until all is played or the user leaves.
    ///
    /// # Errors
    /// Why the server refuses the client or was given up; those of `report`.
    pub fn run(&mut self, report: Listener<'_>) -> Result<(), String> {
        let mut failures: u32 = 0;
        loop {
            let answers = self.progress.answers;
            let registry = self.poll.registry();
            let end = match Connection::open(&self.plan.address, registry, SERVER) {
                Ok(connection) => {
                    self.serve(connection, report).map_err(|error| error.to_string())?
                }
                Err(error) => End::Lost(error.to_string()),
            };
            let address = &self.plan.address;
            let reason = match end {
                End::Done => return Ok(()),
                End::Refused(reason) => return Err(format!("{address}: {reason}")),
                End::Lost(reason) => reason,
            };
            let has_played = self.progress.answers > answers;
            failures = if has_played { 0 } else { failures.saturating_add(1) };
            if self.leave.flag.is_raised() {
                return Ok(());
            }
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
        while !self.leave.flag.is_raised() && start.elapsed() < pause {
            self.wait(pause.saturating_sub(start.elapsed()))?;
        }
        Ok(())
    }

    fn wait(&mut self, time: Duration) -> io::Result<()> {
        match self.poll.poll(&mut self.ready, Some(time)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            polled => polled,
        }
    }

    /// Serves a session to its end. Errors are those of `report`.
    fn serve(&mut self, mut connection: Connection, report: Listener<'_>) -> io::Result<End> {
        report(Report::Connected)?;
        let mut session = Session::new(self.plan.setup.clone(), self.progress);
        let start = Instant::now();
        let end = loop {
            let (inputs, next) = self.receive(&mut connection, report)?;
            let take = |input| session.take(start.elapsed(), input);
            let actions: Vec<Action> = inputs.into_iter().flat_map(take).collect();
            if let Some(end) = self.act(actions, &mut connection, report)? {
                break end;
            }
            if let Err(error) = connection.flush() {
                break End::Lost(error.to_string());
            }
            match next {
                Next::More => (),
                Next::Wait => self.wait(session.wakes_at().saturating_sub(start.elapsed()))?,
                Next::End(end) => break end,
            }
        };
        self.searcher.stop();
        // If the connection broke, its game is over as well.
        let mut actions = session.take(start.elapsed(), Input::Leave);
        actions.retain(|action| !matches!(action, Action::Send(_)));
        self.act(actions, &mut connection, report)?;
        connection.close();
        self.progress = session.progress();
        let is_done = self.plan.setup.is_done(&self.progress);
        Ok(if is_done { End::Done } else { end })
    }

    /// What has happened since the last time.
    fn receive(
        &mut self,
        connection: &mut Connection,
        report: Listener<'_>,
    ) -> io::Result<(Vec<Input>, Next)> {
        let mut inputs = Vec::new();
        if self.leave.flag.is_raised() {
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

/// What to do after the inputs of a round.
#[derive(Debug)]
enum Next {
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
    /// Searches that were started in all sessions.
    started: u64,
    /// The session's number of the last search.
    number: u64,
}

#[derive(Debug)]
struct Job {
    /// Its place among the searches of all sessions, whose own numbers begin anew.
    serial: u64,
    position: Position,
    limits: Limits,
    stopper: Stopper,
}

impl Searcher {
    fn start(mut engine: Engine, waker: Arc<Waker>) -> io::Result<Self> {
        let (jobs, received) = channel::<Job>();
        let (sender, events) = channel();
        let send = move |serial, event| {
            // Without a receiver the client has ended.
            let _ = sender.send((serial, event));
            let _ = waker.wake();
        };
        let mut prepared = None;
        thread::Builder::new().name("searcher".to_owned()).spawn(move || {
            // Writes the transposition table before a clock runs.
            engine.best_move(Limits::nodes(1));
            for Job { serial, position, limits, stopper } in received {
                engine.set_position(position);
                let mut report = |info: &Info| send(serial, Event::Info(info.clone()));
                let result = engine.search(limits, &stopper, &mut report);
                send(serial, Event::Finished(result));
                // Now, as the opponent may be thinking.
                let variant = position.variant();
                let is_worth_it = limits.movetime.is_some_and(|time| time >= TIME_FOR_TABLES);
                if is_worth_it && prepared.replace(variant) != Some(variant) {
                    engine.prepare();
                }
            }
        })?;
        Ok(Self { jobs, events, stopper: Stopper::new(), started: 0, number: 0 })
    }

    fn search(&mut self, number: u64, position: Position, limits: Limits) {
        self.stopper = Stopper::new();
        let stopper = self.stopper.clone();
        self.started = self.started.wrapping_add(1);
        self.number = number;
        let serial = self.started;
        // A search that has failed is reported by the end of its events.
        let _ = self.jobs.send(Job { serial, position, limits, stopper });
    }

    /// The next event of the last search, with its number in the session. Those of
    /// earlier ones are dropped: their session has ended.
    fn event(&self) -> io::Result<Option<(u64, Event)>> {
        loop {
            match self.events.try_recv() {
                Ok((serial, event)) if serial == self.started => {
                    return Ok(Some((self.number, event)));
                }
                Ok(_) => (),
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => {
                    return Err(io::Error::other("the search failed"));
                }
            }
        }
    }

    fn stop(&self) {
        self.stopper.stop();
    }
}
