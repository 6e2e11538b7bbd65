//! A child process and its pipes: lines in, lines out. The meaning of lines is left to the
//! caller.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::input::{NonBlockingInput, non_blocking};
use super::reaper::{self, Reaper, kill_tree};
use crate::ProgramError;
use crate::config::Program;
use crate::contestant::PlayerError;
use kalah_record::Reason;
use kalah_sys::files;
use kalah_sys::lines::{LineError, Lines};
use kalah_sys::machine::ProcessorUse;

/// Back pressure: a program that floods its output blocks after this many unread lines
/// instead of filling the memory of the match.
const BUFFERED_LINES: usize = 64;

/// Flood limit of one line, in bytes: a pv of 500 moves takes a fiftieth of it.
const MAX_LINE: usize = 1 << 16;

/// Deaf guard: how long a program may leave its input unread once the pipe is full. A
/// pipe holds the requests of many games, so only a hung program fills it. Counted in
/// [`PAUSE`]s, like every wait here that no deadline of a game bounds: the time during which the
/// match itself is suspended must not count.
const MAX_UNREAD: u32 = 5000;

/// How long a program may take to exit, in [`PAUSE`]s. The pipes of a crashing process also close
/// a moment before its exit status is available.
const MAX_EXIT: u32 = 200;

/// How long the last lines of a program that has ended may take to arrive.
const LAST_LINES: Duration = Duration::from_millis(200);

/// The pause between two attempts to write to a program or to get its exit status.
const PAUSE: Duration = Duration::from_millis(1);

/// The log of a program's stderr ends at this size, in bytes.
const MAX_LOG: u64 = 4 << 20;

#[derive(Debug)]
pub(super) struct OutputLine {
    pub text: String,
    /// When the line was complete: time in the queue must not be charged to the player.
    pub received: Instant,
}

/// A running program; dropping the connection ends it.
#[derive(Debug)]
pub(super) struct ChildProcess {
    child: Child,
    stdin: NonBlockingInput,
    lines: Receiver<Result<OutputLine, LineError>>,
    /// Disconnects when all of the program's stderr is in the log.
    logged: Receiver<()>,
    reaper: Option<Arc<Reaper>>,
}

impl ChildProcess {
    /// Starts a program and appends its stderr to `log`, up to [`MAX_LOG`] bytes.
    pub(super) fn open(
        program: &Program,
        log: &Path,
        reaper: Option<Arc<Reaper>>,
    ) -> Result<Self, ProgramError> {
        if let Some(directory) = log.parent() {
            fs::create_dir_all(directory)
                .map_err(ProgramError::at(format!("create {}", directory.display())))?;
        }
        let log_file = open_log(log)?;
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
        let mut child = started.map_err(|source| {
            let hint = match program.command.split_once(' ') {
                Some((file, _)) => format!("; pass arguments with arg=: cmd={file} arg=…"),
                None => String::new(),
            };
            ProgramError { action: format!("start {}", program.command), source, hint }
        })?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were piped");
        };
        let stdin = non_blocking(stdin).map_err(ProgramError::at("prepare a pipe"))?;
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
            .map_err(ProgramError::at("start a thread"))?;
        Ok(connection)
    }

    /// Sends a line. A program that reads nothing for [`MAX_UNREAD`] has hung.
    pub(super) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let line = format!("{line}\n");
        let mut rest = line.as_bytes();
        let mut pauses = 0;
        while !rest.is_empty() {
            match self.stdin.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => {
                    return Err(self.failure());
                }
                Err(_) if pauses >= MAX_UNREAD => {
                    let seconds = (PAUSE * MAX_UNREAD).as_secs();
                    let detail = format!("it has not read its input for {seconds} s");
                    return Err(PlayerError::lost(Reason::Hang, detail));
                }
                Err(_) => {
                    pauses += 1;
                    thread::sleep(PAUSE);
                }
            }
        }
        Ok(())
    }

    /// The next line; none if no line arrives within `wait`.
    pub(super) fn receive(&mut self, wait: Duration) -> Result<Option<OutputLine>, PlayerError> {
        match self.lines.recv_timeout(wait) {
            // A process that the program has started may keep its pipes open.
            Err(RecvTimeoutError::Timeout) if self.has_ended() => {
                match self.lines.recv_timeout(LAST_LINES) {
                    Ok(line) => received(line).map(Some),
                    Err(_) => Err(self.failure()),
                }
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.failure()),
            Ok(line) => received(line).map(Some),
        }
    }

    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    pub(super) fn processor_use(&self) -> ProcessorUse {
        ProcessorUse::of(self.child.id())
    }

    /// Why the pipes are closed: the process has ended, or has closed them itself.
    fn failure(&mut self) -> PlayerError {
        match self.wait_for_exit() {
            Some(status) => {
                PlayerError::lost(Reason::Crash, format!("the process ended: {status}"))
            }
            None => PlayerError::lost(
                Reason::Disconnect,
                "the process closed a pipe and is still running",
            ),
        }
    }

    /// The exit status; none if the program does not exit in time.
    fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        for _ in 0..MAX_EXIT {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(PAUSE);
        }
        None
    }
}

impl Drop for ChildProcess {
    /// Sends `quit`, and kills the program if it does not exit in time.
    fn drop(&mut self) {
        const GRACE: Duration = Duration::from_millis(100);
        // An error means that the process has already exited or does not read its input.
        let _ = self.stdin.write(b"quit\n");
        self.wait_for_exit();
        // Also after an orderly exit, because processes that the program has started may still
        // be running.
        kill_tree(self.child.id());
        let _ = self.child.kill();
        // Until it is waited for, the process remains as a zombie.
        let _ = self.child.wait();
        if let Some(reaper) = &self.reaper {
            reaper.end(self.child.id());
        }
        // Wait for the last lines of stderr, but not for a surviving process that keeps the
        // pipe open.
        let _ = self.logged.recv_timeout(GRACE);
    }
}

fn received(line: Result<OutputLine, LineError>) -> Result<OutputLine, PlayerError> {
    line.map_err(|error| PlayerError::lost(Reason::Garbage, error.to_string()))
}

/// Opens the log for appending.
fn open_log(log: &Path) -> Result<File, ProgramError> {
    // Refuses anything but a regular file: opening a named pipe for writing would block.
    if log.exists() {
        files::open(log)
            .map_err(|error| ProgramError::at(format!("read {}", log.display()))(error.into()))?;
    }
    let file = OpenOptions::new().create(true).append(true).open(log);
    file.map_err(ProgramError::at(format!("open {}", log.display())))
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Forwards lines until the pipe closes, the match ends or a line is too long.
fn read_lines(stdout: ChildStdout, sender: &SyncSender<Result<OutputLine, LineError>>) {
    let mut lines = Lines::new(BufReader::new(stdout), MAX_LINE);
    while let Some(line) = lines.next_bytes() {
        let line = line.map(|bytes| OutputLine {
            // An engine must not lose a game because its author's name is not in UTF-8.
            text: String::from_utf8_lossy(&bytes).trim_end().to_owned(),
            received: Instant::now(),
        });
        let too_long = line.is_err();
        if sender.send(line).is_err() || too_long {
            return;
        }
    }
}

/// Copies stderr into the log until the log is full, and discards the rest: a program
/// whose stderr is not read would block.
fn keep_log(mut stderr: ChildStderr, mut log: File) {
    let length = match log.metadata() {
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    let room = MAX_LOG.saturating_sub(length);
    // An unwritable log must not stop a match.
    if let Ok(copied) = io::copy(&mut stderr.by_ref().take(room), &mut log)
        && copied == room
        // A log that was already full ends with the note below.
        && room > 0
        && let Ok(1) = stderr.read(&mut [0])
    {
        let _ = writeln!(log, "\n[more than {} MiB: the rest is omitted]", MAX_LOG >> 20);
    }
    let _ = io::copy(&mut stderr, &mut io::sink());
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_protocol::dialect::Dialect;

    /// Starts this binary with one test alone: as a part of a name, an argument would also select
    /// the test that starts it, which would start the next.
    const DEAF: [&str; 2] = ["--exact", "process::child::tests::a_deaf_program_reads_nothing"];

    /// The program of the next test.
    #[test]
    fn a_deaf_program_reads_nothing() {
        if std::env::args().skip(1).eq(DEAF) {
            thread::sleep(Duration::from_secs(60));
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_reads_late_gets_every_line() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["-c", "sleep 0.3; head -n 100 | wc -l"].map(str::to_owned).to_vec();
        let protocol = Dialect::Uci;
        let program = Program { command: "sh".to_owned(), arguments, directory: None, protocol };
        let mut connection =
            ChildProcess::open(&program, &folder.path().join("log"), None).unwrap();
        // More than a pipe holds.
        for _ in 0..100 {
            connection.send(&"x".repeat(1 << 14)).unwrap();
        }
        let counted = connection.receive(Duration::from_secs(60)).unwrap().expect("a line");
        assert_eq!(counted.text.trim(), "100");
    }

    #[test]
    #[cfg(unix)]
    fn a_log_ends_at_its_limit_with_one_note() {
        let folder = tempfile::tempdir().unwrap();
        for (number, pieces, notes) in [
            (0, &[MAX_LOG][..], 0),
            (1, &[MAX_LOG + 1], 1),
            (2, &[MAX_LOG, 1], 0),
            (3, &[MAX_LOG - 1, 2], 1),
            (4, &[MAX_LOG + 1, 1], 1),
        ] {
            let path = folder.path().join(number.to_string());
            for bytes in pieces {
                let mut command = Command::new("sh");
                command.args(["-c", &format!("head -c {bytes} /dev/zero >&2")]);
                let mut program = command.stderr(Stdio::piped()).spawn().unwrap();
                keep_log(program.stderr.take().unwrap(), open_log(&path).unwrap());
                assert!(program.wait().unwrap().success(), "all of it was read");
            }
            let log = fs::read(&path).unwrap();
            let (kept, rest) = log.split_at(MAX_LOG as usize);
            assert!(kept.iter().all(|&byte| byte == 0));
            assert_eq!(String::from_utf8_lossy(rest).matches("more than 4 MiB").count(), notes);
            assert_eq!(rest.is_empty(), notes == 0, "{pieces:?}");
        }
    }

    #[test]
    #[ignore = "slow: .ci/run"]
    fn a_deaf_program_has_hung_and_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = DEAF.map(str::to_owned).to_vec();
        let command = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
        let protocol = Dialect::Uci;
        let program = Program { command, arguments, directory: None, protocol };
        let mut connection =
            ChildProcess::open(&program, &folder.path().join("log"), None).unwrap();
        let line = "x".repeat(1 << 16);
        let error = (0..100).find_map(|_| connection.send(&line).err()).expect("a full pipe");
        assert!(matches!(error, PlayerError::Lost { reason: Reason::Hang, .. }), "{error:?}");
        assert!(format!("{error:?}").contains("has not read its input for 5 s"), "{error:?}");
        let started = Instant::now();
        drop(connection);
        assert!(started.elapsed() < Duration::from_secs(30), "the drop waited for the program");
    }
}
