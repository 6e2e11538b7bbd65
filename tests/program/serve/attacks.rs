//! Attacks on `kalah serve`: by other pages in the same browser, by unknown clients, and by clients
//! that use up as much as they can.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use kalah_testing::http::status;

use super::Server;
use super::socket::Page;
#[cfg(target_os = "linux")]
use super::socket::memory;
use crate::{PATIENCE, wait_for};

#[test]
fn other_pages_cannot_open_sockets() {
    let server = Server::start(&["--no-save"]);
    let origin = format!("http://{}", server.host());
    for (name, value) in [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://localhost:3000"),
        ("Sec-Fetch-Site", "cross-site"),
    ] {
        assert!(Page::open_with(&server, &[(name, value)]).is_err(), "{name}: {value}");
    }
    let mut page = Page::open_with(&server, &[("Origin", &origin)]).expect("a socket");
    page.say("isready");
    page.until("readyok");
}

#[test]
fn a_given_address_requires_the_secret_everywhere() {
    let server = Server::start(&["--no-save", "--listen", "127.0.0.1"]);
    let (page, secret) = server.address.split_once("?secret=").expect("a secret");
    assert_eq!(page, format!("http://{}/", server.host()));
    assert!(secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let cookie = format!("kalah-{}", server.host().rsplit(':').next().expect("a port"));
    let wrong = "0".repeat(32);
    let paths = ["/", "/app.js", "/board.css", "/api/levels", "/api/saved", "/nothing"];
    for path in paths {
        for header in [
            "X-None: 1".to_owned(),
            format!("Cookie: {cookie}={wrong}"),
            format!("Cookie: {cookie}="),
            format!("Cookie: {cookie}={secret}0"),
            format!("Cookie: kalah={secret}"),
        ] {
            assert_eq!(server.status(&format!("GET {path}"), &[&header]), 403, "{path} {header}");
        }
        let request = format!("GET {path}?secret={wrong}");
        assert_eq!(server.status(&request, &[]), 403, "{request}");
    }
    assert!(Page::open_with(&server, &[]).is_err());
    assert!(Page::open_with(&server, &[("Cookie", &format!("{cookie}={wrong}"))]).is_err());

    let host = format!("Host: {}", server.host());
    let answer = server.ask_with(&format!("GET /?secret={secret}"), &[&host], "");
    let expected =
        format!("\r\nset-cookie: {cookie}={secret}; Path=/; HttpOnly; SameSite=Strict\r\n");
    assert!(status(&answer) == 200 && answer.contains(&expected), "{answer}");
    let own = format!("{cookie}={secret}");
    for path in ["/", "/app.js", "/api/levels"] {
        let header = format!("Cookie: other=1; {own}");
        assert_eq!(server.status(&format!("GET {path}"), &[&header]), 200, "{path}");
    }
    let mut page = Page::open_with(&server, &[("Cookie", &own)]).expect("a socket");
    page.say("isready");
    page.until("readyok");
    // The secret does not help foreign pages.
    let headers = [("Cookie", own.as_str()), ("Origin", "http://evil.example")];
    assert!(Page::open_with(&server, &headers).is_err());
    // Another server has a different secret.
    let other = Server::start(&["--no-save", "--listen", "127.0.0.1"]);
    assert_ne!(other.address.split_once("?secret=").expect("a secret").1, secret);
    assert_eq!(other.status(&format!("GET /?secret={secret}"), &[]), 403);
}

#[test]
#[ignore = "slow: .ci/run"]
fn requests_that_never_end_are_cut_off() {
    let server = Server::start(&["--no-save"]);
    let host = server.host();
    let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: ");
    let body = format!("POST /api/game HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\n\r\n{{");
    let half_open: Vec<TcpStream> = (0..100)
        .map(|number| {
            let mut stream = server.connect();
            let begun = [head.as_str(), "", "G", &body][number % 4];
            stream.write_all(begun.as_bytes()).expect("a connection");
            stream
        })
        .collect();
    // Some keep sending a byte from time to time, so that they are never silent for long.
    let slow: Vec<_> = half_open
        .iter()
        .take(8)
        .map(|stream| stream.try_clone().expect("a stream"))
        .map(|mut stream| {
            thread::spawn(move || {
                while stream.write_all(b"x").is_ok() {
                    thread::sleep(Duration::from_millis(200));
                }
            })
        })
        .collect();
    // Other clients are not held up.
    assert_eq!(server.status("GET /", &[]), 200);
    let mut page = Page::open(&server);
    page.say("isready");
    page.until("readyok");
    for mut stream in half_open {
        // The server must answer, close or reset; this side must not time out.
        let mut answer = Vec::new();
        let ended = stream.read_to_end(&mut answer);
        let kind = ended.err().map(|error| error.kind());
        assert!(![Some(ErrorKind::WouldBlock), Some(ErrorKind::TimedOut)].contains(&kind));
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || [400, 408].contains(&status(&answer)), "{answer}");
    }
    slow.into_iter().for_each(|slow| slow.join().expect("no panic"));
}

#[test]
#[ignore = "slow: .ci/run"]
fn a_client_that_never_reads_loses_its_connection() {
    let server = Server::start(&["--no-save"]);
    let mut stream = server.connect();
    stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
    let request = format!("GET /board.js HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    let error = loop {
        if let Err(error) = stream.write_all(request.as_bytes()) {
            break error;
        }
    };
    assert!(![ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()), "{error}");
}

#[test]
fn silent_connections_do_not_delay_the_owner() {
    let server = Server::start(&["--no-save", "--listen", "127.0.0.1"]);
    let (_, secret) = server.address.split_once("?secret=").expect("a secret");
    // More than the server and the queue of the system hold: the last ones wait, too.
    let mut silent: Vec<TcpStream> = (0..400)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET / HTTP/1.1\r\n").expect("a connection");
            stream
        })
        .collect();
    let host = format!("Host: {}", server.host());
    let answer = server.ask_with(&format!("GET /?secret={secret}"), &[&host], "");
    assert_eq!(status(&answer), 200, "{answer}");
    // Later connections have evicted the first one.
    assert_eq!(silent[0].read(&mut [0]).unwrap_or_default(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn requests_are_refused_while_no_thread_can_be_started() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let server = Server::start(&["--no-save"]);
    // This loads everything that answers a request without a thread.
    assert_eq!(server.status("GET /", &[]), 200);
    // A thread that has ended leaves its stack to the next one, here to that of a session.
    let threads = format!("/proc/{}/task", server.process.id());
    wait_for("server that waits with one thread, and one for Ctrl-C", || {
        let count = std::fs::read_dir(&threads).expect("a process").count();
        if count == 2 { Some(()) } else { None }
    });
    let mut page = Page::open(&server);
    assert!(page.is_admitted());
    let process = i32::try_from(server.process.id()).ok().and_then(Pid::from_raw);
    let limit_memory = |bytes| {
        let limit = Rlimit { current: bytes, maximum: None };
        prlimit(process, Resource::As, limit).expect("a limit");
    };
    // Enough for anything but the stack of a thread.
    limit_memory(Some(memory(&server, "VmSize:") + (1 << 20)));
    for path in ["/api/levels", "/api/saved", "/api/puzzles"] {
        let (status, answer) = server.ask("GET", path, "");
        assert_eq!(status, 503, "{path}: {answer}");
        assert_eq!(answer["error"], "the server is busy; try again later");
    }
    let position = "%3C2,0,0,1,1,1,1%3E%20S";
    assert_eq!(server.ask("GET", &format!("/api/solve?position={position}"), "").0, 503);
    limit_memory(None);
    assert_eq!(server.status("GET /api/levels", &[]), 200);
    assert_eq!(server.status("GET /api/puzzles", &[]), 200);
}
