//! Protocol sessions over WebSockets: what they answer, what they refuse, and that a page that
//! misbehaves or disappears leaves nothing behind.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::thread;
use std::time::Duration;

use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::http::{Request, StatusCode};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, client};

use super::Server;
use crate::{PATIENCE, wait_for};

const MAX_SESSIONS: usize = 8;
const MAX_LINE: usize = 1 << 20;

/// A stream that continues when the process is suspended and resumed while it waits: on a socket
/// with a timeout, Linux then fails with EINTR, which most readers mistake for the end.
#[derive(Debug)]
pub(super) struct Uninterrupted<S>(S);

fn retried<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            done => return done,
        }
    }
}

impl<S: Read> Read for Uninterrupted<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        retried(|| self.0.read(buffer))
    }
}

impl<S: Write> Write for Uninterrupted<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retried(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        retried(|| self.0.flush())
    }
}

/// The page's end of a session.
pub(super) struct Page<S = Uninterrupted<TcpStream>>(WebSocket<S>);

/// How a socket ended: closed by the server, or broken.
#[derive(Debug)]
enum Ended {
    Closed(Option<CloseFrame>),
    #[expect(dead_code, reason = "shown by a panic")]
    Broken(Error),
}

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
        match client(request.body(()).expect("a request"), Uninterrupted(stream)) {
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
    pub(super) fn is_admitted(&mut self) -> bool {
        let asked = self.0.send(Message::text("query p1turn"));
        asked.is_ok() && self.next().is_ok_and(|line| line == "response true")
    }

    /// Searches until it is stopped, on one thread and without other work.
    fn search(&mut self) {
        self.say("setoption name TableSeeds value 0");
        self.say("go infinite");
        self.until("info depth");
    }

    /// Keeps a session busy without work: its position is solved immediately, and the search
    /// waits for `stop`.
    fn search_solved(&mut self) {
        self.say("position fen <6,0,0,0,0,0,0,0,1,0,0,0,0,0,1> S");
        self.search();
    }
}

impl<S: Read + Write> Page<S> {
    /// The next line, or how the socket ended.
    fn next(&mut self) -> Result<String, Ended> {
        loop {
            match self.0.read() {
                Ok(Message::Text(line)) => return Ok(line.as_str().to_owned()),
                Ok(Message::Close(frame)) => return Err(Ended::Closed(frame)),
                Ok(_) => (),
                Err(error) => return Err(Ended::Broken(error)),
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
                Err(Ended::Closed(Some(frame))) => {
                    return (last, frame.code.into(), frame.reason.as_str().to_owned());
                }
                Err(ended) => panic!("expected a close frame with a reason, got {ended:?}"),
            }
        }
    }
}

/// Keeps a session until its connection is shut down.
fn stay(mut page: Page) -> TcpStream {
    let stream = page.0.get_ref().0.try_clone().expect("a stream");
    // Reading also answers the pings with which the server checks that the page is there.
    thread::spawn(move || while page.next().is_ok() {});
    stream
}

/// A connection on which nothing is written, not even answers to pings.
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

/// Opens sessions until one is admitted, because an earlier one has ended.
fn wait_for_room(server: &Server) -> Page {
    wait_for("room for a session", || {
        let mut page = Page::open(server);
        if page.is_admitted() { Some(page) } else { None }
    })
}

/// Waits until all sessions have ended: there is room for as many as a server has.
fn wait_for_all_rooms(server: &Server) {
    let pages: Vec<TcpStream> = (0..MAX_SESSIONS).map(|_| stay(wait_for_room(server))).collect();
    pages.iter().for_each(|page| page.shutdown(Shutdown::Both).expect("it is still open"));
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
    // Commands wait for a search to end, as they do on stdin.
    page.say("go infinite");
    page.say("isready");
    page.until("readyok");
    page.say("query p1turn");
    page.say("stop");
    assert_eq!(page.until("response").pop().as_deref(), Some("response true"));
    page.say("quit");
    assert_eq!(page.end().1, 1000);
}

/// What a restricted session allows is a law of `kalah-protocol`.
#[test]
fn sessions_of_pages_are_restricted() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    page.say("uci");
    let introduction = page.until("uciok").join("\n");
    assert!(!introduction.contains("option name EvalFile "), "{introduction}");
    assert!(introduction.contains("option name Hash type spin default 64 min 1 max 256\n"));
    assert!(introduction.contains("\ninfo string searches, counts and benchmarks end after 600 s"));
}

#[test]
fn a_ninth_session_is_refused_until_another_ends() {
    let server = Server::start(&["--no-save"]);
    let admitted = |_| {
        let mut page = Page::open(&server);
        assert!(page.is_admitted());
        stay(page)
    };
    let pages: Vec<TcpStream> = (0..MAX_SESSIONS).map(admitted).collect();
    let mut ninth = Page::open(&server);
    let (error, code, reason) = ninth.end();
    assert_eq!(reason, "too many sessions (limit 8); close a page to use the engine here");
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
        // At the end of input on stdin, these commands would run to their end.
        ["bench", "go perft 40"].iter().for_each(|line| page.say(line));
    }
    wait_for_all_rooms(&server);
}

#[test]
#[ignore = "slow: .ci/run"]
fn pages_that_never_read_or_answer_lose_their_sessions() {
    let server = Server::start(&["--no-save"]);
    let pages: Vec<Page> = (0..MAX_SESSIONS)
        .map(|number| {
            let mut page = Page::open(&server);
            page.search_solved();
            if number % 2 == 0 {
                // Causes answers that nobody reads, more than the system buffers.
                let mut stream = page.0.get_ref().0.try_clone().expect("a stream");
                thread::spawn(move || while stream.write_all(&frame(b"help")).is_ok() {});
            }
            page
        })
        .collect();
    wait_for_all_rooms(&server);
    drop(pages);
}

/// A message as a browser sends it, masked with zeros.
fn frame(text: &[u8]) -> Vec<u8> {
    let length = (text.len() as u64).to_be_bytes();
    [&[0x81, 0xff][..], &length, &[0; 4], text].concat()
}

#[test]
fn messages_that_are_not_lines_are_refused_with_a_reason() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    page.0.send(Message::binary(b"uci".to_vec())).expect("a socket");
    let (error, code, reason) = page.end();
    assert_eq!(reason, "expected text messages, got a binary one");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1003));

    let mut page = Page::open(&server);
    page.say(&" ".repeat(MAX_LINE));
    assert!(page.is_admitted());
    page.say(&" ".repeat(MAX_LINE + 1));
    let (error, code, reason) = page.end();
    assert_eq!(reason, "message too long (limit 1048576 bytes)");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1009));

    let mut page = Page::open(&server);
    assert!(page.is_admitted());
    page.0.get_ref().0.try_clone().expect("a stream").write_all(&frame(b"\xff")).expect("a socket");
    let (error, code, reason) = page.end();
    assert_eq!(reason, "expected text in UTF-8");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1007));

    let mut page = Page::open(&server);
    assert!(page.is_admitted());
    let reserved = [0x83, 0x80, 0, 0, 0, 0];
    page.0.get_ref().0.try_clone().expect("a stream").write_all(&reserved).expect("a socket");
    assert_eq!(page.end().1, 1002);
}

#[test]
#[ignore = "slow: .ci/run"]
fn a_flood_of_commands_is_refused_even_if_the_reason_is_read_late() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    // More answers than the system buffers for a page that does not read them: what follows
    // leaves the server only once the page reads.
    for _ in 0..300 {
        page.say("uci");
    }
    page.say("go perft 40");
    let mut stream = page.0.get_ref().0.try_clone().expect("a stream");
    let reading = Mute(stream.try_clone().expect("a stream"));
    let message = frame(format!("position fen {}", "7 ".repeat(MAX_LINE / 4)).as_bytes());
    let flood = thread::spawn(move || while stream.write_all(&message).is_ok() {});
    // The server refuses the flood at its second check, after ten seconds.
    thread::sleep(Duration::from_secs(12));
    let mut reader = Page(WebSocket::from_raw_socket(reading, Role::Client, None));
    let (error, code, reason) = reader.end();
    assert_eq!(reason, "too many waiting commands (limit 8 MiB)");
    assert_eq!((error, code), (format!("info string error: {reason}"), 1008));
    flood.join().expect("no panic");
    assert!(Page::open(&server).is_admitted());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_searches_and_notifies_the_pages() {
    let mut server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    page.search();
    let process = server.process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status().expect("kill");
    assert!(sent.success());
    let (_, code, reason) = page.end();
    assert_eq!((code, reason.as_str()), (1001, "the server is shutting down"));
    // Nothing more arrives, and the server does not wait for the page.
    assert!(matches!(page.0.read(), Err(Error::ConnectionClosed | Error::Io(_))));
    assert!(server.process.wait().expect("an end").success());
}

#[test]
fn a_close_frame_from_a_page_is_answered_with_one() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    assert!(page.is_admitted());
    page.0.close(None).expect("a socket");
    // The answer is the end of a handshake. Without it, the connection would break off, which
    // browsers report as code 1006.
    let end = loop {
        match page.0.read() {
            Ok(_) => (),
            Err(error) => break error,
        }
    };
    assert!(matches!(end, Error::ConnectionClosed), "{end}");
}

#[cfg(unix)]
#[test]
#[ignore = "slow: .ci/run"]
fn a_stall_of_the_server_does_not_end_a_session() {
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    assert!(page.is_admitted());
    let mut stream = page.0.get_ref().0.try_clone().expect("a stream");
    let end = thread::spawn(move || page.end());
    let signal = |name: &str| {
        let process = server.process.id().to_string();
        let sent = Command::new("kill").args([name, process.as_str()]).status().expect("kill");
        assert!(sent.success());
    };
    // Two checks of the session are missed, and another one follows.
    signal("-STOP");
    thread::sleep(Duration::from_secs(12));
    signal("-CONT");
    thread::sleep(Duration::from_secs(6));
    stream.write_all(&frame(b"quit")).expect("a socket");
    let (_, code, reason) = end.join().expect("an end");
    assert_eq!((code, &*reason), (1000, "the session has ended"));
}

#[test]
#[ignore = "slow: .ci/run"]
#[cfg(target_os = "linux")]
fn pongs_that_are_not_read_do_not_fill_the_memory() {
    const MIB: u64 = 1 << 20;
    /// Pings before the test gives up: without a bound, the pongs take as much memory.
    const MAX_SENT: u64 = 512 * MIB;
    let server = Server::start(&["--no-save"]);
    let mut page = Page::open(&server);
    assert!(page.is_admitted());
    let before = memory(&server, "VmRSS:");
    let mut stream = page.0.get_ref().0.try_clone().expect("a stream");
    stream.set_write_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let ping = [&[0x89, 0x80 | 125][..], &[0; 4], &[0; 125]].concat().repeat(1000);
    let mut sent = 0;
    // The session ends once the page has not read for a while.
    while sent < MAX_SENT && stream.write_all(&ping).is_ok() {
        sent += ping.len() as u64;
    }
    let grown = memory(&server, "VmHWM:").saturating_sub(before);
    assert!(grown < 32 * MIB, "{} MiB after {} MiB of pings", grown / MIB, sent / MIB);
}

/// A number of bytes in the status of the server's process.
#[cfg(target_os = "linux")]
pub(super) fn memory(server: &Server, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process.id()));
    let status = status.expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("a field");
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kibibytes << 10
}
