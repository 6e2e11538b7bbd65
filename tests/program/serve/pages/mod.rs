//! The page of `kalah serve` in Chromium.
//!
//! Tests wait until the page shows a state, and compare it with the rules and the solver of the
//! library.

mod analyse;
mod input;
mod learn;
mod phone;
mod play;
mod site;
mod state;
mod views;
mod watch;

use std::fs;

use kalah_game::Position;
use kalah_record::Game;
use serde_json::json;
use tempfile::TempDir;

use super::Server;
use crate::browser::Browser;
use crate::browser::board::{seeds, shown_seeds};
use crate::wait_for;

/// Views, and what is there when they are complete.
const VIEWS: [(&str, &str); 8] = [
    ("play", ".board [data-pit]"),
    ("analyse?moves=CFb", ".board [data-pit]"),
    ("explore?moves=C", ".board .note:not(:empty)"),
    ("learn", ".lessons li"),
    ("learn/lessons/3", ".board [data-pit]"),
    ("learn/puzzles/12", ".board [data-pit]"),
    ("watch", "h1"),
    ("watch/1", "h1"),
];

/// A server with its own folder for games, and a page of it.
struct Visit {
    page: Browser,
    server: Server,
    /// Dropped after the server, which uses it until it ends.
    folder: TempDir,
}

impl Visit {
    /// Starts a server, and a browser with settings for a new game and for the pace of sowing.
    fn start(arguments: &[&str], settings: &serde_json::Value) -> Self {
        let page = Browser::start();
        let folder = tempfile::tempdir().expect("a folder");
        let games = folder.path().to_str().expect("UTF-8");
        let server = Server::start(&[&["--games", games], arguments].concat());
        let visit = Self { folder, server, page };
        visit.choose(&json!({ "game": settings, "pace": { "name": "off" } }));
        visit
    }

    /// Changes settings, as a second page would.
    fn choose(&self, settings: &serde_json::Value) {
        self.server.post("/api/settings", settings);
    }

    /// What the server keeps.
    fn settings(&self) -> serde_json::Value {
        self.server.get("/api/settings")
    }

    /// Opens a view by what follows the `#`, in an open page as a link does: the browser drops a
    /// navigation that it starts itself if the page stores its place in its address at that
    /// moment.
    fn open(&mut self, view: &str) {
        let (address, hash) = (&self.server.address, format!("#/{view}"));
        let follow = format!(
            "location.href.startsWith({address:?}) && location.hash !== {hash:?}
                && ((location.hash = {hash:?}), true)"
        );
        if self.page.value(&follow) != true {
            self.page.open(&format!("{address}{hash}"));
        }
    }

    /// Opens a view and waits until it (not the previous one) has a part.
    fn show(&mut self, view: &str, part: &str) {
        self.open(view);
        let name = view.split(['/', '?']).next().unwrap_or(view);
        self.page.wait_until(&format!("document.querySelector('.view-{name} {part}') !== null"));
    }

    /// Opens a new game: a page that was reloaded knows no other.
    fn begin(&mut self) {
        let has_left = "document.querySelector('.lessons li') !== null";
        self.open("learn");
        self.page.wait_until(has_left);
        self.page.reload();
        self.page.wait_until(has_left);
        self.open("play");
    }

    /// The games in the folder.
    fn saved(&self) -> Vec<Game> {
        let files = fs::read_dir(self.folder.path()).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        let games = files.filter(|path| path.extension().is_some_and(|end| end == "kgn"));
        let texts = games.map(|path| fs::read_to_string(path).expect("a game"));
        texts.flat_map(|text| read_games(&text)).collect()
    }
}

fn read_games(text: &str) -> Vec<Game> {
    kalah_record::format::read(text).expect("games").1
}

/// A text that would run a script if a page took it for HTML.
const HOSTILE: &str = "<img src=x onerror='window.injected=1'><b>";

/// The letters of the moves in the list beside the board.
fn moves(page: &mut Browser) -> String {
    let letters = page.value(
        "[...document.querySelectorAll('.move-list .move')].map(({ dataset }) => dataset.letter)
            .join('')",
    );
    letters.as_str().expect("letters").to_owned()
}

/// The position after moves, by the rules.
fn position_after(start: &Position, moves: &str) -> Position {
    let mut position = *start;
    position.play_moves(moves.split_terminator("").skip(1)).expect("legal moves");
    position
}

/// Waits until the board shows the position after moves.
fn checked_line(page: &mut Browser, start: &Position, moves: &str) {
    let position = position_after(start, moves);
    page.wait_until(&format!(
        "document.querySelector('[data-of=files] .position')?.textContent === '{position}'"
    ));
    assert_eq!(shown_seeds(page), seeds(&position), "{position}");
}

/// Compares the board of the page with the moves beside it; returns the position.
fn checked_position(page: &mut Browser, start: &Position) -> Position {
    let position = position_after(start, &moves(page));
    assert_eq!(shown_seeds(page), seeds(&position), "{position}");
    position
}

fn text(page: &mut Browser, selector: &str) -> String {
    let text = page.value(&format!("document.querySelector({selector:?}).textContent"));
    text.as_str().expect("text").to_owned()
}

impl Visit {
    /// Waits until the games in the folder are as wanted.
    fn wait_for_saved(&self, is_wanted: impl Fn(&[Game]) -> bool) -> Vec<Game> {
        wait_for("saved game as wanted", || Some(self.saved()).filter(|games| is_wanted(games)))
    }

    /// Restarts the server on the same port.
    fn restart(&mut self) {
        let port = self.server.address.trim_end_matches('/').rsplit(':').next().expect("a port");
        let games = self.folder.path().to_str().expect("UTF-8");
        self.server = Server::start(&["--port", port, "--games", games]);
    }

    /// Nothing of a hostile text has become an element.
    fn assert_no_script_ran(&mut self) {
        let injected = "[window.injected, document.querySelectorAll('img, main b').length]";
        assert_eq!(self.page.value(injected), json!([null, 0]));
        self.assert_no_errors();
    }

    fn assert_no_errors(&mut self) {
        assert_eq!(self.page.errors(), [""; 0]);
    }
}
