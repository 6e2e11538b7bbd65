//! Chromium, driven by its DevTools protocol: keys, clicks and questions.
//!
//! The protocol's messages go through a pipe, JSON texts that end with a zero byte:
//! <https://chromedevtools.github.io/devtools-protocol/>.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser that does not answer within this time has hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    requests: ChildStdin,
    messages: Receiver<Value>,
    number: u64,
    session: Option<String>,
    /// Messages that answer nothing, in their order.
    events: Vec<Value>,
    _profile: TempDir,
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

impl Browser {
    /// Starts a browser; where there is none, says that the test is skipped.
    pub(crate) fn start() -> Option<Self> {
        let Some(name) = installed() else {
            // The test's own stderr, which is shown though the test passes.
            let skipped = "skipped: no Chromium here; as root, .ci/run installs Debian's";
            writeln!(io::stderr(), "{skipped}").expect("stderr");
            return None;
        };
        let profile = tempfile::tempdir().expect("a directory");
        // The browser reads requests from descriptor 3 and answers on descriptor 4.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#, name])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh starts");
        let requests = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            for message in answers.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let (number, session, events) = (0, None, Vec::new());
        let mut browser =
            Self { process, requests, messages, number, session, events, _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", target);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method and returns its result.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut request = json!({ "id": self.number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            request["sessionId"] = session.as_str().into();
        }
        write!(self.requests, "{request}\0").expect("the browser listens");
        loop {
            let mut message = self.messages.recv_timeout(PATIENCE).expect(method);
            if message["id"] == self.number {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open(&mut self, file: &Path) {
        self.events.clear();
        self.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        self.wait_for_event(|event| event["method"] == "Page.loadEventFired");
    }

    fn wait_for_event(&mut self, is_wanted: impl Fn(&Value) -> bool) {
        while !self.events.iter().any(&is_wanted) {
            let event = self.messages.recv_timeout(PATIENCE).expect("the event");
            self.events.push(event);
        }
    }

    /// The value of an expression of JavaScript.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true });
        let mut result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].take()
    }

    /// Waits until an expression of JavaScript is true.
    pub(crate) fn wait_until(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(expression) != true {
            assert!(start.elapsed() < PATIENCE, "{expression} is still false");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses and releases a key, by its name and its code in Windows. A capital letter
    /// takes the shift key.
    pub(crate) fn press(&mut self, key: &str, code: u32) {
        const SHIFT: u32 = 8;
        let is_capital = key.len() == 1 && key.starts_with(char::is_uppercase);
        let modifiers = if is_capital { SHIFT } else { 0 };
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
                "modifiers": modifiers,
            });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Clicks on an element, `across` from its left (0) to its right (1).
    pub(crate) fn click_at(&mut self, selector: &str, across: f64) {
        let place = self.value(&format!(
            "(() => {{
                const element = document.querySelector({selector:?});
                element.scrollIntoView({{ block: 'center' }});
                const {{ left, top, width, height }} = element.getBoundingClientRect();
                return [left + {across} * width, top + height / 2];
            }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let (x, y) = (&place[0], &place[1]);
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Clicks on the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5);
    }

    /// Makes the window so many pixels wide.
    pub(crate) fn set_width(&mut self, width: u32) {
        let metrics =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The names that a screen reader gives to images.
    pub(crate) fn names_of_images(&mut self) -> Vec<String> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().expect("nodes").iter();
        let images = nodes.filter(|node| node["role"]["value"] == "image");
        images.map(|node| node["name"]["value"].as_str().expect("a name").to_owned()).collect()
    }

    /// Clicks on an element and waits until what it downloads is in a directory.
    pub(crate) fn download(&mut self, selector: &str, directory: &Path) {
        let parameters = json!({ "behavior": "allow", "downloadPath": directory });
        self.call("Page.setDownloadBehavior", parameters);
        self.click(selector);
        self.wait_for_event(|event| {
            event["method"] == "Page.downloadProgress" && event["params"]["state"] == "completed"
        });
    }

    /// Shows the page as on paper.
    pub(crate) fn print_media(&mut self) {
        self.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    }

    /// Addresses that were asked for since the page was opened, and errors of its
    /// script.
    pub(crate) fn requests_and_errors(&mut self) -> (Vec<String>, Vec<String>) {
        let of = |method: &str, show: &dyn Fn(&Value) -> String| {
            let events = self.events.iter().filter(|event| event["method"] == method);
            events.map(|event| show(&event["params"])).collect()
        };
        let requests = of("Network.requestWillBeSent", &|event| {
            event["request"]["url"].as_str().unwrap_or_default().to_owned()
        });
        (requests, of("Runtime.exceptionThrown", &Value::to_string))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
