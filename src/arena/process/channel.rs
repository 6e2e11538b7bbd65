//! A child process and its pipes. Lines in, lines out, nothing of their meaning.

use std::fs::{self, OpenOptions};
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use super::super::player::Failure;
use super::super::spec::Program;
use crate::record::Reason;
use crate::sys::lines::{LineError, Lines};

/// Lines that wait to be read; a program that writes more has to wait.
const WAITING_LINES: usize = 1024;

/// The longest line that is one, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// A line and when it was complete.
#[derive(Debug)]
pub struct Heard {
    pub line: String,
    pub at: Instant,
}

#[derive(Debug)]
enum Event {
    Line(Heard),
    TooLong(LineError),
    Closed,
}

/// A running program. Dropping it ends the program.
#[derive(Debug)]
pub struct Channel {
    child: Child,
    stdin: ChildStdin,
    events: Receiver<Event>,
}

impl Channel {
    /// Starts a program, its stderr appended to `log`.
    ///
    /// # Errors
    /// Says why it cannot be started.
    pub fn open(program: &Program, log: &Path) -> Result<Self, String> {
        let told = |what: &str, error: std::io::Error| format!("cannot {what}: {error}");
        if let Some(directory) = log.parent() {
            fs::create_dir_all(directory)
                .map_err(|error| told(&format!("make {}", directory.display()), error))?;
        }
        let log_file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(log)
            .map_err(|error| told(&format!("open {}", log.display()), error))?;
        let mut command = Command::new(&program.command);
        command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(log_file));
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        apart_from_ctrl_c(&mut command);
        let mut child =
            command.spawn().map_err(|error| told(&format!("start {}", program.command), error))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the pipes are missing".to_owned());
        };
        let (sender, events) = mpsc::sync_channel(WAITING_LINES);
        std::thread::Builder::new()
            .name("listener".to_owned())
            .spawn(move || listen(stdout, &sender))
            .map_err(|error| told("start a thread", error))?;
        Ok(Self { child, stdin, events })
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.stdin.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| self.stdin.flush()).map_err(|_| self.gone())
    }

    /// The next line, if one comes in time.
    pub fn hear(&mut self, wait: Duration) -> Result<Option<Heard>, Failure> {
        match self.events.recv_timeout(wait) {
            Ok(Event::Line(heard)) => Ok(Some(heard)),
            Ok(Event::TooLong(error)) => Err(Failure::lost(Reason::Garbage, error.to_string())),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    /// Why the pipes are closed: the process has ended, or only its output.
    fn gone(&mut self) -> Failure {
        const GRACE: Duration = Duration::from_millis(200);
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Failure::lost(Reason::Crash, format!("the process ended: {status}"));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Failure::lost(Reason::Disconnect, "the process closed a pipe and lives on")
    }
}

impl Drop for Channel {
    /// Asks the program to quit, and ends it if it does not.
    fn drop(&mut self) {
        const GRACE: Duration = Duration::from_millis(100);
        // Errors here mean that the process has ended already.
        let _ = self.stdin.write_all(b"quit\n");
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(1));
        }
        kill_with_children(&mut self.child);
        let _ = self.child.wait();
    }
}

/// Gives a program its own process group: Ctrl-C is for the match, which ends
/// its programs itself.
fn apart_from_ctrl_c(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

fn kill_with_children(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// Passes lines on until the pipe or the match ends.
fn listen(stdout: ChildStdout, events: &SyncSender<Event>) {
    let mut lines = Lines::new(BufReader::new(stdout), LONGEST_LINE);
    loop {
        let event = match lines.next_bytes() {
            Some(Ok(line)) => {
                // A name in another encoding is no reason to lose a game.
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                Event::Line(Heard { line: text, at: Instant::now() })
            }
            Some(Err(error)) => Event::TooLong(error),
            None => Event::Closed,
        };
        let last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || last {
            return;
        }
    }
}
