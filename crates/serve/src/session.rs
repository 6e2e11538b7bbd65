//! Sessions of the protocol over WebSockets: a line is a message. Each session has its own
//! engine on its own thread, limited by [`Restrictions`].
//!
//! A session ends when its page closes the socket, no longer answers or does not read what it is
//! sent, when it sends `quit`, and when the server shuts down. Its search then stops.

use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use kalah_engine::Resources;
use kalah_page::ApiError;
use kalah_protocol::Restrictions;
use kalah_protocol::host::{Hangup, Host, MAX_LINE};
use kalah_protocol::session::Session;
use kalah_sys::machine::processors;

use crate::refusal::Refusal;
use crate::socket::{PageSocket, SessionEnd, WebSocket, close};
use crate::state::{MAX_SESSIONS, ServerState};

/// The maximum number of lines, and of batches of answers, queued between a socket and its
/// session.
const MAX_QUEUED: usize = 16;

/// The pause after each event of a search: 20 per second is more than anybody can read.
const GAP: Duration = Duration::from_millis(50);

/// The maximum number of bytes that wait for the client to read, in addition to a message:
/// pongs, of which a client can cause any number.
const MAX_WRITE_BUFFER: usize = 2 * MAX_LINE;

fn restrictions() -> Restrictions {
    Restrictions {
        hash: 256,
        threads: u32::try_from(processors()).unwrap_or(u32::MAX),
        table_seeds: Resources::DEFAULT_TABLE_SEEDS,
        time: Duration::from_secs(600),
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(16 << 10)
        .write_buffer_size(16 << 10)
        .max_write_buffer_size(MAX_WRITE_BUFFER)
        .max_message_size(Some(MAX_LINE))
        .max_frame_size(Some(MAX_LINE))
}

/// Answers a request for a session.
pub(crate) async fn open(
    State(state): State<Arc<ServerState>>,
    mut request: Request,
) -> Result<Response, Refusal> {
    let response = create_response_with_body(&request, Body::empty)
        .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, error))?;
    let Some(upgrade) = request.extensions_mut().remove::<OnUpgrade>() else {
        return Err(ApiError::failed("this connection cannot become a WebSocket").into());
    };
    tokio::spawn(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let upgraded = TokioIo::new(upgraded);
        let mut socket =
            WebSocketStream::from_raw_socket(upgraded, Role::Server, Some(config())).await;
        let permit = state.admit_session().map(Arc::new);
        let end = match &permit {
            Some(permit) => serve(&mut socket, &state, Arc::clone(permit)).await,
            // Refused over the socket: browsers do not tell a page the status of a refused upgrade.
            None => SessionEnd::refusal(
                CloseCode::Again,
                &format!(
                    "too many sessions (limit {MAX_SESSIONS}); close a page to use the engine here"
                ),
            ),
        };
        close(&mut socket, end).await;
        drop(permit);
    });
    Ok(response)
}

/// Serves a session until its end.
async fn serve(
    socket: &mut WebSocket,
    state: &ServerState,
    permit: Arc<OwnedSemaphorePermit>,
) -> SessionEnd {
    let (commands, lines) = channel(MAX_QUEUED);
    let (answers, answered) = channel(MAX_QUEUED);
    let Ok(mut engine) = state.engine.sibling() else {
        return SessionEnd::refusal(CloseCode::Again, "there is no memory for another engine");
    };
    // A sibling has the seed of its prototype, so all sessions would make the same choices.
    engine.set_seed(rand::random());
    let host = Host::new(Session::restricted(engine, restrictions())).with_gap(GAP);
    let hangup = HangupOnDrop(host.hangup());
    let started = thread::Builder::new().name("session".to_owned()).spawn(move || {
        // The engine's memory is freed at the end of `think`, so the session counts until then.
        think(host, lines, &answers);
        drop(permit);
    });
    if started.is_err() {
        return SessionEnd::refusal(CloseCode::Again, "there is no thread for another engine");
    }
    let end = tokio::select! {
        end = PageSocket::new(socket, commands).pass(answered) => end,
        () = state.ending.wait() => SessionEnd::new(CloseCode::Away, "the server is shutting down"),
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

/// Hangs up when it is dropped, because the task of a socket may be cancelled at any `await`.
struct HangupOnDrop(Hangup);

impl Drop for HangupOnDrop {
    fn drop(&mut self) {
        self.0.hang_up();
    }
}
