//! The Chromium process, which concurrent tests share, and its messages: JSON texts over a
//! pipe, each terminated by a zero byte.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use once_cell::sync::Lazy;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser that does not answer within this time has hung.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The running process, while any test uses it.
static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// The receivers of messages by session; the browser itself has an empty session name.
type Routes = Arc<Mutex<HashMap<String, Sender<Value>>>>;

pub(super) struct Chromium {
    process: Mutex<Child>,
    /// Numbers and writes requests.
    requests: Mutex<(u64, ChildStdin)>,
    routes: Routes,
    /// Locked from a request to the browser itself until its answer.
    answers: Mutex<Receiver<Value>>,
    _profile: TempDir,
}

/// Ignores poisoning: a failed test has not damaged the shared state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a browser that is installed on this machine.
static INSTALLED: Lazy<&str> = Lazy::new(|| {
    let answers = |name: &&str| {
        let mut version = Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    // The names in `build.rs`. The headless shell takes 40 % less processor time than the browser.
    let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(answers).expect("Chromium is installed")
});

impl Chromium {
    /// The process that other tests use, or a new one.
    pub(super) fn shared() -> Arc<Self> {
        let mut shared = lock(&SHARED);
        if let Some(running) = shared.upgrade() {
            return running;
        }
        let started = Arc::new(Self::start(&INSTALLED));
        *shared = Arc::downgrade(&started);
        started
    }

    fn start(name: &str) -> Self {
        let profile = tempfile::tempdir().expect("a directory");
        // The browser reads requests from descriptor 3 and answers on descriptor 4. Pages in
        // the background are not throttled.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#, name])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .args(["--disable-background-timer-throttling", "--disable-renderer-backgrounding"])
            .args(["--no-first-run", "--disable-component-update", "--disable-sync"])
            // Without a process of its own, drawing takes a twentieth less processor time.
            .arg("--in-process-gpu")
            .arg("--renderer-process-limit=2")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh starts");
        let requests = process.stdin.take().expect("a pipe");
        let messages = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, answers) = mpsc::channel();
        let routes: Routes = Arc::new(Mutex::new([(String::new(), sender)].into()));
        let delivered = Arc::clone(&routes);
        std::thread::spawn(move || {
            for message in messages.split(0).map_while(Result::ok) {
                let message: Value = serde_json::from_slice(&message).expect("JSON");
                let session = message["sessionId"].as_str().unwrap_or_default();
                // The last messages of a closed page have no receiver.
                if let Some(route) = lock(&delivered).get(session) {
                    let _ = route.send(message);
                }
            }
            lock(&delivered).clear();
        });
        Self {
            process: Mutex::new(process),
            requests: Mutex::new((0, requests)),
            routes,
            answers: Mutex::new(answers),
            _profile: profile,
        }
    }

    /// Sends a request to a session, or to the browser itself if there is none. Returns the
    /// number of the request, which its answer repeats.
    pub(super) fn send(&self, session: Option<&str>, method: &str, parameters: Value) -> u64 {
        let mut requests = lock(&self.requests);
        let (number, pipe) = &mut *requests;
        *number += 1;
        let mut request = json!({ "id": *number, "method": method, "params": parameters });
        if let Some(session) = session {
            request["sessionId"] = session.into();
        }
        write!(pipe, "{request}\0").expect("the browser listens");
        *number
    }

    /// Calls a method of the browser itself.
    pub(super) fn call(&self, method: &str, parameters: Value) -> Value {
        let answers = lock(&self.answers);
        let number = self.send(None, method, parameters);
        answer(&answers, method, number, |_| ())
    }

    /// Opens a page in a context and returns its session and the receiver of its messages.
    pub(super) fn attach(&self, context: &str) -> (String, Receiver<Value>) {
        let place = json!({ "url": "about:blank", "browserContextId": context });
        let target = &self.call("Target.createTarget", place)["targetId"];
        let attached =
            self.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        let (sender, messages) = mpsc::channel();
        lock(&self.routes).insert(session.clone(), sender);
        (session, messages)
    }

    pub(super) fn detach(&self, session: &str) {
        lock(&self.routes).remove(session);
    }
}

/// The result of a request; other messages are passed on.
pub(super) fn answer(
    messages: &Receiver<Value>,
    method: &str,
    number: u64,
    mut elsewhere: impl FnMut(Value),
) -> Value {
    loop {
        let mut message = messages.recv_timeout(PATIENCE).expect(method);
        if message["id"] == number {
            assert!(message["error"].is_null(), "{method}: {message}");
            return message["result"].take();
        }
        elsewhere(message);
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The child processes of a killed browser would still write into the profile. The
        // browser may have exited already.
        let mut requests = lock(&self.requests);
        let _ = write!(requests.1, "{}\0", json!({ "id": 0, "method": "Browser.close" }));
        let _ = lock(&self.process).wait();
    }
}
