//! The error for a request: a status and `{"error": "what was expected, what was found"}`.

use std::fmt;

use serde_json::json;
use thiserror::Error;

use kalah_text::foreign::Foreign;

/// Error for a request, for its client to read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ApiError {
    status: u16,
    message: String,
    /// The methods that are allowed instead, separated by commas; empty unless the status is 405.
    allowed: String,
}

impl ApiError {
    /// `status` is an HTTP status from 400 to 599. The message may quote the client.
    pub fn new(status: u16, message: impl fmt::Display) -> Self {
        Self { status, message: message.to_string(), allowed: String::new() }
    }

    /// The request is not even well-formed: 400.
    pub fn malformed(message: impl fmt::Display) -> Self {
        Self::new(400, message)
    }

    /// The request is well-formed but cannot be carried out: 422.
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self::new(422, message)
    }

    /// The client asked for something that does not exist: 404.
    pub fn not_found(message: impl fmt::Display) -> Self {
        Self::new(404, message)
    }

    /// The path accepts only these methods: 405.
    pub fn method_not_allowed(path: &str, allowed: &[&str]) -> Self {
        let path = Foreign(path);
        let message = format!("method not allowed: {path} accepts {}", allowed.join(" or "));
        Self { allowed: allowed.join(", "), ..Self::new(405, message) }
    }

    /// The host cannot answer, which is not the client's fault: 500.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::new(500, message)
    }

    /// Too many requests are being processed, or the system refuses a thread: 503.
    pub fn busy() -> Self {
        Self::new(503, "the server is busy; try again later")
    }

    /// The status of HTTP.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The value of the header `Allow`, which an answer with the status 405 must have.
    pub fn allowed(&self) -> Option<&str> {
        if self.allowed.is_empty() { None } else { Some(&self.allowed) }
    }

    /// The body of the response.
    pub fn to_json(&self) -> String {
        let text = json!({ "error": self.message }).to_string();
        Foreign(&text).to_string()
    }
}
