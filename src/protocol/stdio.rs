//! The loop: one thread reads lines, another searches, and both send events to
//! the loop through one channel. Only the loop writes.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::command::Command;
use super::count;
use super::session::{Action, Input, Session};
use crate::engine::{Engine, Event};
use crate::search::{Limits, Stopper};
use crate::sys::lines::Lines;

/// The longest line that is read, in bytes. A game of ten thousand sowings needs
/// a fiftieth of it.
const LONGEST_LINE: usize = 1 << 20;

/// Serves a manager until `quit` or the end of `input`.
///
/// # Errors
/// Those of `output`: a manager that has closed it ends the session.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    engine: Engine,
) -> io::Result<()> {
    let (sender, inputs) = channel();
    let current = Current::default();
    let background = Background { sender: sender.clone(), current: current.clone() };
    thread::Builder::new().name("reader".to_owned()).spawn({
        let current = current.clone();
        move || read(input, &sender, &current)
    })?;
    let result = serve(Session::new(engine), &inputs, &background, output);
    current.get().stop();
    result
}

fn serve(
    mut session: Session,
    inputs: &Receiver<Input>,
    background: &Background,
    output: &mut dyn Write,
) -> io::Result<()> {
    for input in inputs {
        for action in session.take(input) {
            match action {
                Action::Say(line) => writeln!(output, "{line}")?,
                Action::Search(limits) => background.search(session.engine_mut(), limits),
                Action::Perft(depth) => {
                    let position = *session.engine_mut().position();
                    background.start(move |stopper, report| {
                        count::perft(&position, depth, stopper, report);
                    });
                }
                Action::Bench => background.start(count::bench),
                Action::Stop => background.current.get().stop(),
                Action::PonderHit => background.current.get().ponderhit(),
                Action::Quit => return output.flush(),
            }
        }
        output.flush()?;
    }
    Ok(())
}

/// The stopper of what runs, or ran last. The reader has it too, so that a stop
/// is not delayed while the loop writes to a manager that does not read.
#[derive(Clone, Debug, Default)]
struct Current(Arc<Mutex<Stopper>>);

impl Current {
    fn set(&self, stopper: Stopper) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = stopper;
    }

    fn get(&self) -> Stopper {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Reads until the end of the input or of the session.
fn read(input: impl BufRead, sender: &Sender<Input>, current: &Current) {
    let ends = |line: &String| {
        matches!(Command::parse(line), Ok(Some((Command::Stop | Command::Quit, _))))
    };
    for line in Lines::new(input, LONGEST_LINE) {
        if line.as_ref().is_ok_and(ends) {
            current.get().stop();
        }
        if sender.send(Input::Line(line)).is_err() {
            return;
        }
    }
    // An error here and above: the session has ended.
    let _ = sender.send(Input::End);
}

/// Starts what runs in the background.
#[derive(Debug)]
struct Background {
    sender: Sender<Input>,
    current: Current,
}

impl Background {
    fn search(&self, engine: &mut Engine, limits: Limits) {
        let mut events = EventSender::new(&self.sender);
        let search = engine.go(limits, move |event| {
            let is_last = matches!(event, Event::Finished(_));
            events.send(Input::Search(event), is_last);
        });
        // Without a thread the events has been dropped, which reports a failure.
        if let Ok(search) = search {
            self.current.set(search.stopper().clone());
        }
    }

    fn start(&self, job: impl FnOnce(&Stopper, &mut dyn FnMut(String)) + Send + 'static) {
        let mut events = EventSender::new(&self.sender);
        let stopper = Stopper::new();
        self.current.set(stopper.clone());
        let work = move || {
            job(&stopper, &mut |line| events.send(Input::Text(line), false));
            events.send(Input::Done, true);
        };
        // An error has been reported as above.
        let _ = thread::Builder::new().name("work".to_owned()).spawn(work);
    }
}

/// Sends a thread's events to the loop, and [`Input::Failed`] if the thread ends
/// without a last one: by a panic, or because it could not be started.
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
