//! The process of Chromium, which the tests that run at the same time share, and its
//! messages: JSON texts that end with a zero byte, through a pipe.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser that does not answer within this time has hung.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The running process, as long as a test uses it.
static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// Where the messages of a session go: those of the browser itself have an empty name.
type Routes = Arc<Mutex<HashMap<String, Sender<Value>>>>;

pub(super) struct Chromium {
    process: Mutex<Child>,
    /// Numbers and writes requests.
    requests: Mutex<(u64, ChildStdin)>,
    routes: Routes,
    /// Held from a request of the browser itself to its answer.
    answers: Mutex<Receiver<Value>>,
    _profile: TempDir,
}

/// A test that failed has not broken what the others share.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a browser of this machine.
fn installed() -> Option<&'static str> {
    let answers = |name: &&str| {
        let mut version = Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(answers)
}

impl Chromium {
    /// The process that other tests use, or a new one; where there is no browser, says that
    /// the test is skipped.
    pub(super) fn shared() -> Option<Arc<Self>> {
        let mut shared = lock(&SHARED);
        if let Some(running) = shared.upgrade() {
            return Some(running);
        }
        let Some(name) = installed() else {
            // The test's own stderr, which is shown though the test passes.
            let skipped = "skipped: no Chromium here; as root, .ci/run installs Debian's";
            writeln!(io::stderr(), "{skipped}").expect("stderr");
            return None;
        };
        let started = Arc::new(Self::start(name));
        *shared = Arc::downgrade(&started);
        Some(started)
    }

    fn start(name: &str) -> Self {
        let profile = tempfile::tempdir().expect("a directory");
        // The browser reads requests from descriptor 3 and answers on descriptor 4. No page
        // is slowed down because another one is in front.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#, name])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .args(["--disable-background-timer-throttling", "--disable-renderer-backgrounding"])
            .args(["--no-first-run", "--disable-component-update", "--disable-sync"])
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
                // The last messages of a page that was closed have no receiver.
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

    /// Sends a request of a session, or without one of the browser itself, and returns its
    /// number, which the answer bears.
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

    /// Opens a page in a context and returns its session and what arrives for it.
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

/// The result that answers a request; other messages go elsewhere.
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
        // Processes of a browser that is killed would still write into the profile. It may
        // have ended already.
        let mut requests = lock(&self.requests);
        let _ = write!(requests.1, "{}\0", json!({ "id": 0, "method": "Browser.close" }));
        let _ = lock(&self.process).wait();
    }
}
