//! One WebSocket of a session: passes its lines both ways, checks that the page is still there,
//! and ends it with a reason.

use std::time::Duration;

use futures_util::{FutureExt, SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Bytes, Message};

use kalah_protocol::host::MAX_LINE;

/// The interval between checks that the client is still there. Within it, the client must
/// answer, read what it is sent, and let the session catch up with its commands.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// How long a page may take to read why its session ends, and to close its side. One second was
/// too short: on a busy machine, a page that floods the socket reads the reason later.
const FAREWELL: Duration = Duration::from_secs(5);

pub(crate) type WebSocket = WebSocketStream<TokioIo<Upgraded>>;

/// Why a session ends.
#[derive(Debug)]
pub(crate) struct SessionEnd {
    code: CloseCode,
    reason: String,
    /// Whether an error line precedes the close, because few clients show its reason.
    is_error: bool,
}

impl SessionEnd {
    pub(crate) fn new(code: CloseCode, reason: &str) -> Self {
        Self { code, reason: reason.to_owned(), is_error: false }
    }

    /// The end of a session that did something wrong or cannot begin.
    pub(crate) fn refusal(code: CloseCode, reason: &str) -> Self {
        Self { is_error: true, ..Self::new(code, reason) }
    }

    /// The end of a session that has ended on its own.
    fn quit() -> Self {
        Self::new(CloseCode::Normal, "the session has ended")
    }
}

/// Closes a socket with the reason.
pub(crate) async fn close<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<S>,
    end: SessionEnd,
) {
    let SessionEnd { code, reason, is_error } = end;
    let farewell = async {
        if is_error {
            let line = format!("info string error: {reason}");
            let _ = socket.feed(Message::text(line)).await;
        }
        let frame = CloseFrame { code, reason: reason.into() };
        let _ = socket.close(Some(frame)).await;
        // If the page has closed the socket first, its close frame is answered by the library
        // (RFC 6455, 5.5.1), but `close` then fails before it writes that answer. Without the
        // answer, browsers report an abnormal end.
        let _ = socket.flush().await;
        // Closing a connection with unread data resets it, and the last messages would be lost.
        // So only the server's side is shut; a page that sees this closes the other.
        let _ = socket.get_mut().shutdown().await;
        let mut unread = [0; 4096];
        while socket.get_mut().read(&mut unread).await.is_ok_and(|bytes| bytes > 0) {}
    };
    let _ = timeout(FAREWELL, farewell).await;
}

/// Ticks when the page must be checked, first after [`CHECK_INTERVAL`]. After a stall (a suspended
/// laptop, a busy machine), missed ticks are not caught up: the first of two in a row would ping,
/// and the second would end the session before the answer can arrive.
fn checks() -> Interval {
    let mut checks = interval_at(Instant::now() + CHECK_INTERVAL, CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    checks
}

/// The page's end of a session.
pub(crate) struct PageSocket<'a, S = TokioIo<Upgraded>> {
    socket: &'a mut WebSocketStream<S>,
    commands: Sender<String>,
    /// A line for which the session has no room yet. Until it has, no other line is read.
    held: Option<String>,
    /// Whether it has been held since the last check.
    is_stuck: bool,
    /// Whether the page has sent anything since the last ping.
    is_heard: bool,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> PageSocket<'a, S> {
    /// The lines that the page sends become `commands`.
    pub(crate) fn new(socket: &'a mut WebSocketStream<S>, commands: Sender<String>) -> Self {
        Self { socket, commands, held: None, is_stuck: false, is_heard: true }
    }

    /// Passes lines both ways until one side ends.
    pub(crate) async fn pass(mut self, mut answered: Receiver<Vec<String>>) -> SessionEnd {
        let mut checks = checks();
        loop {
            // Events that have already arrived come before a check (`biased`), which could
            // otherwise end a session whose page has answered.
            let passed = tokio::select! {
                biased;
                _ = self.commands.reserve().map(drop), if self.held.is_some() => {
                    self.is_stuck = false;
                    // Nobody else sends lines, so the reserved room is still free.
                    match self.held.take().map(|line| self.commands.try_send(line)) {
                        Some(Ok(())) => Ok(()),
                        _ => Err(SessionEnd::quit()),
                    }
                }
                lines = answered.recv() => match lines {
                    Some(lines) => self.send(lines).await,
                    None => Err(SessionEnd::quit()),
                },
                message = self.socket.next(), if self.held.is_none() => self.receive(message),
                _ = checks.tick() => self.check().await,
            };
            if let Err(end) = passed {
                return end;
            }
        }
    }

    fn receive(&mut self, message: Option<Result<Message, Error>>) -> Result<(), SessionEnd> {
        self.is_heard = true;
        match message {
            Some(Ok(Message::Text(line))) => self.held = Some(line.as_str().to_owned()),
            Some(Ok(Message::Binary(_))) => {
                let reason = "expected text messages, got a binary one";
                return Err(SessionEnd::refusal(CloseCode::Unsupported, reason));
            }
            // Pings are answered by the WebSocket library.
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => (),
            Some(Ok(Message::Close(_))) | None => {
                return Err(SessionEnd::new(CloseCode::Normal, "the page has closed the socket"));
            }
            Some(Err(Error::Capacity(CapacityError::MessageTooLong { .. }))) => {
                let reason = format!("message too long (limit {MAX_LINE} bytes)");
                return Err(SessionEnd::refusal(CloseCode::Size, &reason));
            }
            Some(Err(Error::Utf8(_))) => {
                return Err(SessionEnd::refusal(CloseCode::Invalid, "expected text in UTF-8"));
            }
            Some(Err(error)) => {
                // A reason may have 123 bytes, and a character up to 4.
                let reason: String = error.to_string().chars().take(30).collect();
                return Err(SessionEnd::new(CloseCode::Protocol, &reason));
            }
        }
        Ok(())
    }

    /// Checks whether the page is still there, and pings it.
    async fn check(&mut self) -> Result<(), SessionEnd> {
        if self.is_stuck {
            let reason = "too many waiting commands (limit 8 MiB)";
            return Err(SessionEnd::refusal(CloseCode::Policy, reason));
        }
        self.is_stuck = self.held.is_some();
        // While a line is held, nothing is read, so a missing pong does not count.
        if !std::mem::take(&mut self.is_heard) && !self.is_stuck {
            return Err(SessionEnd::new(CloseCode::Away, "the page is not responding"));
        }
        self.write(Message::Ping(Bytes::new())).await
    }

    async fn send(&mut self, lines: Vec<String>) -> Result<(), SessionEnd> {
        for line in lines {
            self.write(Message::text(line)).await?;
        }
        Ok(())
    }

    async fn write(&mut self, message: Message) -> Result<(), SessionEnd> {
        match timeout(CHECK_INTERVAL, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                log::debug!("a socket failed: {error}");
                Err(SessionEnd::new(CloseCode::Error, "the socket failed"))
            }
            Err(_) => {
                Err(SessionEnd::new(CloseCode::Policy, "the page is not reading its messages"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;
    use tokio::sync::mpsc::channel;
    use tokio::time::advance;
    use tokio_tungstenite::tungstenite::protocol::Role;

    #[tokio::test(start_paused = true)]
    async fn stalls_do_not_end_a_session() {
        let (server, client) = duplex(1 << 16);
        let mut socket = WebSocketStream::from_raw_socket(server, Role::Server, None).await;
        let mut page = WebSocketStream::from_raw_socket(client, Role::Client, None).await;
        // Reading is what answers pings.
        tokio::spawn(async move { while page.next().await.is_some_and(|read| read.is_ok()) {} });
        let (commands, _lines) = channel(1);
        let (_answers, answered) = channel(1);
        let mut session = std::pin::pin!(PageSocket::new(&mut socket, commands).pass(answered));
        for stall in [0, 12, 30] {
            advance(Duration::from_secs(stall)).await;
            let ended = timeout(3 * CHECK_INTERVAL, session.as_mut()).await;
            assert!(ended.is_err(), "after {stall} s: {ended:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_unresponsive_page_loses_its_session() {
        let (server, _client) = duplex(1 << 16);
        let mut socket = WebSocketStream::from_raw_socket(server, Role::Server, None).await;
        let (commands, _lines) = channel(1);
        let (_answers, answered) = channel(1);
        let session = PageSocket::new(&mut socket, commands).pass(answered);
        let end = timeout(3 * CHECK_INTERVAL, session).await.unwrap();
        assert_eq!((end.code, &*end.reason), (CloseCode::Away, "the page is not responding"));
    }
}
