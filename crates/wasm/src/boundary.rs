//! The functions that JavaScript calls, and those that it supplies. Text crosses as UTF-8 in
//! buffers: JavaScript writes a message to the place that [`buffer`] returns, and reads what
//! [`send`] points at before it returns. There is one instance of this module per worker.

// `no_mangle`, which exports names to JavaScript, counts as unsafe; nothing here reads or writes
// through a pointer.
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kalah_protocol::dialect::error as error_line;
use kalah_sys::browser::{self, Browser};

use crate::requests::{PageReply, RequestHost};
use crate::worker_session::{MAX_TIME, WorkerSession};

/// The kinds of text that are neither an answer nor an error, which have the status of HTTP.
const LINE: u32 = 0;
const EVENT: u32 = 1;
const HISTORY: u32 = 2;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since the Unix epoch.
    safe fn now() -> f64;
    /// Whether the page wants the running work to stop.
    safe fn is_stopped() -> u32;
    /// Sends text to the page.
    safe fn send(kind: u32, text: *const u8, len: usize);
}

/// The message from the page, and when the work on it began.
static MESSAGE: Mutex<Message> = Mutex::new(Message { text: Vec::new(), began: Duration::ZERO });
static HOSTS: Mutex<Hosts> = Mutex::new(Hosts { session: None, requests: None });

struct Message {
    text: Vec<u8>,
    began: Duration,
}

/// What the messages use; each worker needs only one of them.
struct Hosts {
    session: Option<WorkerSession>,
    requests: Option<RequestHost>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn epoch_time() -> Duration {
    Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default()
}

fn wants_stop() -> bool {
    is_stopped() != 0 || epoch_time().saturating_sub(lock(&MESSAGE).began) >= MAX_TIME
}

/// The text that JavaScript has written into the buffer.
fn message() -> String {
    let mut message = lock(&MESSAGE);
    message.began = epoch_time();
    String::from_utf8_lossy(&std::mem::take(&mut message.text)).into_owned()
}

fn send_text(kind: u32, text: &str) {
    send(kind, text.as_ptr(), text.len());
}

fn send_reply(reply: PageReply<'_>) {
    match reply {
        PageReply::Answer(status, text) => send_text(status.into(), text),
        PageReply::Event(name, json) => send_text(EVENT, &format!("{name}\n{json}")),
        PageReply::History(line) => send_text(HISTORY, line),
    }
}

/// The place for a message of this many bytes.
#[unsafe(no_mangle)]
extern "C" fn buffer(len: usize) -> *mut u8 {
    let text = &mut lock(&MESSAGE).text;
    text.clear();
    text.resize(len, 0);
    text.as_mut_ptr()
}

/// Begins; the message is the history of puzzles that the page has kept.
#[unsafe(no_mangle)]
extern "C" fn start() {
    browser::install(Browser { now: epoch_time, wants_stop });
    lock(&HOSTS).requests = Some(RequestHost::with_history(&message()));
}

/// Serves a line of the protocol.
#[unsafe(no_mangle)]
extern "C" fn serve_line() {
    let line = message();
    let hosts = &mut *lock(&HOSTS);
    if hosts.session.is_none() {
        match WorkerSession::new() {
            Ok(session) => hosts.session = Some(session),
            Err(error) => send_text(LINE, &error_line(error)),
        }
    }
    if let Some(session) = &mut hosts.session {
        session.line(&line, &mut |answer| send_text(LINE, answer));
    }
}

/// Answers a request from the page.
#[unsafe(no_mangle)]
extern "C" fn answer_request() {
    let text = message();
    if let Some(requests) = &mut lock(&HOSTS).requests {
        requests.answer(&text, &mut send_reply);
    }
}
