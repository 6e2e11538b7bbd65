//! Sessions of the protocol over WebSockets: what they answer, what they refuse, and that a
//! page which misbehaves or is gone leaves nothing behind.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::http::{Request, StatusCode};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, client};

use super::Server;

/// A server that does not answer within this time has hung.
const PATIENCE: Duration = Duration::from_secs(120);

const MAX_SESSIONS: usize = 8;
const MAX_LINE: usize = 1 << 20;

/// The page's end of a session.
pub(super) struct Page<S = TcpStream>(WebSocket<S>);

impl Page {
    pub(super) fn open(server: &Server) -> Self {
        Self::open_with(server, &[]).expect("a WebSocket")
    }

    /// Opens a session with further headers, or returns the status that refuses it.
    pub(super) fn open_with(server: &Server, headers: &[(&str, &str)]) -> Result<Self, StatusCode> {
        let host = server.host();
        let stream = TcpStream::connect(&host).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut request = Request::get(format!("ws://{host}/engine"))
            .header("Host", &host)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", generate_key());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match client(request.body(()).expect("a request"), stream) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(refused) => match refused.to_string() {
                refused if refused.contains("403") => Err(StatusCode::FORBIDDEN),
                refused => panic!("{refused}"),
            },
        }
    }

    pub(super) fn say(&mut self, line: &str) {
        self.0.send(Message::text(line)).expect("a socket");
    }

    /// Whether the server has room for this session.
    fn is_admitted(&mut self) -> bool {
        let asked = self.0.send(Message::text("query p1turn"));
        asked.is_ok() && self.next().is_ok_and(|line| line == "response true")
    }

    /// Searches until it is stopped, on one thread and without other work.
    fn search(&mut self) {
        self.say("setoption name TableSeeds value 0");
        self.say("go infinite");
        self.until("info depth");
    }

    /// Keeps a session busy without work: its position is solved at once, and the search
    /// waits for `stop`.
    fn search_in_vain(&mut self) {
        self.say("position fen <6,0,0,0,0,0,0,0,1,0,0,0,0,0,1> S");
        self.search();
    }
}

impl<S: Read + Write> Page<S> {
    /// The next line, or how the socket was closed: none if it broke off.
    fn next(&mut self) -> Result<String, Option<CloseFrame>> {
        loop {
            match self.0.read() {
                Ok(Message::Text(line)) => return Ok(line.as_str().to_owned()),
                Ok(Message::Close(frame)) => return Err(frame),
                Ok(_) => (),
                Err(_) => return Err(None),
            }
        }
    }

    /// The answers up to the one that begins with `last`.
    pub(super) fn until(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.next().expect("a line"));
            if lines.last().is_some_and(|line| line.starts_with(last)) {
                return lines;
            }
        }
    }

    /// The last line before the server closes the socket, the code and the reason.
    fn end(&mut self) -> (String, u16, String) {
        let mut last = String::new();
        loop {
            match self.next() {
                Ok(line) => last = line,
                Err(frame) => {
                    let frame = frame.expect("a reason");
                    return (last, frame.code.into(), frame.reason.as_str().to_owned());
                }
            }
        }
    }
}

/// Opens a session that stays until the connection is shut down.
fn stay(server: &Server) -> TcpStream {
    let mut page = Page::open(server);
    assert!(page.is_admitted());
    let stream = page.0.get_ref().try_clone().expect("a stream");
    // Reading is what answers the server when it asks whether the page is there.
    thread::spawn(move || while page.next().is_ok() {});
    stream
}

/// A connection on which nothing is written: not even answers to pings.
struct Mute(TcpStream);

impl Read for Mute {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Mute {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens sessions until one is admitted: those that were there before have ended.
fn wait_for_room(server: &Server) -> Page {
    let started = Instant::now();
    loop {
        let mut page = Page::open(server);
        if page.is_admitted() {
            return page;
        }
        assert!(started.elapsed() < PATIENCE, "the sessions do not end");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_line_of_the_protocol_is_a_message() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    page.say("uci");
    let introduction = page.until("uciok");
    assert!(introduction[0].starts_with("id name Kalah"), "{introduction:?}");
    page.say("position startpos moves C");
    page.say("go depth 5");
    let answers = page.until("bestmove");
    let last = answers.iter().rev().find(|line| line.starts_with("info depth"));
    assert!(last.is_some_and(|line| line.starts_with("info depth 5 ")), "{answers:?}");
    assert!(answers.iter().all(|line| !line.contains('\n')));
    // Commands wait for a search as they do on stdin.
    page.say("go infinite");
    page.say("isready");
    page.until("readyok");
    page.say("query p1turn");
    page.say("stop");
    assert_eq!(page.until("response").pop().as_deref(), Some("response true"));
    page.say("quit");
    assert_eq!(page.end().1, 1000);
}

#[test]
fn what_names_a_file_or_needs_too_much_cannot_be_set() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    page.say("uci");
    let introduction = page.until("uciok").join("\n");
    for name in ["EvalFile", "BookFile", "TablePath", "Algorithm", "Algorithm Suffixes"] {
        assert!(!introduction.contains(&format!("option name {name} ")), "{introduction}");
        page.say(&format!("setoption name {name} value /etc/passwd"));
        let expected = format!("info string error: {name}: cannot be set in this session");
        assert_eq!(page.until(""), [expected]);
    }
    for name in ["Hash", "Threads", "SolverThreads", "TableSeeds"] {
        let declared = format!("option name {name} type spin ");
        let line = introduction.lines().find(|line| line.starts_with(&declared)).expect(name);
        let max: u32 = line.rsplit(' ').next().unwrap().parse().unwrap();
        page.say(&format!("setoption name {name} value {}", max + 1));
        let [error] = &page.until("")[..] else { panic!("one line") };
        assert!(error.starts_with(&format!("info string error: {name}: expected ")), "{error}");
    }
    assert!(introduction.contains("option name Hash type spin default 64 min 1 max 256\n"));
    assert!(introduction.contains("\ninfo string searches, counts and benchmarks end after 600 s"));
}

#[test]
fn a_ninth_session_is_refused_until_another_ends() {
    let server = Server::start(&["--no-save"]);
    let pages: Vec<TcpStream> = (0..MAX_SESSIONS).map(|_| stay(&server)).collect();
    let mut ninth = Page::open(&server);
    let (error, code, reason) = ninth.end();
    assert_eq!(reason, "expected at most 8 sessions at the same time, got another");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1013));
    pages[0].shutdown(Shutdown::Both).expect("a connection");
    wait_for_room(&server);
    pages[1..].iter().for_each(|page| page.shutdown(Shutdown::Both).expect("it is still open"));
}

#[test]
fn the_search_of_a_closed_page_ends() {
    let server = Server::start(&["--no-save"]);
    for _ in 0..MAX_SESSIONS {
        let mut page = Page::open(&server);
        page.search();
        // At the end of the input these would be counted to their end.
        ["bench", "go perft 40"].iter().for_each(|line| page.say(line));
    }
    wait_for_room(&server);
}

#[test]
fn pages_that_never_read_or_answer_lose_their_sessions() {
    let server = Server::start(&["--no-save"]);
    let pages: Vec<Page> = (0..MAX_SESSIONS)
        .map(|number| {
            let mut page = Page::open(&server);
            page.search_in_vain();
            if number % 2 == 0 {
                // Answers that nobody reads: more than the system keeps.
                let mut stream = page.0.get_ref().try_clone().expect("a stream");
                thread::spawn(move || while stream.write_all(&frame(b"help")).is_ok() {});
            }
            page
        })
        .collect();
    wait_for_room(&server);
    drop(pages);
}

/// A message as a browser sends it, masked with zeros.
fn frame(text: &[u8]) -> Vec<u8> {
    let length = (text.len() as u64).to_be_bytes();
    [&[0x81, 0xff][..], &length, &[0; 4], text].concat()
}

#[test]
fn messages_that_are_no_lines_are_refused_with_a_reason() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    page.0.send(Message::binary(b"uci".to_vec())).expect("a socket");
    let (error, code, reason) = page.end();
    assert_eq!(reason, "expected messages of text, got a binary one");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1003));

    let mut page = Page::open(&server);
    page.say(&" ".repeat(MAX_LINE));
    assert!(page.is_admitted());
    page.say(&" ".repeat(MAX_LINE + 1));
    let (error, code, reason) = page.end();
    assert_eq!(reason, "expected at most 1048576 bytes per message, got more");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1009));
}

#[test]
fn a_flood_of_commands_is_refused_even_if_the_reason_is_read_late() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    // More answers than the system keeps for a page that does not read them: what follows
    // leaves the server only once the page reads.
    for _ in 0..300 {
        page.say("uci");
    }
    page.say("go perft 40");
    let mut stream = page.0.get_ref().try_clone().expect("a stream");
    let reading = Mute(stream.try_clone().expect("a stream"));
    let message = frame(format!("position fen {}", "7 ".repeat(MAX_LINE / 4)).as_bytes());
    let flood = thread::spawn(move || while stream.write_all(&message).is_ok() {});
    // The server refuses the flood at its second check, after ten seconds.
    thread::sleep(Duration::from_secs(12));
    let mut reader = Page(WebSocket::from_raw_socket(reading, Role::Client, None));
    let (error, code, reason) = reader.end();
    assert_eq!(reason, "expected at most 8 MiB of waiting commands, got more");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1008));
    flood.join().expect("no panic");
    assert!(Page::open(&server).is_admitted());
}

#[test]
fn ctrl_c_ends_searches_and_tells_the_pages() {
    let mut server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    page.search();
    let process = server.process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status().expect("kill");
    assert!(sent.success());
    let (_, code, reason) = page.end();
    assert_eq!((code, reason.as_str()), (1001, "the server ends"));
    // Nothing more comes, and the server waits for nobody.
    assert!(matches!(page.0.read(), Err(Error::ConnectionClosed | Error::Io(_))));
    assert!(server.process.wait().expect("an end").success());
}
