//! Addresses of servers, as people and tournaments write them.

use std::fmt;
use std::net::Ipv6Addr;
use std::ops::RangeInclusive;

use thiserror::Error;
use tungstenite::client::IntoClientRequest;

use kalah_text::names::shortened;
use kalah_text::typed::number;

/// Valid port numbers.
pub const PORTS: RangeInclusive<i128> = 1..=65_535;

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A host and a port, for TCP.
    Tcp(String, u16),
    /// `ws://…` or `wss://…`.
    WebSocket(String),
}

/// Error of a text that is not an address. Its message states what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct AddressError(String);

impl AddressError {
    fn expected(what: &str, text: &str) -> Self {
        Self(format!("expected {what}, got '{}'", shortened(text)))
    }
}

impl Address {
    /// The standard port of the protocol.
    const PORT: u16 = 2671;

    /// Whether a text is meant to be the URL of a WebSocket.
    pub fn is_web_socket(text: &str) -> bool {
        text.starts_with("ws://") || is_encrypted(text)
    }

    /// The address for a host, which may be a URL, and a port; `localhost` without a host.
    ///
    /// # Errors
    /// [`AddressError`] if the host is malformed, or has a different port or is a URL.
    pub fn new(host: Option<&str>, port: Option<u16>) -> Result<Self, AddressError> {
        let host = host.unwrap_or("localhost");
        match port {
            Some(port) if Self::is_web_socket(host) => {
                Err(AddressError(format!("expected no port with a URL, got {port}")))
            }
            None if Self::is_web_socket(host) => Self::web_socket(host),
            port => Self::tcp(host, port),
        }
    }

    /// The URL of a WebSocket: `ws://HOST:PORT` or, with the feature `tls`, `wss://HOST:PORT`.
    ///
    /// # Errors
    /// [`AddressError`] if the text is not such a URL.
    pub fn web_socket(text: &str) -> Result<Self, AddressError> {
        if !Self::is_web_socket(text) {
            return Err(AddressError::expected("ws://… or wss://…", text));
        }
        if text.into_client_request().is_err() {
            return Err(AddressError::expected("an address like ws://HOST:PORT", text));
        }
        if is_encrypted(text) && !cfg!(feature = "tls") {
            let error = "this program was built without TLS: 'cargo install --locked --path . \
                         --features tls', which needs a C compiler, installs one that supports \
                         wss://";
            return Err(AddressError(error.to_owned()));
        }
        Ok(Self::WebSocket(text.to_owned()))
    }

    /// The address of a TCP server: a host, which may be followed by a port and may be an IPv6
    /// address in brackets. A `port` given separately must be the same one.
    ///
    /// # Errors
    /// [`AddressError`] if the text is not a host, or if the ports differ.
    pub fn tcp(text: &str, port: Option<u16>) -> Result<Self, AddressError> {
        let (name, own) = match text.rsplit_once(':') {
            // Without brackets, the colons of an IPv6 address could not be distinguished from a
            // port's.
            Some((name, own)) if name.ends_with(']') || !name.contains(':') => (name, Some(own)),
            _ => (text, None),
        };
        let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let host = bracketed.unwrap_or(name);
        // Only an IPv6 address has colons and perhaps a zone, after a %.
        let ip = host.split('%').next().unwrap_or_default();
        let is_address = ip.parse::<Ipv6Addr>().is_ok();
        let is_name = !host.is_empty() && host.chars().all(is_name_letter) && bracketed.is_none();
        if text.contains('/') || !is_name && !is_address {
            return Err(AddressError::expected("a host name", text));
        }
        let port = match own {
            Some(own) => {
                let own = number(PORTS)(own).map_err(AddressError)?;
                if port.is_some_and(|port| port != own) {
                    let text = shortened(text);
                    return Err(AddressError(format!(
                        "the port of '{text}' contradicts the one given separately"
                    )));
                }
                own
            }
            None => port.unwrap_or(Self::PORT),
        };
        Ok(Self::Tcp(host.to_owned(), port))
    }
}

/// Whether a host name may contain a character: host names consist of letters, digits, hyphens and
/// dots (RFC 1123, 2.1), and often underscores.
fn is_name_letter(character: char) -> bool {
    character.is_alphanumeric() || "-._".contains(character)
}

pub(super) fn is_encrypted(url: &str) -> bool {
    url.starts_with("wss://")
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Tcp(host, port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            Address::Tcp(host, port) => write!(f, "{host}:{port}"),
            Address::WebSocket(url) => f.write_str(url),
        }
    }
}
