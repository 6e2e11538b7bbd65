//! `kalah serve` from the outside.

mod analysis;
mod api;
mod attacks;
mod client;
mod learn;
#[cfg(unix)]
mod pages;
mod saved;
mod socket;
mod start;
mod watch;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use tempfile::TempDir;

/// A running server; it is killed when it is dropped.
struct Server {
    process: Child,
    /// What it prints as its address: `http://127.0.0.1:40000/`.
    address: String,
    /// The folder of its games, if no test needs it.
    folder: Option<TempDir>,
}

impl Server {
    /// Starts a server and waits until it listens.
    fn start(arguments: &[&str]) -> Self {
        // Servers that start at the same time must not compete for the default port.
        let free = if arguments.contains(&"--port") { &[][..] } else { &["--port", "0"] };
        let mut process = crate::kalah()
            .arg("serve")
            .args(arguments)
            .args(free)
            .stdout(Stdio::piped())
            .spawn()
            .expect("kalah starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.trim_end().strip_prefix("The board is at ");
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { process, address, folder: None }
    }

    /// Kills the server.
    fn kill(&mut self) {
        // The server may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
