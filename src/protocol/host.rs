//! The loop around a session: one thread reads lines, another one searches, and both send
//! events to the loop through one channel. Only the loop writes. The reader waits while too
//! many commands have been read and not served, which slows their sender down instead of
//! filling the memory.
//!
//! [`run`] is the loop between stdin and stdout; a [`Host`] takes lines from anywhere.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::command::Command;
use super::count;
use super::session::{Action, Input, Session};
use crate::engine::{Engine, Event};
use crate::search::{Limits, Stopper};
use crate::sys::lines::{LineError, Lines};

/// Bytes of the longest line that is read. A game of ten thousand sowings needs a fiftieth
/// of it.
pub const MAX_LINE: usize = 1 << 20;

/// Bytes of a line that are logged.
const MAX_LOGGED: usize = 200;

/// Bytes of commands that have been read and not served, at most.
const MAX_BACKLOG: usize = 8 << 20;

/// Serves a manager until `quit` or the end of `input`.
///
/// # Errors
/// Those of `output`: a manager that has closed it ends the session.
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
    /// When the work in the background has taken the longest time that is allowed.
    deadline: Option<Instant>,
}

/// Ends the session of a [`Host`] at once, from any thread.
#[derive(Clone, Debug)]
pub struct Hangup(Background);

impl Hangup {
    /// Stops what is running and drops the commands that wait.
    pub fn hang_up(&self) {
        // The loop has ended if there is no receiver.
        let _ = self.0.sender.send(Input::Command(Command::Quit, 0));
        self.0.shared.stop();
        self.0.shared.serve(usize::MAX);
    }
}

impl Host {
    /// A loop that has not begun.
    pub fn new(session: Session) -> Self {
        let (sender, inputs) = channel();
        let background = Background { sender, shared: Arc::default() };
        Self { session, inputs, background, deadline: None }
    }

    /// Ends the loop from elsewhere.
    pub fn hangup(&self) -> Hangup {
        Hangup(self.background.clone())
    }

    /// Serves a manager until `quit` or the end of `lines`; `answer` gets the answers in
    /// order, one or more lines at a time.
    ///
    /// # Errors
    /// Those of `answer`, the first of which ends the session.
    pub fn run(
        mut self,
        lines: impl Iterator<Item = Result<String, LineError>> + Send + 'static,
        answer: &mut dyn FnMut(Vec<String>) -> io::Result<()>,
    ) -> io::Result<()> {
        thread::Builder::new().name("reader".to_owned()).spawn({
            let Background { sender, shared } = self.background.clone();
            move || read(lines, &sender, &shared)
        })?;
        let result = self.serve(answer);
        self.background.shared.stop();
        self.background.shared.serve(usize::MAX);
        result
    }

    fn serve(&mut self, answer: &mut dyn FnMut(Vec<String>) -> io::Result<()>) -> io::Result<()> {
        loop {
            let input = self.next();
            let held = input.size().saturating_add(self.session.waiting_size());
            let actions = self.session.take(input);
            self.background.shared.serve(held.saturating_sub(self.session.waiting_size()));
            let mut lines = Vec::new();
            let mut has_quit = false;
            for action in actions {
                match action {
                    Action::Say(line) => {
                        log::debug!("< {line}");
                        lines.push(line);
                    }
                    Action::Quit => has_quit = true,
                    action => self.act(action),
                }
            }
            if !lines.is_empty() {
                answer(lines)?;
            }
            if has_quit {
                return Ok(());
            }
        }
    }

    /// The next event, which may be that the time is over.
    fn next(&mut self) -> Input {
        // This host has a sender itself, so the channel never closes.
        let Some(deadline) = self.deadline else { return self.inputs.recv().unwrap_or(Input::End) };
        match self.inputs.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(input) => input,
            Err(RecvTimeoutError::Disconnected) => Input::End,
            Err(RecvTimeoutError::Timeout) => {
                self.deadline = None;
                Input::Overtime
            }
        }
    }

    fn act(&mut self, action: Action) {
        let background = &self.background;
        if matches!(action, Action::Search(_) | Action::Perft(_) | Action::Bench) {
            let time = self.session.max_time();
            self.deadline = time.and_then(|time| Instant::now().checked_add(time));
        }
        match action {
            Action::Search(limits) => background.search(self.session.engine_mut(), limits),
            Action::Perft(depth) => {
                let position = *self.session.engine_mut().position();
                background.start(move |stopper, report| {
                    count::perft(&position, depth, stopper, report);
                });
            }
            Action::Bench => background.start(count::bench),
            Action::Prepare => {
                let mut engine = self.session.engine_mut().clone();
                background.start(move |_, _| engine.prepare());
            }
            Action::Stop => background.shared.stop(),
            Action::PonderHit => background.shared.lock().stopper.ponderhit(),
            Action::Say(_) | Action::Quit => (),
        }
    }
}

/// What the reader and the loop share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    served: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Stops what is running, or ran last. The reader has it too, so that a manager which
    /// does not read, and so blocks the loop, can still stop a search.
    stopper: Stopper,
    /// Whether a search is running that only a stop ends.
    is_endless: bool,
    /// Bytes of commands that have been read and not served.
    backlog: usize,
    /// Whether the reader waits for room in the backlog.
    is_full: bool,
}

impl State {
    /// A `stop` behind a full backlog is not read. An endless search would never end, and
    /// the backlog would never be served.
    fn stop_if_stuck(&self) {
        if self.is_full && self.is_endless {
            self.stopper.stop();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers the work that starts now.
    fn start(&self, stopper: Stopper, is_endless: bool) {
        let mut state = self.lock();
        (state.stopper, state.is_endless) = (stopper, is_endless);
        state.stop_if_stuck();
    }

    fn stop(&self) {
        self.lock().stopper.stop();
    }

    /// Waits until there is room for `bytes` more of commands.
    fn wait_for_room(&self, bytes: usize) {
        let mut state = self.lock();
        // A single command is admitted however large it is.
        while state.backlog > 0 && state.backlog.saturating_add(bytes) > MAX_BACKLOG {
            state.is_full = true;
            state.stop_if_stuck();
            state = self.served.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_full = false;
        state.backlog = state.backlog.saturating_add(bytes);
    }

    /// Releases bytes of commands that are served.
    fn serve(&self, bytes: usize) {
        let mut state = self.lock();
        state.backlog = state.backlog.saturating_sub(bytes);
        self.served.notify_one();
    }
}

/// Reads until the end of the input or of the session.
fn read(
    lines: impl Iterator<Item = Result<String, LineError>>,
    sender: &Sender<Input>,
    shared: &Shared,
) {
    for line in lines {
        if let Ok(line) = &line {
            log::debug!("> {}", line.get(..MAX_LOGGED).unwrap_or(line));
        }
        let Some(input) = Input::of_line(line) else { continue };
        if let Input::Command(Command::Stop | Command::Quit, _) = input {
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
    shared: Arc<Shared>,
}

impl Background {
    fn search(&self, engine: &mut Engine, limits: Limits) {
        let mut events = EventSender::new(&self.sender);
        let search = engine.go(limits, move |event| {
            let is_last = matches!(event, Event::Finished(_));
            events.send(Input::Search(event), is_last);
        });
        // If no thread could be started, dropping the sender has reported the failure.
        if let Ok(search) = search {
            let Limits { nodes, depth, movetime, clock, infinite, ponder, .. } = limits;
            let ends = nodes.is_some() || depth.is_some() || movetime.is_some() || clock.is_some();
            self.shared.start(search.stopper().clone(), infinite || ponder || !ends);
        }
    }

    fn start(&self, job: impl FnOnce(&Stopper, &mut dyn FnMut(String)) + Send + 'static) {
        let mut events = EventSender::new(&self.sender);
        let stopper = Stopper::new();
        self.shared.start(stopper.clone(), false);
        // Dropping the sender reports a failure here, too.
        let _ = thread::Builder::new().name("work".to_owned()).spawn(move || {
            job(&stopper, &mut |line| events.send(Input::Text(line), false));
            events.send(Input::Done, true);
        });
    }
}

/// Sends a thread's events to the loop, and [`Input::Failed`] if the thread ends without a
/// last event: because it panics or could not be started.
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
        // After the end of the session there is no receiver.
        let _ = self.sender.send(input);
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        if !self.has_ended {
            let _ = self.sender.send(Input::Failed);
        }
    }
}
