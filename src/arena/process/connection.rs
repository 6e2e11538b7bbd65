//! A child process and its pipes: lines in, lines out. Knows nothing of their meaning.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::super::config::Program;
use super::super::player::PlayerError;
use super::reaper::{self, Reaper, kill_tree};
use crate::record::Reason;
use crate::sys::files;
use crate::sys::lines::{LineError, Lines};

/// Back pressure: a program that floods its output blocks after this many lines that
/// have not been read, instead of filling the memory of the match.
const BUFFERED_LINES: usize = 64;

/// Flood limit of one line, in bytes: a pv of 500 moves takes a fiftieth of it.
const MAX_LINE: usize = 1 << 16;

/// Deaf guard: how long a program may leave its input unread once the pipe is full. A
/// pipe holds the requests of many games, so that only a hung program fills it.
const MAX_UNREAD: Duration = Duration::from_secs(5);

/// The log of a program's stderr ends at this size, in bytes.
const MAX_LOG: u64 = 4 << 20;

#[derive(Debug)]
pub(super) struct Line {
    pub text: String,
    /// When it was complete, however long it then waited to be processed.
    pub received: Instant,
}

/// A running program. Dropping it ends the program.
#[derive(Debug)]
pub(super) struct Connection {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<Result<Line, LineError>>,
    /// Disconnects when all of its stderr is in the log.
    logged: Receiver<()>,
    reaper: Option<Arc<Reaper>>,
}

impl Connection {
    /// Starts a program, its stderr appended to `log` until that is
    /// [long](MAX_LOG).
    pub(super) fn open(
        program: &Program,
        log: &Path,
        reaper: Option<Arc<Reaper>>,
    ) -> Result<Self, String> {
        if let Some(directory) = log.parent() {
            fs::create_dir_all(directory)
                .map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
        }
        if log.exists() {
            files::open(log).map_err(|error| error.to_string())?;
        }
        let log_file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(log)
            .map_err(|error| format!("cannot open {}: {error}", log.display()))?;
        let mut command = Command::new(&program.command);
        command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        reaper::prepare(&mut command);
        let started = match &reaper {
            Some(reaper) => reaper.spawn(&mut command),
            None => command.spawn(),
        };
        let mut child = started.map_err(|error| {
            let hint = match program.command.split_once(' ') {
                Some((file, _)) => format!("; arguments are given by arg=: cmd={file} arg=…"),
                None => String::new(),
            };
            format!("cannot start {}: {error}{hint}", program.command)
        })?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("the pipes are missing".to_owned());
        };
        #[cfg(unix)]
        rustix::io::ioctl_fionbio(&stdin, true)
            .map_err(|error| format!("cannot prepare a pipe: {error}"))?;
        let (sender, lines) = mpsc::sync_channel(BUFFERED_LINES);
        let (logging, logged) = mpsc::channel();
        let connection = Self { child, stdin, lines, logged, reaper };
        spawn("engine-output", move || read_lines(stdout, &sender))
            .and_then(|()| {
                spawn("engine-stderr", move || {
                    keep_log(stderr, log_file);
                    drop(logging);
                })
            })
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(connection)
    }

    /// Sends a line; a program that reads nothing for [long](MAX_UNREAD) has hung.
    pub(super) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let line = format!("{line}\n");
        let mut rest = line.as_bytes();
        let since = Instant::now();
        while !rest.is_empty() {
            match self.stdin.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => {
                    return Err(self.failure());
                }
                Err(_) if since.elapsed() >= MAX_UNREAD => {
                    let detail =
                        format!("it has not read its input for {} s", MAX_UNREAD.as_secs());
                    return Err(PlayerError::lost(Reason::Hang, detail));
                }
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        }
        Ok(())
    }

    /// The next line; none if it does not arrive within `wait`.
    pub(super) fn receive(&mut self, wait: Duration) -> Result<Option<Line>, PlayerError> {
        match self.lines.recv_timeout(wait) {
            Ok(Ok(line)) => Ok(Some(line)),
            Ok(Err(error)) => Err(PlayerError::lost(Reason::Garbage, error.to_string())),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.failure()),
        }
    }

    /// Why the pipes are closed: the process has ended, or closed them itself.
    fn failure(&mut self) -> PlayerError {
        // A process that crashes closes its pipes a moment before it can be
        // waited for.
        const GRACE: Duration = Duration::from_millis(200);
        let noticed = Instant::now();
        while noticed.elapsed() < GRACE {
            if let Ok(Some(status)) = self.child.try_wait() {
                return PlayerError::lost(Reason::Crash, format!("the process ended: {status}"));
            }
            thread::sleep(Duration::from_millis(2));
        }
        PlayerError::lost(Reason::Disconnect, "the process closed a pipe and is still running")
    }
}

impl Drop for Connection {
    /// Sends `quit`, and kills the program if it does not end.
    fn drop(&mut self) {
        const GRACE: Duration = Duration::from_millis(100);
        // Errors here mean that the process has ended already, or reads nothing.
        let _ = self.stdin.write(b"quit\n");
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(1));
        }
        kill_tree(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(reaper) = &self.reaper {
            reaper.end(self.child.id());
        }
        // Its end is waited for, unless a process that it left behind keeps it open.
        let _ = self.logged.recv_timeout(GRACE);
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Sends lines until the pipe or the match ends, or a line is too long.
fn read_lines(stdout: ChildStdout, sender: &SyncSender<Result<Line, LineError>>) {
    let mut lines = Lines::new(BufReader::new(stdout), MAX_LINE);
    while let Some(line) = lines.next_bytes() {
        let line = line.map(|bytes| Line {
            // An engine must not lose a game by a name in another encoding.
            text: String::from_utf8_lossy(&bytes).trim_end().to_owned(),
            received: Instant::now(),
        });
        let too_long = line.is_err();
        if sender.send(line).is_err() || too_long {
            return;
        }
    }
}

/// Copies stderr into the log as long as there is room, and then discards it: a program
/// whose stderr is not read would block.
fn keep_log(mut stderr: ChildStderr, mut log: File) {
    let length = log.metadata().map_or(0, |metadata| metadata.len());
    let room = MAX_LOG.saturating_sub(length);
    // An unwritable log must not stop a match.
    let copied = io::copy(&mut stderr.by_ref().take(room), &mut log);
    let is_full = copied.is_ok_and(|copied| copied == room && room > 0);
    if is_full && stderr.read(&mut [0]).is_ok_and(|more| more > 0) {
        let _ = writeln!(log, "\n[more than {} MiB: the rest is left out]", MAX_LOG >> 20);
    }
    let _ = io::copy(&mut stderr, &mut io::sink());
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::protocol::dialect::Dialect;

    #[test]
    fn a_deaf_program_has_hung_and_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = vec!["60".to_owned()];
        let (command, protocol) = ("sleep".to_owned(), Dialect::Uci);
        let program = Program { command, arguments, directory: None, protocol };
        let mut connection = Connection::open(&program, &folder.path().join("log"), None).unwrap();
        let line = "x".repeat(1 << 16);
        let error = (0..100).find_map(|_| connection.send(&line).err()).expect("a full pipe");
        assert!(matches!(error, PlayerError::Lost { reason: Reason::Hang, .. }), "{error:?}");
        let started = Instant::now();
        drop(connection);
        assert!(started.elapsed() < Duration::from_secs(30), "the drop waited for it");
    }
}
