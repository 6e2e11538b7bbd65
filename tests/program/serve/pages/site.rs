//! The page without a server, which `.ci/web` builds, in Chromium.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::{env, fs, io, thread};

use kalah_game::{Position, Rules};
use serde_json::{Value, json};

use super::play::play_to_the_end;
use super::{Server, checked_position, moves, text};
use crate::browser::Browser;

/// The folder that `.ci/web` has built.
fn site() -> PathBuf {
    env::var_os("KALAH_TEST_SITE").expect("the folder of the site in KALAH_TEST_SITE").into()
}

/// A file server. Dropping it ends it.
struct FileServer {
    address: String,
    shared: Arc<SharedState>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct SharedState {
    has_ended: AtomicBool,
    /// Whether the engine may be loaded.
    engine: Mutex<bool>,
    released: Condvar,
}

impl FileServer {
    fn start(folder: PathBuf, has_engine: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/", listener.local_addr().expect("an address"));
        let shared = Arc::new(SharedState { engine: has_engine.into(), ..SharedState::default() });
        let state = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if state.has_ended.load(Relaxed) {
                    return;
                }
                let (folder, state) = (folder.clone(), Arc::clone(&state));
                // Errors from a browser that no longer reads do not matter.
                thread::spawn(move || state.answer(&stream, &folder).ok());
            }
        });
        Self { address, shared, thread: Some(thread) }
    }

    fn release_engine(&self) {
        *self.shared.engine.lock().expect("no panic") = true;
        self.shared.released.notify_all();
    }
}

impl SharedState {
    fn answer(&self, mut stream: &TcpStream, folder: &Path) -> io::Result<()> {
        let mut lines = BufReader::new(stream).lines();
        let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
        for line in lines {
            if line?.is_empty() {
                break;
            }
        }
        let path = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
        let index = format!("{path}index.html");
        let path = if path.is_empty() || path.ends_with('/') { &index } else { path };
        if path.ends_with("engine.wasm.gz") {
            let engine = self.engine.lock().expect("no panic");
            drop(self.released.wait_while(engine, |is_free| !*is_free).expect("no panic"));
        }
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html",
            Some("css") => "text/css",
            Some("js") => "text/javascript",
            Some("svg") => "image/svg+xml",
            Some("webmanifest") => "application/manifest+json",
            _ => "application/octet-stream",
        };
        let (status, body) = match fs::read(folder.join(path)) {
            Ok(body) => ("200 OK", body),
            Err(_) => ("404 Not Found", Vec::new()),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncache-control: max-age=600\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        )?;
        stream.write_all(&body)
    }
}

impl Drop for FileServer {
    fn drop(&mut self) {
        self.shared.has_ended.store(true, Relaxed);
        // Wakes the thread up, which then closes the port.
        let _ = TcpStream::connect(self.address.trim_start_matches("http://").trim_matches('/'));
        if let Some(thread) = self.thread.take() {
            thread.join().expect("no panic");
        }
    }
}

/// Opens the site.
fn visit(has_engine: bool) -> (Browser, FileServer) {
    let mut page = Browser::start();
    page.before_load(
        "if (location.protocol === 'http:') {
            localStorage['kalah.settings'] ??= JSON.stringify({ pace: { name: 'off' } });
        }",
    );
    let server = FileServer::start(site(), has_engine);
    page.open(&server.address);
    (page, server)
}

/// Waits until the browser has kept all files.
fn wait_until_kept(page: &mut Browser) {
    page.value("navigator.serviceWorker.ready.then(() => true)");
    page.wait_until("navigator.serviceWorker.controller?.state === 'activated'");
}

/// Errors on the page, except that the worker did not find the token of work that was stopped.
fn errors(page: &mut Browser) -> Vec<String> {
    page.errors().into_iter().filter(|error| !error.contains("\"blob:")).collect()
}

fn assert_a_game_needs_no_network(width: u32) {
    let (mut page, server) = visit(true);
    page.set_width(width);
    wait_until_kept(&mut page);
    drop(server);
    page.reload();
    let start = Position::start(Rules::default());
    let end = play_to_the_end(&mut page, &start, |page, position, pit| {
        let needed = page.value("document.documentElement.scrollWidth");
        assert!(needed.as_u64() <= Some(width.into()), "{needed} pixels");
        page.click(&format!("[data-pit={}]", pit.letter(position.side())));
    });
    let [south, north] = kalah_game::Side::BOTH.map(|side| end.store(side));
    let result = text(&mut page, "[data-is=result]");
    assert!(result.contains(&format!("{} to {}", south.max(north), south.min(north))), "{result}");
    // The browser has saved the game.
    page.wait_until("location.hash.endsWith('.kgn')");
    let letters = moves(&mut page);
    page.reload();
    page.wait_until("document.querySelector('[data-is=result]')?.hidden === false");
    assert_eq!(moves(&mut page), letters);
    checked_position(&mut page, &start);
    assert_eq!(errors(&mut page), [""; 0]);
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn a_game_on_a_phone_needs_no_network_after_the_first_visit() {
    assert_a_game_needs_no_network(390);
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn a_game_on_a_desktop_needs_no_network_after_the_first_visit() {
    assert_a_game_needs_no_network(1280);
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn a_browser_can_install_the_site() {
    let (mut page, server) = visit(true);
    wait_until_kept(&mut page);
    let answer = page.manifest();
    assert_eq!(answer["errors"], json!([]), "{answer}");
    let data = answer["data"].as_str().expect("a manifest");
    let manifest: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!((&manifest["name"], &manifest["display"]), (&json!("Kalah"), &json!("standalone")));
    // Both are the folder of the site, so that links within it stay in the app.
    for place in ["start_url", "scope"] {
        let url = format!("new URL({}, {}).href", manifest[place], answer["url"]);
        assert_eq!(page.value(&url), json!(server.address), "{place}");
    }
    let icon = format!("new URL({}, {}).href", manifest["icons"][0]["src"], answer["url"]);
    let kind = format!("fetch({icon}).then((answer) => answer.ok)");
    assert_eq!(page.value(&kind), true);
    // Only Chromium itself has reasons; its headless shell never reports any. A page of a test is
    // in a context of its own, which counts as a private window.
    let answer = page.installability_errors();
    let reasons = answer.as_array().expect("a list").iter().map(|reason| &reason["errorId"]);
    let others: Vec<&Value> = reasons.filter(|reason| **reason != "in-incognito").collect();
    assert!(others.is_empty(), "{others:?}");
    assert_eq!(errors(&mut page), [""; 0]);
}

/// Two sites of one user, as on GitHub Pages.
#[test]
#[cfg(unix)]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn sites_in_two_folders_of_a_server_keep_their_own_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut page = Browser::start();
    let server = FileServer::start(folder.path().to_owned(), true);
    for name in ["a", "b"] {
        std::os::unix::fs::symlink(site(), folder.path().join(name)).expect("a link");
        page.open(&format!("{}{name}/", server.address));
        wait_until_kept(&mut page);
    }
    let kept = page.value("caches.keys()");
    let scopes: Vec<&str> =
        kept.as_array().expect("names").iter().filter_map(Value::as_str).collect();
    assert_eq!(scopes.len(), 2, "{scopes:?}");
    for name in ["a", "b"] {
        let scope = format!("{}{name}/", server.address);
        assert!(scopes.iter().any(|kept| kept.contains(&scope)), "{scope}: {scopes:?}");
    }
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn a_view_that_needs_a_server_is_named_in_a_sentence() {
    let (mut page, server) = visit(true);
    page.open(&format!("{}#/watch", server.address));
    page.wait_until("document.querySelector('#complaint').checkVisibility()");
    assert_eq!(text(&mut page, "#complaint-text"), "There is no view watch.");
    page.wait_until("document.querySelector('.view-play .board') !== null");
    assert_eq!(errors(&mut page), [""; 0]);
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn the_board_appears_before_the_engine_is_loaded() {
    let (mut page, server) = visit(false);
    page.wait_until("document.querySelectorAll('.board [data-pit]').length === 12");
    checked_position(&mut page, &Position::start(Rules::default()));
    server.release_engine();
    page.wait_until("document.querySelector('.board button[data-pit]') !== null");
    page.click("[data-pit=A]");
    page.wait_until("document.querySelectorAll('.move-list .move').length > 1");
    assert_eq!(errors(&mut page), [""; 0]);
}

/// The address of a module of the page, once it is loaded.
fn module(page: &mut Browser, name: &str) -> String {
    let found = format!(
        "performance.getEntriesByType('resource')
            .map(({{ name }}) => name).filter((name) => name.endsWith('/{name}'))"
    );
    page.wait_until(&format!("{found}.length > 0"));
    page.value(&format!("{found}[0]")).as_str().expect("an address").to_owned()
}

/// The answers of the page's engine to lines, up to one with this beginning for each `go`.
fn said(page: &mut Browser, lines: &Value, last: &str) -> Vec<String> {
    let transport = module(page, "transport.js");
    let said = page.value(&format!(
        "(async () => {{
            const session = (await import({transport:?})).openSession();
            const said = [];
            return new Promise((resolve) => {{
                session.addEventListener('open', () => {lines}.forEach((line) => session.send(line)));
                session.addEventListener('message', ({{ data }}) => {{
                    said.push(data);
                    if (said.filter((line) => line.startsWith({last:?})).length
                        === {lines}.filter((line) => /^(go|bench)/.test(line)).length) resolve(said);
                }});
            }});
        }})()"
    ));
    serde_json::from_value(said).expect("lines")
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn the_engine_moves_like_that_of_a_server() {
    let (mut page, _files) = visit(true);
    let mut lines = vec!["setoption name Hash value 16".to_owned()];
    lines.extend(["setoption name TableSeeds value 12".to_owned(), "isready".to_owned()]);
    for moves in ["", " moves C F", " moves A a B", " moves F e D f A", " moves B b A d C"] {
        lines.push(format!("position startpos{moves}"));
        lines.extend(["ucinewgame".to_owned(), "go nodes 30000".to_owned()]);
    }
    let lines = json!(lines);
    let here = said(&mut page, &lines, "bestmove");
    let server = Server::start(&[]);
    page.open(&server.address);
    let there = said(&mut page, &lines, "bestmove");
    let moves = |said: &[String]| -> Vec<String> {
        said.iter().filter(|line| line.starts_with("bestmove")).cloned().collect()
    };
    assert_eq!(moves(&here), moves(&there));
    assert_eq!(moves(&here).len(), 5);
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn the_bench_signature_is_that_of_the_program() {
    let (mut page, _files) = visit(true);
    let said = said(&mut page, &json!(["bench"]), "signature");
    let signature = include_str!("../../../data/signature.txt").trim();
    assert_eq!(said.last().map(String::as_str), Some(&*format!("signature {signature}")));
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn an_infinite_search_answers_when_it_is_stopped() {
    let (mut page, _files) = visit(true);
    // The second position is proved at once, but the answer still waits for the stop.
    for position in ["startpos", "fen <2,0,0,1,1,1,1> S"] {
        let lines = json!([format!("position {position}"), "go infinite", "stop"]);
        let said = said(&mut page, &lines, "bestmove");
        // It has searched, and found a move.
        assert!(said.iter().any(|line| line.starts_with("info depth ")), "{position}: {said:?}");
        assert_ne!(said.last().map(String::as_str), Some("bestmove 0000"), "{position}");
    }
}

#[test]
#[cfg_attr(not(all(has_chromium, has_site)), ignore = "needs .ci/web and Chromium")]
fn answers_to_puzzles_survive_a_reload() {
    let (mut page, server) = visit(true);
    let ask = |page: &mut Browser, call: &str| {
        let api = module(page, "api.js");
        page.value(&format!("import({api:?}).then(({{ get, post }}) => {call})"))
    };
    let answer = r#"post("puzzles/1", { answer: "solution" })"#;
    let streak = &ask(&mut page, answer)["streak"];
    assert!(streak.as_str().is_some_and(|text| text.contains("stays at 0")), "{streak}");
    page.open(&server.address);
    page.reload();
    let puzzles = ask(&mut page, r#"get("puzzles")"#);
    assert_eq!(puzzles["saved"], true);
    let summary = puzzles["summary"].as_str().expect("a summary");
    assert!(summary.contains("0 of 1 puzzle"), "{summary}");
}
