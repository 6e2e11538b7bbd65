//! A connection to a server, over TCP or WebSocket, that never blocks once it is
//! made.

use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use mio::{Interest, Registry, Token};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{HandshakeError, Message, WebSocket};

use super::session::MAX_LINE;
use crate::sys::lines::{LineError, Lines};

/// How long a server may take to accept a connection, and for each part of the
/// handshake of a WebSocket.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most bytes of a message of a WebSocket, a line or several. A longer one ends
/// the connection.
const MAX_MESSAGE: usize = 1 << 20;

/// The most bytes that wait to be written. While any wait, nothing is read.
const BACKLOG: usize = 1 << 20;

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A host and a port, for TCP.
    Tcp(String, u16),
    /// `ws://…` or `wss://…`.
    WebSocket(String),
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

/// An open connection that sends and receives lines, whatever carries them.
#[derive(Debug)]
pub(super) struct Connection {
    lines: Lines<BufReader<Transport>>,
    /// Whether the last write was not taken as a whole.
    is_blocked: bool,
}

enum Transport {
    Tcp { stream: mio::net::TcpStream, output: Vec<u8> },
    WebSocket { socket: Box<WebSocket<MaybeTlsStream<mio::net::TcpStream>>>, input: Vec<u8> },
}

impl Connection {
    /// Connects; `registry` reports from then on when there is something to read.
    pub(super) fn open(address: &Address, registry: &Registry, token: Token) -> io::Result<Self> {
        let interest = Interest::READABLE | Interest::WRITABLE;
        let (stream, transport) = match address {
            Address::Tcp(host, port) => {
                let (control, mut stream) = connect(host, *port)?;
                registry.register(&mut stream, token, interest)?;
                (control, Transport::Tcp { stream, output: Vec::new() })
            }
            Address::WebSocket(url) => {
                let request = url.as_str().into_client_request().map_err(failed)?;
                let uri = request.uri();
                let default = if uri.scheme_str() == Some("wss") { 443 } else { 80 };
                let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
                let (control, mut stream) = connect(host, uri.port_u16().unwrap_or(default))?;
                registry.register(&mut stream, token, interest)?;
                let config = WebSocketConfig::default()
                    .max_message_size(Some(MAX_MESSAGE))
                    .max_frame_size(Some(MAX_MESSAGE))
                    .max_write_buffer_size(BACKLOG);
                let made = tungstenite::client_tls_with_config(request, stream, Some(config), None);
                let (socket, _) = made.map_err(|error| match error {
                    HandshakeError::Failure(error) => failed(error),
                    HandshakeError::Interrupted(_) => io::ErrorKind::TimedOut.into(),
                })?;
                (control, Transport::WebSocket { socket: Box::new(socket), input: Vec::new() })
            }
        };
        // The file is one with that of `transport`.
        stream.set_nonblocking(true)?;
        let lines = Lines::new(BufReader::new(transport), MAX_LINE);
        Ok(Self { lines, is_blocked: false })
    }

    /// The next line; none at the end of the connection.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if it has not come yet.
    pub(super) fn line(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        // What was read before the write was blocked raises no event: the write is tried
        // again before the caller waits.
        if self.is_blocked {
            self.flush()?;
        }
        if self.is_blocked {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.lines.try_next()
    }

    /// Appends a line to those that are written by [`Self::flush`].
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        match self.lines.get_mut().get_mut() {
            Transport::Tcp { output, .. } => {
                output.extend_from_slice(line.as_bytes());
                output.extend_from_slice(b"\r\n");
                match output.len() {
                    0..=BACKLOG => Ok(()),
                    _ => Err(io::Error::other("the server does not read")),
                }
            }
            Transport::WebSocket { socket, .. } => would_block_is_fine(
                socket.write(Message::text(format!("{line}\r\n"))).map_err(failed),
            ),
        }
    }

    /// Writes as much as the server takes.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let flushed = match self.lines.get_mut().get_mut() {
            Transport::Tcp { stream, output } => write(stream, output),
            Transport::WebSocket { socket, .. } => socket.flush().map_err(failed),
        };
        self.is_blocked = is_blocked(&flushed);
        would_block_is_fine(flushed)
    }

    /// Says so to a WebSocket's server, and ends the connection.
    pub(super) fn close(mut self) {
        let _ = self.flush();
        if let Transport::WebSocket { socket, .. } = self.lines.get_mut().get_mut() {
            let _ = socket.close(None);
        }
    }
}

/// Without what is to be written: the token may be in it.
impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Transport::Tcp { .. } => "Tcp",
            Transport::WebSocket { .. } => "WebSocket",
        })
    }
}

impl Read for Transport {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            Transport::Tcp { stream, .. } => stream.read(to),
            Transport::WebSocket { socket, input } => {
                while input.is_empty() {
                    match socket.read() {
                        Ok(Message::Text(text)) => *input = line_of(text.as_bytes()),
                        Ok(Message::Binary(bytes)) => *input = line_of(&bytes),
                        Ok(Message::Close(_)) => return Ok(0),
                        Ok(_) => (),
                        Err(error) => return Err(failed(error)),
                    }
                }
                let length = input.as_slice().read(to)?;
                input.drain(..length);
                Ok(length)
            }
        }
    }
}

/// A message ends its line, even if it has no line end.
fn line_of(message: &[u8]) -> Vec<u8> {
    let mut line = message.to_vec();
    if line.last() != Some(&b'\n') {
        line.push(b'\n');
    }
    line
}

fn write(stream: &mut impl Write, output: &mut Vec<u8>) -> io::Result<()> {
    while !output.is_empty() {
        match stream.write(output) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => drop(output.drain(..written)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_blocked(result: &io::Result<()>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

fn would_block_is_fine(result: io::Result<()>) -> io::Result<()> {
    if is_blocked(&result) { Ok(()) } else { result }
}

fn failed(error: impl Into<tungstenite::Error>) -> io::Error {
    match error.into() {
        tungstenite::Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// A connection that still blocks, as a stream to control it by and one to use.
fn connect(host: &str, port: u16) -> io::Result<(TcpStream, mio::net::TcpStream)> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                // Otherwise each exchange waits 40 ms for an acknowledgement.
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                return Ok((stream.try_clone()?, mio::net::TcpStream::from_std(stream)));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}
