//! A program on a real pseudo-terminal, and the screen that a person sees.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{self, Pty};
use tempfile::TempDir;

use crate::PATIENCE;

/// Against an engine that does not answer in time: no book has the moves of this variant.
pub(super) const THINKING: [&str; 4] = ["--time", "1000s", "--capture", "empty-capture"];

/// Everything that the program has written, and the screen that results.
struct Written {
    screen: vt100::Parser,
    bytes: Vec<u8>,
    closed: bool,
}

/// A program and its terminal.
pub(crate) struct Session {
    pty: Option<Arc<Pty>>,
    child: Child,
    written: Arc<Mutex<Written>>,
    /// The folder of its games, if no test needs it.
    folder: Option<TempDir>,
}

impl Session {
    /// Starts the command for a new folder.
    pub(crate) fn in_new_folder(
        command: impl FnOnce(&Path) -> Command,
        lines: u16,
        columns: u16,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut session = Self::start(command(folder.path()), lines, columns);
        session.folder = Some(folder);
        session
    }

    /// Starts `command` on a terminal of this size.
    pub(crate) fn start(command: Command, lines: u16, columns: u16) -> Self {
        let (pty, pts) = blocking::open().expect("a pseudo-terminal");
        pty.resize(Size::new(lines, columns)).expect("a size");
        let child = blocking::Command::from(command).spawn(pts).expect("the program starts");
        let screen = vt100::Parser::new(lines, columns, 1000);
        let written = Arc::new(Mutex::new(Written { screen, bytes: Vec::new(), closed: false }));
        let pty = Arc::new(pty);
        let (source, sink) = (Arc::downgrade(&pty), Arc::clone(&written));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Some(pty) = source.upgrade() {
                let count = (&*pty).read(&mut buffer).unwrap_or(0);
                drop(pty);
                let mut written = sink.lock().unwrap_or_else(PoisonError::into_inner);
                if count == 0 {
                    written.closed = true;
                    break;
                }
                written.screen.process(&buffer[..count]);
                written.bytes.extend_from_slice(&buffer[..count]);
            }
        });
        Self { pty: Some(pty), child, written, folder: None }
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Types a text.
    pub(crate) fn send(&mut self, text: &str) {
        let pty = self.pty.as_deref().expect("an open terminal");
        { pty }.write_all(text.as_bytes()).expect("the terminal takes input");
    }

    /// Types a line.
    pub(crate) fn send_line(&mut self, line: &str) {
        self.send(&format!("{line}\r"));
    }

    /// Types each text and waits for what it brings to the screen.
    #[track_caller]
    pub(crate) fn keys(&mut self, script: &[(&str, &str)]) {
        for (text, answer) in script {
            self.send(text);
            self.wait_for(answer);
        }
    }

    /// The same for lines.
    #[track_caller]
    pub(crate) fn lines(&mut self, script: &[(&str, &str)]) {
        for (line, answer) in script {
            self.send_line(line);
            self.wait_for(answer);
        }
    }

    /// Changes the size of the terminal.
    pub(crate) fn resize(&mut self, lines: u16, columns: u16) {
        let pty = self.pty.as_ref().expect("an open terminal");
        // What is drawn at the new size must not be parsed at the old one.
        let mut written = self.written();
        pty.resize(Size::new(lines, columns)).expect("a size");
        written.screen.screen_mut().set_size(lines, columns);
    }

    /// What is on the screen.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.written().screen.screen().clone()
    }

    /// Everything that was written, escape sequences and all.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.written().bytes.clone()
    }

    /// Waits until the screen is as `wanted`.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let started = Instant::now();
        loop {
            // Its last output may arrive at any time, so only a screen seen after the end is final.
            let is_closed = self.written().closed;
            let screen = self.screen();
            if wanted(&screen) {
                return;
            }
            assert!(
                started.elapsed() < PATIENCE && !is_closed,
                "expected {what} on the screen:\n{}",
                screen.contents()
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contents().contains(text));
    }

    /// Kills the program.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("the program can be killed");
        self.child.wait().expect("the program ends");
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.expect("a kill command").success());
    }

    /// Closes the other end of the terminal, as closing a window does.
    pub(crate) fn hang_up(&mut self) {
        self.pty = None;
        // The reader keeps it open until the next byte: make the program write one.
        self.signal("HUP");
    }

    /// Waits until the program has ended and all of its output is read.
    #[track_caller]
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            // Its last output may arrive after it has ended.
            let ended = self.child.try_wait().expect("a child");
            if let Some(status) = ended.filter(|_| self.pty.is_none() || self.written().closed) {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "it hangs:\n{}", self.screen().contents());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        drop(self.folder.take());
    }
}
