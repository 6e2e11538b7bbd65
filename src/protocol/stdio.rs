//! The loop: one thread reads lines, another searches, and both tell the loop
//! through one channel. Only the loop writes.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::depth::Depth;
use crate::engine::{Engine, Event};
use crate::game::Position;
use crate::search::{Limits, Stopper};

use super::bench;
use super::command::Command;
use super::perft;
use super::session::{Action, Input, Session};
use crate::sys::lines::Lines;

/// The longest line that is read, in bytes. A game of ten thousand sowings needs
/// a fiftieth of it.
const LONGEST_LINE: usize = 1 << 20;

/// Speaks with a manager until `quit` or the end of `input`.
///
/// # Errors
/// Those of `output`; a manager that no longer listens ends the session.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    engine: Engine,
) -> io::Result<()> {
    let (sender, receiver) = channel();
    let current = Current::default();
    let mut running = Running { sender: sender.clone(), current: current.clone() };
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read(input, &sender, &current))?;
    let result = serve(Session::new(engine), &receiver, &mut running, output);
    running.current.stop();
    result
}

fn serve(
    mut session: Session,
    inputs: &Receiver<Input>,
    running: &mut Running,
    output: &mut dyn Write,
) -> io::Result<()> {
    for input in inputs {
        for action in session.take(input) {
            match action {
                Action::Say(line) => writeln!(output, "{line}")?,
                Action::Search(limits) => running.search(session.engine_mut(), limits),
                Action::Perft(depth) => running.count(*session.engine_mut().position(), depth),
                Action::Bench => running.bench(),
                Action::Stop => running.current.stop(),
                Action::PonderHit => running.current.ponderhit(),
                Action::Quit => return output.flush(),
            }
        }
        output.flush()?;
    }
    Ok(())
}

/// The stopper of what runs. The reader has it too, so that nothing the loop
/// may be waiting for, such as a manager that does not read, delays a stop.
#[derive(Clone, Debug, Default)]
struct Current(Arc<Mutex<Option<Stopper>>>);

impl Current {
    fn set(&self, stopper: Stopper) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stopper);
    }

    fn get(&self) -> Option<Stopper> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stop(&self) {
        if let Some(stopper) = self.get() {
            stopper.stop();
        }
    }

    fn ponderhit(&self) {
        if let Some(stopper) = self.get() {
            stopper.ponderhit();
        }
    }
}

/// Reads until the end of the input or of the session.
fn read(input: impl BufRead, sender: &Sender<Input>, current: &Current) {
    let ends =
        |line: &String| matches!(Command::read(line), Ok(Some((Command::Stop | Command::Quit, _))));
    for line in Lines::new(input, LONGEST_LINE) {
        if line.as_ref().is_ok_and(ends) {
            current.stop();
        }
        if sender.send(Input::Line(line)).is_err() {
            return;
        }
    }
    // The session may have ended already.
    let _ = sender.send(Input::End);
}

/// Starts what runs in the background.
#[derive(Debug)]
struct Running {
    sender: Sender<Input>,
    current: Current,
}

impl Running {
    fn search(&self, engine: &mut Engine, limits: Limits) {
        let mut teller = Teller::new(&self.sender);
        let search = engine.go(limits, move |event| {
            let is_last = matches!(event, Event::Finished(_));
            teller.tell(Input::Search(event), is_last);
        });
        // Without a thread the teller is dropped untold: that is told.
        if let Ok(search) = search {
            self.current.set(search.stopper().clone());
        }
    }

    fn count(&self, position: Position, depth: Depth) {
        self.work(move |stopper, tell| perft::count(&position, depth, stopper, tell));
    }

    fn bench(&self) {
        self.work(bench::measure);
    }

    /// Does in the background what tells lines and heeds a stopper.
    fn work(&self, job: impl FnOnce(&Stopper, &mut dyn FnMut(String)) + Send + 'static) {
        let mut teller = Teller::new(&self.sender);
        let stopper = Stopper::new();
        self.current.set(stopper.clone());
        let work = move || {
            job(&stopper, &mut |line| teller.tell(Input::Text(line), false));
            teller.tell(Input::Done, true);
        };
        // As above, nothing more is to be done about an error.
        let _ = thread::Builder::new().name("work".to_owned()).spawn(work);
    }
}

/// Tells the loop what a thread finds, and that it failed if it goes without a
/// last word.
#[derive(Debug)]
struct Teller {
    sender: Sender<Input>,
    has_ended: bool,
}

impl Teller {
    fn new(sender: &Sender<Input>) -> Self {
        Self { sender: sender.clone(), has_ended: false }
    }

    fn tell(&mut self, input: Input, is_last: bool) {
        self.has_ended |= is_last;
        // After the end of the session nobody listens.
        let _ = self.sender.send(input);
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if !self.has_ended {
            let _ = self.sender.send(Input::Failed);
        }
    }
}
