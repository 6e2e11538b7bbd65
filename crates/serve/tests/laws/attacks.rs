//! Attacks by other pages in the same browser and by unknown clients.

use std::fs;

use kalah_testing::http::status;

use super::Server;

#[test]
fn only_names_of_the_server_are_accepted_as_host() {
    let server = Server::without_games();
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
    let folder = kalah_testing::folder();
    let server = Server::of_games(folder.path());
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
    let server = Server::without_games();
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
fn every_answer_has_the_headers_that_protect_the_page() {
    let server = Server::without_games();
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
fn paths_do_not_leave_their_folders() {
    let folder = kalah_testing::folder();
    let games = folder.path().join("games");
    fs::create_dir(&games).expect("a folder");
    let decoy = folder.path().join("decoy.kgn");
    let text = "[Capture \"standard\"]\n\nA *\n";
    fs::write(&decoy, text).expect("a file");
    let server = Server::of_games(&games);
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
    let server = Server::without_games();
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

// Windows allows no such names.
#[cfg(unix)]
#[test]
fn hostile_names_are_text() {
    let folder = kalah_testing::folder();
    let name = "<img src=x onerror=alert(1)>\u{1b}[2J\u{202e}.kgn";
    let game = "[South \"<script>alert(1)</script>\u{1b}]0;x\u{7}\"]\n\
                [Capture \"standard\"]\n\nA *\n";
    fs::write(folder.path().join(name), game).expect("a file");
    fs::write(folder.path().join("\"onload=.kgn"), "\u{1b}").expect("a file");
    let server = Server::of_games(folder.path());
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
