//! `kalah serve` as a process. Requests that need no process are tested in
//! `crates/serve/tests/laws`.

mod analysis;
mod attacks;
mod learn;
#[cfg(unix)]
mod pages;
mod saved;
mod socket;
mod start;
mod watch;

use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Stdio};

use kalah_testing::http::Site;
use tempfile::TempDir;

/// A running server; it is killed when it is dropped.
struct Server {
    process: Child,
    site: Site,
    /// The temporary folder of its games, unless the test has it.
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
        Self { process, site: Site { address }, folder: None }
    }

    /// Serves the games in a folder.
    fn of_games(folder: &Path) -> Self {
        Self::start(&["--games", folder.to_str().expect("UTF-8")])
    }

    /// Serves a folder without games.
    fn in_new_folder() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Self::of_games(folder.path());
        server.folder = Some(folder);
        server
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

impl Deref for Server {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}
