//! Sessions of the protocol over WebSockets: a line is a message. Each session has an
//! engine of its own, on a thread of its own, which [`Restrictions`] bound.
//!
//! A session ends when its page closes the socket, no longer answers or does not read what
//! it is sent, when it says `quit`, and at the end of the server. Its search then stops.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::{interval, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, Error};
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::error::ApiError;
use super::pace::Pace;
use super::shared::{MAX_SESSIONS, Shared};
use crate::engine::restrictions::Restrictions;
use crate::engine::{Engine, Resources};
use crate::protocol::host::{Hangup, Host, MAX_LINE};
use crate::protocol::session::Session;
use crate::sys::machine::processors;

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Lines and batches of answers on their way between a socket and its session.
const MAX_QUEUED: usize = 16;

/// The interval between checks that the client is still there. Within it, the client must
/// answer, read what it is sent, and let the session catch up with its commands.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a page may take to read why its session ends, and to close its side. On a busy
/// machine, a page that floods the socket may need seconds to get to the reason.
const FAREWELL: Duration = Duration::from_secs(5);

fn restrictions() -> Restrictions {
    Restrictions {
        hash: 256,
        threads: u32::try_from(processors()).unwrap_or(u32::MAX),
        table_seeds: Resources::DEFAULT_TABLE_SEEDS,
        time: Duration::from_secs(600),
    }
}

/// Answers a request for a session.
pub(super) async fn open(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
) -> Result<Response, ApiError> {
    let response = create_response_with_body(&request, Body::empty)
        .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, error))?;
    let Some(upgrade) = request.extensions_mut().remove::<OnUpgrade>() else {
        return Err(ApiError::failed("this connection cannot become a WebSocket"));
    };
    tokio::spawn(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let config = WebSocketConfig::default()
            .read_buffer_size(16 << 10)
            .max_message_size(Some(MAX_LINE))
            .max_frame_size(Some(MAX_LINE));
        let upgraded = TokioIo::new(upgraded);
        let mut socket =
            WebSocketStream::from_raw_socket(upgraded, Role::Server, Some(config)).await;
        let permit = shared.admit_session().map(Arc::new);
        let end = match &permit {
            Some(permit) => serve(&mut socket, &shared, Arc::clone(permit)).await,
            None => End::refusal(
                CloseCode::Again,
                &format!("expected at most {MAX_SESSIONS} sessions at the same time, got another"),
            ),
        };
        close(&mut socket, end).await;
        drop(permit);
    });
    Ok(response)
}

/// Why a session ends.
#[derive(Debug)]
struct End {
    code: CloseCode,
    reason: String,
    /// Whether an error line precedes the close, because few clients show its reason.
    is_error: bool,
}

impl End {
    fn new(code: CloseCode, reason: &str) -> Self {
        Self { code, reason: reason.to_owned(), is_error: false }
    }

    fn refusal(code: CloseCode, reason: &str) -> Self {
        Self { is_error: true, ..Self::new(code, reason) }
    }
}

async fn close(socket: &mut Socket, end: End) {
    let End { code, reason, is_error } = end;
    let farewell = async {
        if is_error {
            let line = format!("info string error: {reason}");
            let _ = socket.feed(Message::text(line)).await;
        }
        let frame = CloseFrame { code, reason: reason.into() };
        let _ = socket.close(Some(frame)).await;
        // Closing a connection with unread data would take the last messages with it, so only
        // the server's side is shut. A page that sees this closes the other.
        let _ = socket.get_mut().shutdown().await;
        let mut unread = [0; 4096];
        while socket.get_mut().read(&mut unread).await.is_ok_and(|bytes| bytes > 0) {}
    };
    let _ = timeout(FAREWELL, farewell).await;
}

/// Serves a session until its end.
async fn serve(socket: &mut Socket, shared: &Shared, permit: Arc<OwnedSemaphorePermit>) -> End {
    let (commands, lines) = channel(MAX_QUEUED);
    let (answers, answered) = channel(MAX_QUEUED);
    let made = spawn_blocking(|| Engine::with_cached_tables(Engine::DEFAULT_HASH));
    let Ok(Ok(mut engine)) = made.await else {
        return End::refusal(CloseCode::Again, "there is no memory for another engine");
    };
    engine.set_seed(rand::random());
    let host = Host::new(Session::restricted(engine, restrictions()));
    let hangup = OnDrop(host.hangup());
    let started = thread::Builder::new().name("session".to_owned()).spawn(move || {
        think(host, lines, &answers);
        drop(permit);
    });
    if started.is_err() {
        return End::refusal(CloseCode::Again, "there is no thread for another engine");
    }
    let mut connection =
        Connection { socket, commands, held: None, is_stuck: false, is_heard: true };
    let end = tokio::select! {
        end = connection.pass(answered) => end,
        () = shared.ending.wait() => End::new(CloseCode::Away, "the server ends"),
    };
    drop(hangup);
    end
}

/// Runs a session on this thread.
fn think(host: Host, mut lines: Receiver<String>, answers: &Sender<Vec<String>>) {
    let lines = std::iter::from_fn(move || lines.blocking_recv().map(Ok));
    let ended = host.run(lines, &mut |lines| {
        answers.blocking_send(lines).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    });
    if let Err(error) = ended {
        log::debug!("a session ended: {error}");
    }
}

/// Hangs up when it is dropped: the task of a socket may be cancelled anywhere.
struct OnDrop(Hangup);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.hang_up();
    }
}

/// What a connection waits for.
enum Next {
    /// Lines that have waited for each other are due.
    Burst,
    /// The session has room for another line, or has ended.
    Room(bool),
    /// The session has answered, or has ended.
    Answer(Option<Vec<String>>),
    /// The page has sent a message, or the socket has ended.
    Message(Option<Result<Message, Error>>),
    /// It is time to check that the client is still there.
    Look,
}

/// The end of a session by itself.
fn quit<T>(_: T) -> End {
    End::new(CloseCode::Normal, "the session has ended")
}

/// The page's end of a session.
struct Connection<'a> {
    socket: &'a mut Socket,
    commands: Sender<String>,
    /// A line for which the session has no room yet. Until it has, no other is read.
    held: Option<String>,
    /// Whether it has been held since the last look.
    is_stuck: bool,
    /// Whether the page has sent anything since it was last asked.
    is_heard: bool,
}

impl Connection<'_> {
    /// Passes lines both ways until one side ends.
    async fn pass(&mut self, mut answered: Receiver<Vec<String>>) -> End {
        let mut pace = Pace::default();
        let mut look = interval(PATIENCE);
        // The first tick is at once.
        look.tick().await;
        loop {
            let due = pace.due();
            // What is due goes first: the answers of a busy engine never cease.
            let next = tokio::select! {
                biased;
                () = sleep_until(due.unwrap_or_else(Instant::now).into()), if due.is_some() => {
                    Next::Burst
                }
                room = self.commands.reserve(), if self.held.is_some() => Next::Room(room.is_ok()),
                lines = answered.recv() => Next::Answer(lines),
                message = self.socket.next(), if self.held.is_none() => Next::Message(message),
                _ = look.tick() => Next::Look,
            };
            let done = match next {
                Next::Burst => self.send(pace.burst(Instant::now())).await,
                Next::Answer(Some(lines)) => {
                    let now = Instant::now();
                    let due = lines.into_iter().flat_map(|line| pace.take(line, now)).collect();
                    self.send(due).await
                }
                Next::Room(true) => {
                    self.is_stuck = false;
                    // Nobody else sends, so there is still room.
                    self.held
                        .take()
                        .map_or(Ok(()), |line| self.commands.try_send(line).map_err(quit))
                }
                Next::Answer(None) | Next::Room(false) => Err(quit(())),
                Next::Message(message) => self.receive(message),
                Next::Look => self.look().await,
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    fn receive(&mut self, message: Option<Result<Message, Error>>) -> Result<(), End> {
        self.is_heard = true;
        match message {
            Some(Ok(Message::Text(line))) => self.held = Some(line.as_str().to_owned()),
            Some(Ok(Message::Binary(_))) => {
                let reason = "expected messages of text, got a binary one";
                return Err(End::refusal(CloseCode::Unsupported, reason));
            }
            // Pings are answered by the WebSocket library.
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => (),
            Some(Ok(Message::Close(_))) | None => {
                return Err(End::new(CloseCode::Normal, "the page has closed the socket"));
            }
            Some(Err(Error::Capacity(CapacityError::MessageTooLong { .. }))) => {
                let reason = format!("expected at most {MAX_LINE} bytes per message, got more");
                return Err(End::refusal(CloseCode::Size, &reason));
            }
            Some(Err(error)) => {
                // A reason has at most 123 bytes.
                let reason: String = error.to_string().chars().take(30).collect();
                return Err(End::new(CloseCode::Protocol, &reason));
            }
        }
        Ok(())
    }

    /// Looks whether the page is still there, and asks it to answer.
    async fn look(&mut self) -> Result<(), End> {
        if self.is_stuck {
            let reason = "expected at most 8 MiB of waiting commands, got more";
            return Err(End::refusal(CloseCode::Policy, reason));
        }
        self.is_stuck = self.held.is_some();
        if !std::mem::take(&mut self.is_heard) && !self.is_stuck {
            return Err(End::new(CloseCode::Away, "the page does not answer"));
        }
        self.write(Message::Ping(Bytes::new())).await
    }

    async fn send(&mut self, lines: Vec<String>) -> Result<(), End> {
        for line in lines {
            self.write(Message::text(line)).await?;
        }
        Ok(())
    }

    async fn write(&mut self, message: Message) -> Result<(), End> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => {
                log::debug!("a socket failed: {error}");
                Err(End::new(CloseCode::Error, "the socket failed"))
            }
            Err(_) => Err(End::new(CloseCode::Policy, "the page does not read")),
        }
    }
}
