//! Addresses of servers, as people and tournaments write them.

use std::fmt;
use std::net::Ipv6Addr;

use thiserror::Error;
use tungstenite::client::IntoClientRequest;

use kalah_text::names::shortened;

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A host and a port, for TCP.
    Tcp(String, u16),
    /// `ws://…` or `wss://…`.
    WebSocket(String),
}

/// Error of a text that is not an address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// It does not begin with a scheme of WebSockets.
    #[error("expected ws://… or wss://…, got '{}'", shortened(.0))]
    Scheme(String),
    /// What follows the scheme is not a host, a port and a path.
    #[error("expected an address like ws://HOST:PORT, got '{}'", shortened(.0))]
    Url(String),
    /// `wss://` needs the feature `tls`.
    #[error(
        "this program was built without TLS: 'cargo install --locked --path . --features tls', \
         which needs a C compiler, installs one that supports wss://"
    )]
    NoTls,
    /// It is neither a name nor an IP address.
    #[error("expected a host name, got '{}'", shortened(.0))]
    Host(String),
    /// What follows the colon is not a port.
    #[error("expected a number from 1 to 65535, got '{}'", shortened(.0))]
    Port(String),
    /// The text has a port and a different one was given separately.
    #[error("the port of '{}' contradicts the one given separately", shortened(.0))]
    Contradiction(String),
}

impl Address {
    /// The standard port of the protocol.
    const PORT: u16 = 2671;

    /// Whether a text is meant to be the URL of a WebSocket.
    pub fn is_web_socket(text: &str) -> bool {
        text.starts_with("ws://") || is_encrypted(text)
    }

    /// The URL of a WebSocket: `ws://HOST:PORT` or, with the feature `tls`, `wss://HOST:PORT`.
    ///
    /// # Errors
    /// [`AddressError`] if the text is not such a URL.
    pub fn web_socket(text: &str) -> Result<Self, AddressError> {
        if !Self::is_web_socket(text) {
            return Err(AddressError::Scheme(text.to_owned()));
        }
        if text.into_client_request().is_err() {
            return Err(AddressError::Url(text.to_owned()));
        }
        if is_encrypted(text) && !cfg!(feature = "tls") {
            return Err(AddressError::NoTls);
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
            return Err(AddressError::Host(text.to_owned()));
        }
        let own = match own.map(str::parse) {
            Some(Ok(0) | Err(_)) => {
                return Err(AddressError::Port(own.unwrap_or_default().to_owned()));
            }
            Some(Ok(own)) => Some(own),
            None => None,
        };
        match (own, port) {
            (Some(own), Some(port)) if own != port => {
                Err(AddressError::Contradiction(text.to_owned()))
            }
            _ => Ok(Self::Tcp(host.to_owned(), own.or(port).unwrap_or(Self::PORT))),
        }
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
