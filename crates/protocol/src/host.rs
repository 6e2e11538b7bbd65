//! The loop around a session: one thread reads lines, another one searches, and both send
//! events to the loop through one channel. Only the loop writes. While too many commands have
//! been read but not yet served, the reader waits, which slows their sender down instead of
//! filling the memory: 60 lines of moves during a search once took 1.8 GB.
//!
//! [`run`] is the loop between stdin and stdout; a [`Host`] takes lines from anywhere.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::command::EngineCommand;
use super::count;
use super::pace::Pace;
use super::session::{Input, Session, SessionAction};
use kalah_engine::search::{Limits, Stopper};
use kalah_engine::{Engine, SearchEvent};
use kalah_sys::lines::{LineError, Lines};
use kalah_sys::parallel;

/// Maximum length of a line in bytes. A game of ten thousand sowings needs a fiftieth of that.
pub const MAX_LINE: usize = 1 << 20;

/// Maximum number of bytes of a line that are logged.
const MAX_LOGGED: usize = 200;

/// Maximum number of bytes of commands that have been read but not yet served.
const MAX_BACKLOG: usize = 8 << 20;

/// Serves a manager until `quit` or the end of `input`.
///
/// # Errors
/// If `output` cannot be written to, because a manager that has closed it ends the session;
/// or if the system cannot start a thread.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    engine: Engine,
) -> io::Result<()> {
    Host::new(Session::new(engine)).run(Lines::new(input, MAX_LINE), &mut |lines| {
        lines.iter().try_for_each(|line| writeln!(output, "{line}"))?;
        output.flush()
    })
}

/// The loop around a session.
#[derive(Debug)]
pub struct Host {
    session: Session,
    inputs: Receiver<Input>,
    background: Background,
    /// When the background work reaches the time limit of the session.
    deadline: Option<Instant>,
    /// The events of a search that are not due yet, if their rate is limited.
    pace: Option<Pace>,
}

/// Ends the session of a [`Host`] immediately, from any thread.
#[derive(Clone, Debug)]
pub struct Hangup(Background);

impl Hangup {
    /// Stops what is running and drops the waiting commands.
    pub fn hang_up(&self) {
        // If there is no receiver, the loop has already ended.
        let _ = self.0.sender.send(Input::Command(EngineCommand::Quit, 0));
        self.0.shared.stop();
        self.0.shared.serve(usize::MAX);
    }
}

impl Host {
    /// A loop that has not started yet.
    pub fn new(session: Session) -> Self {
        let (sender, inputs) = channel();
        let background = Background { sender, shared: Arc::default() };
        Self { session, inputs, background, deadline: None, pace: None }
    }

    /// Answers at most one event from a search per `gap` on average, and only the newest of
    /// each kind. The result of a search and answers to commands do not wait.
    #[must_use]
    pub fn with_gap(self, gap: Duration) -> Self {
        Self { pace: Some(Pace::new(gap)), ..self }
    }

    /// A handle that ends the loop from any thread.
    pub fn hangup(&self) -> Hangup {
        Hangup(self.background.clone())
    }

    /// Serves a manager until `quit` or the end of `lines`; `answer` gets the answers in
    /// order, one or more lines at a time.
    ///
    /// # Errors
    /// The first error of `answer`, which ends the session; or an error if the system cannot
    /// start a thread.
    pub fn run(
        mut self,
        lines: impl Iterator<Item = Result<String, LineError>> + Send + 'static,
        answer: &mut dyn FnMut(Vec<String>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Background { sender, shared } = self.background.clone();
        parallel::start("reader", move || read(lines, &sender, &shared))?;
        let result = self.serve(answer);
        self.background.shared.stop();
        // The reader may be waiting for room; it then finds that the session has ended.
        self.background.shared.serve(usize::MAX);
        result
    }

    fn serve(&mut self, answer: &mut dyn FnMut(Vec<String>) -> io::Result<()>) -> io::Result<()> {
        let mut has_quit = false;
        while !has_quit {
            let input = self.next();
            let mut lines = Vec::new();
            // Held events come before the new input, because the `bestmove` must follow the last
            // `info`.
            let held = self.pace.as_mut().map(|pace| pace.release(Instant::now()));
            for event in held.into_iter().flatten() {
                self.take(Input::Search(event), &mut lines);
            }
            if let Some(input) = input {
                has_quit = self.take(input, &mut lines);
            }
            if !lines.is_empty() {
                answer(lines)?;
            }
        }
        Ok(())
    }

    /// Lets the session take an event, acts, and adds the answers to `lines`; returns whether
    /// the session has ended.
    fn take(&mut self, input: Input, lines: &mut Vec<String>) -> bool {
        let held = input.size().saturating_add(self.session.waiting_size());
        let actions = self.session.take(input);
        self.background.shared.serve(held.saturating_sub(self.session.waiting_size()));
        let mut has_quit = false;
        for action in actions {
            match action {
                SessionAction::Say(line) => {
                    log::debug!("< {line}");
                    lines.push(line);
                }
                SessionAction::Quit => has_quit = true,
                action => self.act(action),
            }
        }
        has_quit
    }

    /// The next event, which may be that the time is up; none once events that the pace has held
    /// are due.
    fn next(&mut self) -> Option<Input> {
        loop {
            let due = self.pace.as_ref().and_then(Pace::due);
            let input = match due.into_iter().chain(self.deadline).min() {
                // This host has a sender itself, so the channel never closes.
                None => self.inputs.recv().unwrap_or(Input::End),
                Some(until) => match self.receive_until(until) {
                    Ok(input) => input,
                    Err(RecvTimeoutError::Disconnected) => Input::End,
                    Err(RecvTimeoutError::Timeout) if due == Some(until) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        self.deadline = None;
                        Input::Overtime
                    }
                },
            };
            match (input, &mut self.pace) {
                (
                    Input::Search(event @ (SearchEvent::Info(_) | SearchEvent::RootMove(_))),
                    Some(pace),
                ) => {
                    pace.hold(event, Instant::now());
                }
                (input, _) => return Some(input),
            }
        }
    }

    /// The next event in the channel, if one comes in time.
    fn receive_until(&self, until: Instant) -> Result<Input, RecvTimeoutError> {
        match until.saturating_duration_since(Instant::now()) {
            // Not even tried, because a channel that is never empty would otherwise hold back the
            // events and the end of the time.
            Duration::ZERO => Err(RecvTimeoutError::Timeout),
            left => self.inputs.recv_timeout(left),
        }
    }

    fn act(&mut self, action: SessionAction) {
        let background = &self.background;
        if matches!(
            action,
            SessionAction::Search(_) | SessionAction::Perft(_) | SessionAction::Bench
        ) {
            let time = self.session.max_time();
            self.deadline = time.and_then(|time| Instant::now().checked_add(time));
        }
        match action {
            SessionAction::Search(limits) => background.search(self.session.engine_mut(), limits),
            SessionAction::Perft(depth) => {
                let position = *self.session.engine_mut().position();
                background.start(move |stopper, report| {
                    count::perft(&position, depth, stopper, report);
                });
            }
            SessionAction::Bench => background.start(count::bench),
            SessionAction::Prepare => {
                // A clone is prepared, so that the session keeps serving commands. The session's
                // own engine then adopts what both share.
                let mut engine = self.session.engine_mut().clone();
                background.start(move |_, _| engine.prepare());
            }
            SessionAction::Stop => background.shared.stop(),
            SessionAction::PonderHit => background.shared.lock().stopper.ponderhit(),
            SessionAction::Say(_) | SessionAction::Quit => (),
        }
    }
}

/// The state that the reader and the loop share.
#[derive(Debug, Default)]
struct SharedBacklog {
    state: Mutex<BacklogState>,
    served: Condvar,
}

#[derive(Debug, Default)]
struct BacklogState {
    /// Stops what is running or ran last. The reader uses it, too, so that a manager that does
    /// not read its answers, and so blocks the loop, can still stop a search.
    stopper: Stopper,
    /// Whether a search is running that only a stop ends.
    is_endless: bool,
    /// Bytes of commands that have been read but not yet served.
    backlog: usize,
    /// Whether the reader waits for room in the backlog.
    is_full: bool,
}

impl BacklogState {
    /// Stops an endless search if the backlog is full. The `stop` behind the backlog would not
    /// be read, so the search would never end and the backlog never be served.
    fn stop_if_stuck(&self) {
        if self.is_full && self.is_endless {
            self.stopper.stop();
        }
    }
}

impl SharedBacklog {
    fn lock(&self) -> MutexGuard<'_, BacklogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the work that starts now.
    fn start(&self, stopper: Stopper, is_endless: bool) {
        let mut state = self.lock();
        // The backlog may have filled up before this work began, hence the check below.
        (state.stopper, state.is_endless) = (stopper, is_endless);
        state.stop_if_stuck();
    }

    fn stop(&self) {
        self.lock().stopper.stop();
    }

    /// Waits until there is room for commands of `bytes` more bytes.
    fn wait_for_room(&self, bytes: usize) {
        let mut state = self.lock();
        // A single command is admitted whatever its size, because waiting would not make room.
        while state.backlog > 0 && state.backlog.saturating_add(bytes) > MAX_BACKLOG {
            state.is_full = true;
            state.stop_if_stuck();
            state = self.served.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_full = false;
        state.backlog = state.backlog.saturating_add(bytes);
    }

    /// Releases the bytes of commands that have been served.
    fn serve(&self, bytes: usize) {
        let mut state = self.lock();
        // Saturating: at the end of a session, more bytes are released than were counted, to wake
        // the reader.
        state.backlog = state.backlog.saturating_sub(bytes);
        self.served.notify_one();
    }
}

/// Reads until the end of the input or of the session.
fn read(
    lines: impl Iterator<Item = Result<String, LineError>>,
    sender: &Sender<Input>,
    shared: &SharedBacklog,
) {
    for line in lines {
        if let Ok(line) = &line {
            // A line that is shorter, or has a character across this boundary, is logged whole.
            log::debug!("> {}", line.get(..MAX_LOGGED).unwrap_or(line));
        }
        let Some(input) = Input::from_line(line) else { continue };
        if let Input::Command(EngineCommand::Stop | EngineCommand::Quit, _) = input {
            // Not left to the loop, which is blocked while the manager does not read its answers.
            shared.stop();
        }
        shared.wait_for_room(input.size());
        if sender.send(input).is_err() {
            return;
        }
    }
    // An error here or above means that the session has ended.
    let _ = sender.send(Input::End);
}

/// Starts work in the background.
#[derive(Clone, Debug)]
struct Background {
    sender: Sender<Input>,
    shared: Arc<SharedBacklog>,
}

impl Background {
    fn search(&self, engine: &mut Engine, limits: Limits) {
        let mut events = EventSender::new(&self.sender);
        let search = engine.go(limits, move |event| {
            let is_last = matches!(event, SearchEvent::Finished(_));
            events.send(Input::Search(event), is_last);
        });
        match search {
            Ok(search) => self.shared.start(search.stopper().clone(), limits.are_endless()),
            Err(error) => self.fail(&error),
        }
    }

    fn start(&self, job: impl FnOnce(&Stopper, &mut dyn FnMut(String)) + Send + 'static) {
        let mut events = EventSender::new(&self.sender);
        let stopper = Stopper::new();
        self.shared.start(stopper.clone(), false);
        let started = parallel::start("work", move || {
            job(&stopper, &mut |line| events.send(Input::Text(line), false));
            events.send(Input::Done, true);
        });
        if let Err(error) = started {
            self.fail(&error);
        }
    }

    /// Reports that no thread could be started.
    fn fail(&self, error: &io::Error) {
        // There is no receiver after the end of the session.
        let _ = self.sender.send(Input::Failed(error.to_string()));
    }
}

/// Sends a thread's events to the loop, and [`Input::Failed`] if the thread panics before the last
/// one.
#[derive(Debug)]
struct EventSender {
    sender: Sender<Input>,
    has_ended: bool,
}

impl EventSender {
    fn new(sender: &Sender<Input>) -> Self {
        Self { sender: sender.clone(), has_ended: false }
    }

    fn send(&mut self, input: Input, is_last: bool) {
        self.has_ended |= is_last;
        // There is no receiver after the end of the session.
        let _ = self.sender.send(input);
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        if thread::panicking() && !self.has_ended {
            let _ = self.sender.send(Input::Failed("a bug in the engine".to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_line_counts_towards_the_backlog() {
        for line in [Ok("bestmove A".to_owned()), Err(LineError::TooLong(100))] {
            let input = Input::from_line(line);
            let is_counted = |input: &Input| match input {
                Input::Wrong(error) => input.size() >= size_of::<Input>() + error.len(),
                _ => false,
            };
            assert!(input.as_ref().is_some_and(is_counted), "{input:?}");
        }
    }

    #[test]
    fn work_that_cannot_be_started_is_reported_with_its_reason() {
        let (sender, inputs) = channel();
        let background = Background { sender, shared: Arc::default() };
        background.fail(&io::Error::other("no thread left"));
        drop(background);
        let reported: Vec<Input> = inputs.iter().collect();
        assert!(matches!(&reported[..], [Input::Failed(reason)] if reason == "no thread left"));
    }

    #[test]
    fn a_panic_is_reported_unless_the_work_had_ended() {
        for (is_last, panics) in [(false, true), (true, true), (false, false)] {
            let (sender, inputs) = channel();
            let worker = thread::spawn(move || {
                let mut events = EventSender::new(&sender);
                events.send(Input::Done, is_last);
                assert!(!panics, "the test");
            });
            assert_eq!(worker.join().is_err(), panics);
            let reported = inputs.iter().filter(|input| matches!(input, Input::Failed(_)));
            assert_eq!(reported.count(), usize::from(panics && !is_last));
        }
    }
}
