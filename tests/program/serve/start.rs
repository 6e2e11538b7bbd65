//! Where `kalah serve` listens, and the files of its page.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::Server;

#[test]
fn a_port_in_use_is_an_error_that_names_it() {
    let server = Server::start(&["--no-save"]);
    let host = server.host();
    let port = host.rsplit(':').next().expect("a port");
    let second =
        crate::kalah().args(["serve", "--no-save", "--port", port]).output().expect("kalah starts");
    assert_eq!((second.status.code(), second.stdout), (Some(1), Vec::new()));
    let error = String::from_utf8(second.stderr).expect("UTF-8");
    let expected = format!("error: cannot listen on 127.0.0.1, port {port}: ");
    assert!(error.starts_with(&expected), "{error}");
}

#[test]
fn the_port_is_the_same_unless_it_is_in_use() {
    let port = kalah_serve::DEFAULT_PORT;
    // If this fails, a different server has the port, which is all that the test needs.
    let _taken = std::net::TcpListener::bind(("127.0.0.1", port));
    let mut kalah = crate::kalah();
    let mut process = kalah
        .args(["serve", "--no-save"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kalah starts");
    let mut line = String::new();
    let output = process.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).expect("a line");
    process.kill().expect("it runs");
    let said = process.wait_with_output().expect("an end").stderr;
    let said = String::from_utf8(said).expect("UTF-8");
    let got = line.trim_end().trim_end_matches('/').rsplit(':').next().expect("a port");
    let got: u16 = got.parse().unwrap_or_else(|_| panic!("{line}"));
    assert!(got > port, "{line}");
    let expected = format!("port {port} is in use; the page is on port {got} this time");
    assert!(said.contains(&expected), "{said}");
}

/// The text of a QR code that is drawn in half blocks, light on dark.
fn decoded(drawn: &[&str]) -> String {
    let width = drawn[0].chars().count();
    let rows: Vec<Vec<char>> = drawn.iter().map(|line| line.chars().collect()).collect();
    let is_light = |x: usize, y: usize| {
        let full = rows[y / 2][x];
        full == '█' || full == if y.is_multiple_of(2) { '▀' } else { '▄' }
    };
    // Each module is drawn eight pixels wide, as a camera would see it.
    let side = 8 * width;
    let image = |x: usize, y: usize| if is_light(x / 8, y / 8) { 255 } else { 0 };
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(side, 8 * 2 * rows.len(), image);
    let grids = picture.detect_grids();
    let (_, text) = grids.first().expect("a code").decode().expect("a readable code");
    text
}

#[test]
fn a_phone_reads_the_link_from_the_code() {
    let arguments = ["serve", "--no-save", "--port", "0", "--phone"];
    let mut process = crate::kalah()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kalah starts");
    let mut said = String::new();
    let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
    while !said.ends_with("Press Ctrl-C to stop.\n") {
        let read = output.read_line(&mut said).expect("UTF-8");
        if read == 0 {
            let error = process.wait_with_output().expect("an end").stderr;
            let error = String::from_utf8(error).expect("UTF-8");
            assert_eq!(
                error,
                "error: this machine has no network address: connect it to a network, or use --listen\n"
            );
            return;
        }
    }
    process.kill().expect("it runs");
    process.wait().expect("an end");
    let lines: Vec<&str> = said.lines().collect();
    let link = lines[0].strip_prefix("The board is at ").expect("the link");
    let drawn: Vec<&str> =
        lines[1..].iter().copied().take_while(|line| !line.starts_with("Who")).collect();
    assert_eq!(decoded(&drawn), link);
    assert!(link.contains("/?secret="), "{link}");
}

#[test]
fn browsers_keep_a_file_until_the_program_changes() {
    let server = Server::start(&["--no-save"]);
    let host = format!("Host: {}", server.host());
    let file = server.ask_with("GET /board.js", &[&host], "");
    assert!(file.contains("\r\ncache-control: no-cache\r\n"), "{file}");
    assert!(file.ends_with(include_str!("../../../crates/view/assets/board.js")));
    let (_, rest) = file.split_once("\r\netag: ").expect("a tag");
    let (tag, _) = rest.split_once("\r\n").expect("a line");
    let kept = server.ask_with("GET /board.js", &[&host, &format!("If-None-Match: {tag}")], "");
    assert!(kept.starts_with("HTTP/1.1 304 ") && kept.ends_with("\r\n\r\n"), "{kept}");
    let other = server.ask_with("GET /board.js", &[&host, "If-None-Match: \"0\""], "");
    assert!(other.starts_with("HTTP/1.1 200 "), "{other}");
    let head = server.ask_with("HEAD /board.js", &[&host], "");
    assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
}
