//! Requests to a server over HTTP, one connection each.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::PATIENCE;

/// A server that is listening.
#[derive(Debug)]
pub struct Site {
    /// The link to its page, as in `http://127.0.0.1:40000/`.
    pub address: String,
}

impl Site {
    /// The host and the port, as in a `Host` header.
    pub fn host(&self) -> String {
        let rest = self.address.trim_start_matches("http://");
        rest.split('/').next().expect("a host").to_owned()
    }

    /// Opens a connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Sends these bytes and returns the complete answer.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may refuse them before it has read them all.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to a request with these headers, which must include `Host`.
    pub fn ask_with(&self, request: &str, headers: &[&str], body: &str) -> String {
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

    /// The status of the answer to a request with the right `Host` and these headers.
    pub fn status(&self, request: &str, headers: &[&str]) -> u16 {
        let host = format!("Host: {}", self.host());
        status(&self.ask_with(request, &[&[host.as_str()], headers].concat(), ""))
    }

    /// Sends a request and returns the connection: HTTP/1.0, so that no answer comes in chunks.
    pub fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let host = self.host();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.0\r\nHost: {host}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        // A server may refuse a request before it has read all of it.
        let _ = stream.write_all(request.as_bytes());
        stream
    }

    /// The status and the body of the answer to a request.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut answer = String::new();
        self.send(method, path, body).read_to_string(&mut answer).expect("an answer in UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let body = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        (status(head), body)
    }

    /// The JSON at an address, which must exist.
    pub fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{path}: {:.300}", answer.to_string());
        answer
    }

    /// The answer to a posted document, which must be accepted.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, &body.to_string());
        assert_eq!(status, 200, "{path}: {:.300}", answer.to_string());
        answer
    }

    /// The error for a request that is refused with `status`.
    pub fn refused(&self, method: &str, path: &str, body: &str, status: u16) -> String {
        let (got, answer) = self.ask(method, path, body);
        assert_eq!(got, status, "{method} {path} {body:.300}: {:.300}", answer.to_string());
        answer["error"].as_str().expect("an error").to_owned()
    }
}

/// The status of an answer.
pub fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("no status: {answer:?}"))
}
