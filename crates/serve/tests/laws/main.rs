//! The server over HTTP, in the process of the tests. Tests that need the program (arguments,
//! signals, limits of a process) are in `tests/program/serve`.

mod api;
mod attacks;
mod saved;

use std::ops::Deref;
use std::path::Path;
use std::thread::{self, JoinHandle};

use kalah_engine::Engine;
use kalah_serve::{Collection, Ending, ServedContent, ServerOptions};
use kalah_testing::http::Site;
use tempfile::TempDir;

/// A running server, which ends when it is dropped.
struct Server {
    site: Site,
    ending: Ending,
    thread: Option<JoinHandle<()>>,
    /// The temporary folder of its games, unless the test has it.
    folder: Option<TempDir>,
}

impl Server {
    fn start(games: Option<&Path>) -> Self {
        let collection = Collection::open(&[]).expect("no files").into();
        let content = ServedContent { collection, games: games.map(Path::to_owned) };
        let engine = Engine::without_tables(1).expect("memory");
        // Servers that start at the same time must not compete for the default port.
        let options = ServerOptions { content, engine, listen: None, port: Some(0) };
        let server = kalah_serve::Server::bind(options).expect("a free port");
        let site = Site { address: server.link() };
        let ending = server.ending();
        let thread = Some(thread::spawn(move || server.run().expect("a runtime")));
        Self { site, ending, thread, folder: None }
    }

    fn without_games() -> Self {
        Self::start(None)
    }

    /// Serves the games in a folder.
    fn of_games(folder: &Path) -> Self {
        Self::start(Some(folder))
    }

    /// Serves a folder without games.
    fn in_new_folder() -> Self {
        let folder = kalah_testing::folder();
        let mut server = Self::of_games(folder.path());
        server.folder = Some(folder);
        server
    }
}

impl Deref for Server {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ending.begin();
        let ended = self.thread.take().expect("joined once").join();
        if !thread::panicking() {
            ended.expect("no panic in the server");
        }
    }
}
