//! Requests to a server, one connection each: HTTP/1.0, so that no answer comes in chunks.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::Server;

/// A server that does not answer within this time has hung.
const PATIENCE: Duration = Duration::from_secs(300);

impl Server {
    /// Serves the games in a folder.
    pub(super) fn of_games(folder: &Path) -> Self {
        Self::start(&["--games", folder.to_str().expect("UTF-8")])
    }

    /// Serves a folder without games.
    pub(super) fn in_new_folder() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Self::of_games(folder.path());
        server.folder = Some(folder);
        server
    }

    /// Sends a request and returns the connection.
    pub(super) fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let address = self.address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {address}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        // A server may refuse a request before it has read all of it.
        let _ = stream.write_all(request.as_bytes());
        stream
    }

    /// The status and the body of the answer to a request.
    pub(super) fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut answer = String::new();
        self.send(method, path, body).read_to_string(&mut answer).expect("an answer in UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        (status.expect("a status"), body)
    }

    /// The JSON at an address, which must exist.
    pub(super) fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{path}: {:.300}", answer.to_string());
        answer
    }

    /// The answer to a posted document, which must be accepted.
    pub(super) fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, &body.to_string());
        assert_eq!(status, 200, "{path}: {:.300}", answer.to_string());
        answer
    }

    /// The error for a request that is refused with `status`.
    pub(super) fn refused(&self, method: &str, path: &str, body: &str, status: u16) -> String {
        let (got, answer) = self.ask(method, path, body);
        assert_eq!(got, status, "{method} {path} {body:.300}: {:.300}", answer.to_string());
        answer["error"].as_str().expect("an error").to_owned()
    }
}
