//! Attacks on `kalah serve`: by other pages in the same browser, by unknown clients, and by clients
//! that use up as much as they can.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use std::{fs, thread};

use super::Server;
use super::socket::Page;
#[cfg(target_os = "linux")]
use super::socket::memory;
use crate::{PATIENCE, wait_for};

impl Server {
    /// The address and the port, as a `Host` has them.
    pub(super) fn host(&self) -> String {
        let rest = self.address.trim_start_matches("http://");
        rest.split('/').next().expect("a host").to_owned()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// The complete answer of the server to these bytes.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may refuse them before it has read them all.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to a request with these headers, which include the host.
    pub(super) fn ask_with(&self, request: &str, headers: &[&str], body: &str) -> String {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        self.raw(
            format!(
                "{request} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n\
                 Content-Type: application/json\r\n{headers}\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// The status of the answer to a request from this host with further headers.
    fn status(&self, request: &str, headers: &[&str]) -> u16 {
        let host = format!("Host: {}", self.host());
        status(&self.ask_with(request, &[&[host.as_str()], headers].concat(), ""))
    }
}

fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("no status: {answer:?}"))
}

#[test]
fn only_names_of_the_server_are_accepted_as_host() {
    let server = Server::start(&["--no-save"]);
    let host = server.host();
    let port = host.rsplit(':').next().expect("a port");
    for own in [host.clone(), format!("localhost:{port}"), "LocalHost:8000".to_owned()] {
        let answer = server.ask_with("GET /", &[&format!("Host: {own}")], "");
        assert_eq!(status(&answer), 200, "{own}");
    }
    for foreign in [
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("evil.example@127.0.0.1:{port}"),
        format!("192.168.0.1:{port}"),
        format!("[::1]:{port}"),
        "127.1".to_owned(),
        String::new(),
    ] {
        for path in ["/", "/app.js", "/api/levels", "/engine", "/nothing"] {
            let request = format!("GET {path}");
            let answer = server.ask_with(&request, &[&format!("Host: {foreign}")], "");
            assert_eq!(status(&answer), 421, "{foreign}: {answer}");
        }
    }
    assert_eq!(status(&server.ask_with("GET /", &[], "")), 421);
    let twice = [format!("Host: {host}"), "Host: evil.example".to_owned()];
    assert_eq!(status(&server.ask_with("GET /", &[&twice[0], &twice[1]], "")), 421);
    let absolute = server.ask_with("GET http://evil.example/", &[&twice[0]], "");
    assert_eq!(status(&absolute), 421);
}

#[test]
fn other_pages_can_neither_read_nor_change_anything() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&["--games", folder.path().to_str().expect("UTF-8")]);
    let own = format!("Origin: http://{}", server.host());
    let foreign = [
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://localhost:3000",
        "Origin: https://127.0.0.1",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ];
    let requests = [
        "GET /api/levels",
        "GET /api/saved",
        "POST /api/saved",
        "PUT /api/saved/a.kgn",
        "POST /api/hint",
        "OPTIONS /api/saved",
        "GET /app.js",
    ];
    for header in foreign {
        for request in requests {
            assert_eq!(server.status(request, &[header]), 403, "{request} {header}");
        }
        assert_eq!(server.status("GET /api/levels", &[&own, header]), 403, "{header}");
    }
    let mut files = fs::read_dir(folder.path()).expect("a folder").flatten();
    assert!(files.all(|file| file.file_name() == "puzzles.jsonl"));
    for header in [own.as_str(), "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"] {
        assert_eq!(server.status("GET /api/levels", &[header]), 200, "{header}");
    }
    // A link on another page may open the page itself, but not in a frame, and not the API.
    let link =
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];
    assert_eq!(server.status("GET /", &link), 200);
    assert_eq!(server.status("GET /api/levels", &link), 403);
    assert_eq!(server.status("POST /", &link), 403);
    let frame =
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"];
    assert_eq!(server.status("GET /", &frame), 403);
}

/// A form on another page can send these types without asking first, and browsers before 2020 sent
/// some of its requests without an `Origin`.
#[test]
fn a_body_that_is_not_declared_as_json_is_refused() {
    let server = Server::start(&["--no-save"]);
    let host = server.host();
    let status_of = |declared: &str| {
        let body = r#"{"south":"human","north":"casual"}"#;
        let request = format!(
            "POST /api/new HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{declared}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        status(&server.raw(request.as_bytes()))
    };
    for refused in ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let declared =
            if refused.is_empty() { "" } else { &format!("Content-Type: {refused}\r\n") };
        assert_eq!(status_of(declared), 415, "{refused}");
    }
    for accepted in ["application/json", "Application/JSON; charset=utf-8"] {
        assert_ne!(status_of(&format!("Content-Type: {accepted}\r\n")), 415, "{accepted}");
    }
}

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
fn every_answer_has_the_headers_that_protect_the_page() {
    let server = Server::start(&["--no-save"]);
    let host = format!("Host: {}", server.host());
    let large = "x".repeat(2 << 20);
    for (request, headers, body) in [
        ("GET /", vec![host.as_str()], ""),
        ("GET /app.js", vec![host.as_str()], ""),
        ("GET /api/levels", vec![host.as_str()], ""),
        ("GET /api/nothing", vec![host.as_str()], ""),
        ("GET /nothing", vec![host.as_str()], ""),
        ("GET /engine", vec![host.as_str()], ""),
        ("POST /api/game", vec![host.as_str()], "{"),
        ("POST /api/game", vec![host.as_str()], &large),
        ("DELETE /", vec![host.as_str()], ""),
        ("GET /", vec!["Host: evil.example"], ""),
        ("GET /", vec![host.as_str(), "Origin: null"], ""),
    ] {
        let answer = server.ask_with(request, &headers, body).to_lowercase();
        let (head, _) = answer.split_once("\r\n\r\n").expect("a head");
        // Only the page may load anything.
        let is_page = head.contains("content-type: text/html");
        assert_eq!(is_page, request == "GET /" && status(&answer) == 200, "{request}: {head}");
        let policy = if is_page {
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; \
             img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'\r\n"
        } else {
            "content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n"
        };
        for line in [
            policy,
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert_eq!(head.matches(line).count(), 1, "{request}: {head}");
        }
        let isolation = "cross-origin-opener-policy: same-origin";
        assert_eq!(head.contains(isolation), is_page, "{request}: {head}");
        assert!(!head.contains("access-control-"), "{request}: {head}");
    }
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
fn paths_do_not_leave_their_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games");
    fs::create_dir(&games).expect("a folder");
    let decoy = folder.path().join("decoy.kgn");
    let text = "[Capture \"standard\"]\n\nA *\n";
    fs::write(&decoy, text).expect("a file");
    let server = Server::start(&["--games", games.to_str().expect("UTF-8")]);
    let absolute = decoy.to_str().expect("UTF-8").replace('/', "%2f");
    let names = [
        "../decoy.kgn",
        "..%2fdecoy.kgn",
        "%2e%2e%2fdecoy.kgn",
        "%2e%2e/decoy.kgn",
        "..%5cdecoy.kgn",
        "....//decoy.kgn",
        "a/..%2f..%2fdecoy.kgn",
        "..%2fdecoy.kgn%00",
        "%00",
        "%ff",
        "..",
        "%2e%2e",
        ".",
        absolute.as_str(),
    ];
    let starts = ["/", "/api/", "/api/saved/", "/api/lessons/", "/api/puzzles/", "/api/matches/"];
    for start in starts {
        for name in names {
            for method in ["GET", "PUT", "POST"] {
                let request = format!("{method} {start}{name}");
                let host = format!("Host: {}", server.host());
                let answer = server.ask_with(&request, &[&host], "{}");
                // Some addresses, like /.., may resolve to that of the page, which is allowed.
                let is_page = answer.contains("<title>");
                assert!(is_page || status(&answer) >= 400, "{request}: {answer}");
                assert!(!answer.contains("[Capture"), "{request}: {answer}");
            }
        }
    }
    assert_eq!(fs::read_to_string(&decoy).expect("a file"), text);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn large_heads_and_bodies_are_refused() {
    let server = Server::start(&["--no-save"]);
    let host = format!("Host: {}", server.host());
    let long = "x".repeat(1 << 20);
    assert_eq!(status(&server.ask_with("GET /", &[&host, &format!("X-Long: {long}")], "")), 431);
    assert!([414, 431].contains(&status(&server.ask_with(&format!("GET /{long}"), &[&host], ""))));
    let many: Vec<String> = (0..1000).map(|number| format!("X-{number}: 1")).collect();
    let many: Vec<&str> =
        [host.as_str()].into_iter().chain(many.iter().map(String::as_str)).collect();
    assert_eq!(status(&server.ask_with("GET /", &many, "")), 431);
    assert_eq!(status(&server.ask_with("POST /api/game", &[&host], &(long.clone() + "x"))), 413);
    // A body without an announced length.
    let chunk = format!("{:x}\r\n{long}\r\n", long.len());
    let chunked = format!(
        "POST /api/game HTTP/1.1\r\n{host}\r\nTransfer-Encoding: chunked\r\n\
         Content-Type: application/json\r\nConnection: close\r\n\r\n{chunk}{chunk}0\r\n\r\n"
    );
    assert_eq!(status(&server.raw(chunked.as_bytes())), 413);
    // A large announced length is refused before any body is read.
    let announced =
        format!("POST /api/game HTTP/1.1\r\n{host}\r\nContent-Length: 9999999999\r\n\r\n");
    assert_eq!(status(&server.raw(announced.as_bytes())), 413);
    assert_eq!(server.status("GET /", &[]), 200);
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

// Windows allows no such names.
#[cfg(unix)]
#[test]
fn hostile_names_are_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "<img src=x onerror=alert(1)>\u{1b}[2J\u{202e}.kgn";
    let game = "[South \"<script>alert(1)</script>\u{1b}]0;x\u{7}\"]\n\
                [Capture \"standard\"]\n\nA *\n";
    fs::write(folder.path().join(name), game).expect("a file");
    fs::write(folder.path().join("\"onload=.kgn"), "\u{1b}").expect("a file");
    let server = Server::start(&["--games", folder.path().to_str().expect("UTF-8")]);
    let host = format!("Host: {}", server.host());
    let answer = server.ask_with("GET /api/saved", &[&host], "");
    assert_eq!(status(&answer), 200, "{answer}");
    assert!(answer.contains("\r\ncontent-type: application/json\r\n"), "{answer}");
    let hidden = answer.contains(|c: char| c.is_control() && !"\r\n".contains(c));
    assert!(!hidden && !answer.contains('\u{202e}'), "{answer:?}");
    let listed = server.get("/api/saved");
    assert_eq!(listed["games"][0]["name"], name);
    assert_eq!(listed["damaged"].as_array().map(Vec::len), Some(1), "{listed}");
    // An error does not repeat the path as markup.
    for path in ["/<script>alert(1)</script>", "/api/<script>alert(1)</script>"] {
        let answer = server.ask_with(&format!("GET {path}"), &[&host], "");
        assert!(!answer.contains("\r\ncontent-type: text/html"), "{answer}");
    }
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
