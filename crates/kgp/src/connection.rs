//! A non-blocking connection to a server over TCP or WebSocket.

use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{HandshakeError, Message, WebSocket};

use super::address::{self, Address};
use super::{poller::Poller, session::MAX_LINE};
use kalah_sys::lines::{LineError, Lines};

/// How long a server may take to accept a connection, and how long a WebSocket handshake may
/// take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// Maximum length of a WebSocket message in bytes; a message may have several lines. A longer
/// one ends the connection.
const MAX_MESSAGE: usize = 1 << 20;

/// Maximum number of bytes that wait to be written. While any are waiting, nothing is read,
/// so that a server that does not read cannot fill the memory with answers.
const MAX_BACKLOG: usize = 1 << 20;

/// An open connection that sends and receives lines over either transport.
#[derive(Debug)]
pub(super) struct ServerConnection {
    lines: Lines<BufReader<Transport>>,
    /// Whether the server has not yet accepted all of the last write.
    is_blocked: bool,
}

enum Transport {
    Tcp { stream: TcpStream, output: Vec<u8> },
    WebSocket { socket: Box<WebSocket<MaybeTlsStream<TcpStream>>>, input: Vec<u8> },
}

impl ServerConnection {
    /// Connects, and registers the connection with the poller.
    ///
    /// # Errors
    /// Network errors, and the errors of [`Poller::wait_until`].
    pub(super) fn open(address: &Address, poller: &mut Poller) -> io::Result<Self> {
        let transport = match address {
            Address::Tcp(host, port) => {
                Transport::Tcp { stream: connect(host, *port, poller)?, output: Vec::new() }
            }
            Address::WebSocket(url) => {
                let socket = Box::new(connect_web_socket(url, poller)?);
                Transport::WebSocket { socket, input: Vec::new() }
            }
        };
        let lines = Lines::new(BufReader::new(transport), MAX_LINE);
        Ok(Self { lines, is_blocked: false })
    }

    /// The next line; none at the end of the connection.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if no line has arrived yet.
    pub(super) fn line(&mut self) -> io::Result<Option<Result<String, LineError>>> {
        // The caller may not wait while lines are buffered, because these raise no event. A
        // blocked write is therefore retried here.
        if self.is_blocked {
            self.flush()?;
        }
        if self.is_blocked {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.lines.try_next()
    }

    /// Queues a line, which [`Self::flush`] writes.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        match self.lines.get_mut().get_mut() {
            Transport::Tcp { output, .. } => {
                output.extend_from_slice(line.as_bytes());
                output.extend_from_slice(b"\r\n");
                if output.len() > MAX_BACKLOG {
                    return Err(io::Error::other("the server is not reading its input"));
                }
                Ok(())
            }
            // tungstenite limits its own backlog to `max_write_buffer_size`.
            Transport::WebSocket { socket, .. } => {
                let message = Message::text(format!("{line}\r\n"));
                or_blocked(socket.write(message).map_err(failed))
            }
        }
    }

    /// Writes as much as the server accepts.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let flushed = match self.lines.get_mut().get_mut() {
            Transport::Tcp { stream, output } => write(stream, output),
            Transport::WebSocket { socket, .. } => socket.flush().map_err(failed),
        };
        self.is_blocked = is_blocked(&flushed);
        or_blocked(flushed)
    }

    /// Closes the connection; over WebSocket, with the closing handshake.
    pub(super) fn close(mut self) {
        let _ = self.flush();
        if let Transport::WebSocket { socket, .. } = self.lines.get_mut().get_mut() {
            let _ = socket.close(None);
        }
    }
}

/// Shows no data, because it may contain the token.
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

/// The bytes of a message, with a line end if it has none: each message ends its line.
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

/// A write that would block is continued later.
fn or_blocked(result: io::Result<()>) -> io::Result<()> {
    if is_blocked(&result) { Ok(()) } else { result }
}

fn failed(error: impl Into<tungstenite::Error>) -> io::Error {
    match error.into() {
        tungstenite::Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

fn connect(host: &str, port: u16, poller: &mut Poller) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in (host, port).to_socket_addrs()? {
        match connect_to(address, poller) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn connect_to(address: SocketAddr, poller: &mut Poller) -> io::Result<TcpStream> {
    let deadline = deadline();
    let mut stream = TcpStream::connect(address)?;
    poller.register(&mut stream)?;
    loop {
        if let Some(error) = stream.take_error()? {
            return Err(error);
        }
        // A non-blocking connect is complete once the socket has a peer.
        match stream.peer_addr() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::NotConnected => {
                poller.wait_until(deadline)?;
            }
            Err(error) => return Err(error),
        }
    }
    // With Nagle's algorithm, each exchange would wait 40 ms for a delayed acknowledgement.
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn connect_web_socket(
    url: &str,
    poller: &mut Poller,
) -> io::Result<WebSocket<MaybeTlsStream<TcpStream>>> {
    let request = url.into_client_request().map_err(failed)?;
    let uri = request.uri();
    let default_port = if address::is_encrypted(url) { 443 } else { 80 };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let stream = connect(host, uri.port_u16().unwrap_or(default_port), poller)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
        .max_write_buffer_size(MAX_BACKLOG);
    let deadline = deadline();
    #[cfg(feature = "tls")]
    let mut handshake = tungstenite::client_tls_with_config(request, stream, Some(config), None);
    #[cfg(not(feature = "tls"))]
    let mut handshake = tungstenite::client::client_with_config(
        request,
        MaybeTlsStream::Plain(stream),
        Some(config),
    );
    loop {
        match handshake {
            Ok((socket, _)) => return Ok(socket),
            Err(HandshakeError::Failure(error)) => return Err(failed(error)),
            Err(HandshakeError::Interrupted(begun)) => {
                poller.wait_until(deadline)?;
                handshake = begun.handshake();
            }
        }
    }
}

fn deadline() -> Instant {
    let now = Instant::now();
    now.checked_add(CONNECT_TIMEOUT).unwrap_or(now)
}
