//! The program: its options, environment and files, the token, and how it ends.

use kalah_game::{Position, Rules, Side};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use super::server::{Manners, Peer, Played, boards, listen};

const TOKEN: &str = "a \"secret\" of 27 letters";

pub(super) fn kalah(arguments: &[&str]) -> Command {
    let mut command = crate::kalah();
    command.arg("kgp").args(arguments);
    command.env_remove("KGP_HOST").env_remove("KGP_PORT").env_remove("RUST_LOG");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end of a process; returns its output and exit code.
pub(super) fn end(child: Child) -> (String, String, Option<i32>) {
    let Output { stdout, stderr, status } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_host_may_have_brackets_and_a_port() {
    // Nothing listens on port 1.
    for (host, port, expected) in [
        ("[::1]:1", None, "error: [::1]:1: "),
        ("[::1]", Some("1"), "error: [::1]:1: "),
        ("::1", Some("1"), "error: [::1]:1: "),
        ("localhost:1", None, "error: localhost:1: "),
        ("localhost:1", Some("1"), "error: localhost:1: "),
        ("localhost:1", Some("2"), "error: KGP_HOST: the port of 'localhost:1' contradicts "),
        ("localhost:0", None, "error: KGP_HOST: expected a number from 1 to 65535, got '0'"),
        (":1", None, "error: KGP_HOST: expected a host name, got ':1'"),
        ("[::1", None, "error: KGP_HOST: expected a host name, got '[::1'"),
        ("::1]:5", None, "error: KGP_HOST: expected a host name, got '::1]:5'"),
        ("[localhost]", None, "error: KGP_HOST: expected a host name, got '[localhost]'"),
        (" ", None, "error: KGP_HOST: expected a host name, got ' '"),
        ("http://x", None, "error: KGP_HOST: expected a host name, got 'http://x'"),
        ("x/socket", None, "error: KGP_HOST: expected a host name, got 'x/socket'"),
        ("localhost", Some("abc"), "error: KGP_PORT: expected a number from 1 to 65535, got 'abc'"),
        ("ws://localhost:1/", Some("1"), "error: KGP_HOST: expected no port with a URL, got 1"),
    ] {
        let mut command = kalah(&["--retries", "0"]);
        command.env("KGP_HOST", host).envs(port.map(|port| ("KGP_PORT", port)));
        let (_, errors, _) = end(command.spawn().unwrap());
        assert!(errors.contains(expected), "{host} {port:?}: {errors}");
        if port.is_none() && !expected.contains("KGP_HOST") {
            let (_, errors, _) = end(kalah(&["--retries", "0", "--host", host]).spawn().unwrap());
            assert!(errors.contains(expected), "{host}: {errors}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;

    let mut command = kalah(&["--retries", "0"]);
    command.env("KGP_HOST", std::ffi::OsStr::from_bytes(b"\xff"));
    let (_, errors, code) = end(command.spawn().unwrap());
    assert_eq!((errors.as_str(), code), ("error: KGP_HOST: expected UTF-8 text\n", Some(2)));
}

#[test]
fn a_game_is_counted_and_the_token_is_sent_only_to_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    fs::write(file("token"), format!("{TOKEN}\n")).unwrap();
    let (listener, port) = listen();
    let token = file("token");
    let transcript = file("lines.txt");
    let child = kalah(&[
        "--time",
        "0.02",
        "--overhead",
        "0.01",
        "--games",
        "1",
        "--hash",
        "4",
        "--threads",
        "1",
        "--token-file",
        &token,
        "--transcript",
        &transcript,
    ])
    .env("KGP_HOST", "127.0.0.1")
    .env("KGP_PORT", port.to_string())
    .env("RUST_LOG", "trace")
    .spawn()
    .unwrap();
    let (mut peer, said) = Peer::accept(&listener, Manners::default());
    let sets: Vec<&str> = said.iter().map(|command| command.arguments.as_str()).collect();
    assert!(sets[0].starts_with("info:name \"kalah "), "{sets:?}");
    assert!(sets.contains(&r#"auth:token "a \"secret\" of 27 letters""#), "{sets:?}");
    let quoted = TOKEN.replace('"', "\\\"");
    for line in [
        format!("!! {TOKEN}"),
        TOKEN.to_owned(),
        format!("set {TOKEN} x"),
        format!("kgp {TOKEN}"),
        format!("error \"hello {quoted}\""),
        format!("set game:opponent \"{quoted}\""),
    ] {
        peer.write(format!("{line}\r\n").as_bytes());
    }
    let mut played = Played::default();
    peer.play(boards()[0], 0, &mut played).unwrap();
    drop((peer, listener));
    let (stdout, stderr, code) = end(child);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with(&format!("connected to 127.0.0.1:{port}\ngame 1: ")), "{stdout}");
    let transcript = text(transcript.as_ref());
    assert!(transcript.contains(" > ") && transcript.contains(" < "), "{transcript}");
    for shown in [&stdout, &stderr, &transcript] {
        assert!(!shown.contains("27 letters"), "{shown}");
    }
    let moves = kalah_text::format::counted(played.states, "move");
    assert!(stdout.contains(&format!("\n1 game, {moves}: ")), "{stdout}");
}

#[test]
fn no_log_shows_the_token_that_is_sent_over_a_web_socket() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, TOKEN).unwrap();
    let (listener, port) = listen();
    let url = format!("ws://127.0.0.1:{port}/socket");
    let child = kalah(&["--url", &url, "--retries", "0", "--token-file", token.to_str().unwrap()])
        .env("RUST_LOG", "trace,tungstenite::protocol=trace,rustls=trace")
        .spawn()
        .unwrap();
    let mut socket = tungstenite::accept(listener.accept().unwrap().0).unwrap();
    socket.send(tungstenite::Message::text("2 kgp 1 0 1\r\n")).unwrap();
    let mut said = Vec::new();
    while !said.iter().any(|line: &String| line.contains("mode")) {
        said.push(socket.read().unwrap().into_text().unwrap().to_string());
    }
    assert!(said.iter().any(|line| line.contains("27 letters")), "{said:?}");
    socket
        .send(tungstenite::Message::text(format!("2 kgp {TOKEN}\r\n4@9 error \"{TOKEN}\"\r\n")))
        .unwrap();
    drop((socket, listener));
    let (stdout, stderr, code) = end(child);
    assert_eq!(code, Some(1));
    assert!(!(stdout + &stderr).contains("27 letters"), "{stderr}");
}

#[test]
fn a_refused_version_does_not_show_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "letters").unwrap();
    let (listener, port) = listen();
    let port = port.to_string();
    let child =
        kalah(&["--host", "127.0.0.1", "--port", &port, "--token-file", token.to_str().unwrap()])
            .spawn()
            .unwrap();
    let mut stream = listener.accept().unwrap().0;
    stream.write_all(b"2 kgp letters\r\n").unwrap();
    let (_, stderr, code) = end(child);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("got '(hidden)'"), "{stderr}");
}

#[test]
fn bad_arguments_are_refused() {
    let refused = |arguments: &[&str]| {
        let (_, stderr, code) = end(kalah(arguments).spawn().unwrap());
        assert!(matches!(code, Some(1 | 2)), "{stderr}");
        stderr
    };
    assert!(refused(&["--url", "http://a"]).contains("expected ws://"));
    assert!(refused(&["--url", "wss://"]).contains("expected an address"));
    assert!(refused(&["--url", "ws://[::1"]).contains("expected an address"));
    assert!(refused(&["--time", "0.2"]).contains("expected more than the overhead of 0.2 s"));
    assert!(refused(&["--time=-1"]).contains("from 0s to 86400s, got '-1'"));
    assert!(refused(&["--token-file", "/no/such/file"]).contains("cannot read /no/such/file"));
    assert!(refused(&["--name", &"x".repeat(1001)]).contains("expected 1 to 1000 characters"));
    let (_, stderr, code) = end(kalah(&[]).env("KGP_PORT", "x").spawn().unwrap());
    let expected = "error: KGP_PORT: expected a number from 1 to 65535, got 'x'";
    assert_eq!((stderr.trim_end(), code), (expected, Some(2)));
}

#[test]
fn without_a_server_each_attempt_is_reported() {
    // The port was bound and released, so nothing listens on it.
    let port = listen().1.to_string();
    let child = kalah(&["--host", "127.0.0.1", "--port", &port, "--retries", "1"]).spawn().unwrap();
    let (stdout, stderr, code) = end(child);
    assert_eq!((stdout.as_str(), code), ("", Some(1)));
    assert!(stderr.starts_with(&format!("127.0.0.1:{port}: ")), "{stderr}");
    assert!(stderr.contains("; reconnecting in 1 s\nerror: "), "{stderr}");
}

#[cfg(not(feature = "tls"))]
#[test]
fn without_tls_the_program_names_the_command_that_installs_it() {
    let child = kalah(&["--url", "wss://localhost:1/socket"]).spawn().unwrap();
    let (_, stderr, code) = end(child);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("cargo install --locked --path . --features tls"), "{stderr}");
}

#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_client_while_a_handshake_is_not_answered() {
    let trusted = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/kgp/localhost.pem");
    let encrypted = if cfg!(feature = "tls") { "wss" } else { "ws" };
    for (scheme, name) in [("ws", "-INT"), (encrypted, "-TERM")] {
        let (listener, port) = listen();
        let url = format!("{scheme}://127.0.0.1:{port}/socket");
        let child = kalah(&["--url", &url]).env("SSL_CERT_FILE", trusted).spawn().unwrap();
        let mut stream = listener.accept().unwrap().0;
        stream.read_exact(&mut [0]).expect("the handshake begins");
        signal(&child, name);
        let (_, stderr, code) = end(child);
        assert_eq!(code, Some(130), "{stderr}");
        // The client does not wait for the handshake to time out.
        assert!(!stderr.contains("reconnecting"), "{url}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
#[ignore = "slow: .ci/run"]
fn a_suspended_client_does_not_mistake_the_gap_for_the_end_of_a_game() {
    let (listener, port) = listen();
    let port = port.to_string();
    let child = kalah(&["--host", "127.0.0.1", "--port", &port, "--time", "0.3"]).spawn().unwrap();
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    let mut position = Position::start(Rules::default());
    position.play(peer.ask(&position, 1).unwrap()).unwrap();
    while position.side() == Side::North {
        let pit = position.moves().iter().next().unwrap();
        position.play(pit).unwrap();
    }
    peer.send("ping");
    assert!(peer.hear_of(&["pong"]).is_some());
    signal(&child, "-STOP");
    // A game ends if no state follows a ping within 15 s.
    std::thread::sleep(Duration::from_secs(16));
    signal(&child, "-CONT");
    // The client is awake, and nothing has arrived.
    std::thread::sleep(Duration::from_secs(1));
    assert!(peer.ask(&position, 2).is_some());
    signal(&child, "-INT");
    let (stdout, errors, _) = end(child);
    assert!(stdout.contains("\n1 game, 2 moves: "), "{stdout}{errors}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_goodbye() {
    let (listener, port) = listen();
    let port = port.to_string();
    let arguments = ["--host", "127.0.0.1", "--port", &port, "--time", "1000"];
    let mut child = kalah(&arguments).spawn().unwrap();
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    peer.send("state <6,0,0,5,4,4,4,4,3,4,4,4,4,4,4>");
    assert_eq!(peer.hear().unwrap().name, "move");
    signal(&child, "-INT");
    assert!(peer.hear_of(&["goodbye"]).is_some());
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert!(
        stdout.ends_with("1 game, 0 moves: 0 won, 0 drawn, 0 lost, 1 with unknown result\n"),
        "{stdout}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Peak memory of a process in KiB. Linux only estimates it, so it may even shrink.
#[cfg(target_os = "linux")]
fn peak_memory(child: &Child) -> u64 {
    let status = text(format!("/proc/{}/status", child.id()).as_ref());
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Sends a text many times, then waits until the client has read it all.
#[cfg(target_os = "linux")]
fn flood(peer: &mut Peer<TcpStream>, text: &str, times: usize) {
    let mut writer = peer.another();
    let bytes = [text.repeat(times).as_bytes(), b"ping\r\n"].concat();
    // On a separate thread, because the client stops reading while its answers are unread.
    let writer = std::thread::spawn(move || writer.write_all(&bytes));
    peer.hear_of(&["pong"]).expect("it has survived");
    writer.join().unwrap().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: .ci/run"]
fn memory_stops_growing_in_a_flood() {
    let (listener, port) = listen();
    let port = port.to_string();
    // With a second per move, no large endgame tables are built.
    let mut child =
        kalah(&["--port", &port, "--hash", "1", "--threads", "1", "--time", "1"]).spawn().unwrap();
    let (mut peer, _) = Peer::accept(&listener, Manners::default());
    let long = format!("set game:id \"{}\"\r\n", "x".repeat(16_000));
    let lines = [
        "set game:id \"y\"\r\nerror \"No state\"\r\n@1 stop\r\n",
        "99 state <12,0,0,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9>\r\n",
        "98 state <2,0,0,0,3,0,0>\r\n97 state <6,1,1,4,4,4,4,4,4,4,4,4,4,4,4>\r\n",
        &long,
        &"<".repeat(30_000),
        "\r\n",
    ]
    .concat();
    // The system provides the memory of the engine, small tables and threads at its own pace,
    // so a single flood without growth is enough.
    let peaks: Vec<u64> = (0..10)
        .map(|_| {
            flood(&mut peer, &lines, 200);
            peak_memory(&child)
        })
        .collect();
    let size = (200 * lines.len()) >> 10;
    assert!(peaks.windows(2).any(|pair| pair[1] < pair[0] + 256), "{peaks:?} KiB by {size} KiB");
    child.kill().unwrap();
    child.wait().unwrap();
}
