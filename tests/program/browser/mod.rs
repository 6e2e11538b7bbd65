//! Pages in Chromium, driven by its DevTools protocol: mouse, touch, keys and questions.
//!
//! <https://chromedevtools.github.io/devtools-protocol/>
//!
//! Crates for it were weighed in November 2026 by what they add to ours at the dev profile:
//!
//! - `headless_chrome` 1.0.22 (June 2026, MIT) adds 46 crates, of which it alone takes 146 s
//!   of processor time, and cannot read the accessibility tree of Chromium 156.
//! - `chromiumoxide` 0.9.1 (February 2026, MIT or Apache) adds 52 crates, and its 5 MB of
//!   generated source were not compiled after 46 s.
//! - `fantoccini` 0.22 and `thirtyfour` 0.38 (2026, MIT or Apache) add 42 and 51 crates, and
//!   need a driver beside the browser.

pub(crate) mod board;
mod chromium;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use chromium::Chromium;
pub(crate) use chromium::PATIENCE;

/// A page of its own, whose storage at most its siblings share.
pub(crate) struct Browser {
    chromium: Arc<Chromium>,
    context: Arc<Context>,
    session: String,
    messages: Receiver<Value>,
    /// Messages that answer nothing, in their order.
    events: Vec<Value>,
}

/// What pages have in common: storage and cache, nothing of which remains.
struct Context {
    chromium: Arc<Chromium>,
    id: String,
}

impl Drop for Context {
    fn drop(&mut self) {
        self.chromium.call("Target.disposeBrowserContext", json!({ "browserContextId": self.id }));
    }
}

impl Browser {
    /// Opens an empty page; where there is no browser, says that the test is skipped.
    pub(crate) fn start() -> Option<Self> {
        let chromium = Chromium::shared()?;
        let context = chromium.call("Target.createBrowserContext", json!({}));
        let id = context["browserContextId"].as_str().expect("a context").to_owned();
        let context = Context { chromium: Arc::clone(&chromium), id };
        Some(Self::in_context(chromium, Arc::new(context)))
    }

    /// Another page of the same user.
    pub(crate) fn sibling(&self) -> Self {
        Self::in_context(Arc::clone(&self.chromium), Arc::clone(&self.context))
    }

    fn in_context(chromium: Arc<Chromium>, context: Arc<Context>) -> Self {
        let (session, messages) = chromium.attach(&context.id);
        let mut page = Self { chromium, context, session, messages, events: Vec::new() };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        // Each page gets keys as if it were in front.
        page.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        page
    }

    /// Calls a method and returns its result.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        let number = self.chromium.send(Some(&self.session), method, parameters);
        chromium::answer(&self.messages, method, number, |event| self.events.push(event))
    }

    /// Opens an address and waits until its page is loaded, unless only the part behind `#`
    /// changes.
    pub(crate) fn open(&mut self, address: &str) {
        let before = self.events.len();
        let navigated = self.call("Page.navigate", json!({ "url": address }));
        assert!(navigated["errorText"].is_null(), "{address}: {navigated}");
        if navigated["loaderId"].is_string() {
            self.wait_for_load(before);
        }
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open_file(&mut self, file: &Path) {
        self.open(&format!("file://{}", file.display()));
    }

    /// Loads the page again.
    pub(crate) fn reload(&mut self) {
        let before = self.events.len();
        self.call("Page.reload", json!({}));
        self.wait_for_load(before);
    }

    /// Waits for a load that is reported after the first `before` events.
    fn wait_for_load(&mut self, before: usize) {
        self.wait_for_event(before, |event| event["method"] == "Page.loadEventFired");
        // Until it has painted something, a page gets no clicks.
        self.wait_until("performance.getEntriesByName('first-contentful-paint').length > 0");
    }

    /// Waits for an event after the first `before`.
    fn wait_for_event(&mut self, before: usize, is_wanted: impl Fn(&Value) -> bool) {
        while !self.events[before..].iter().any(&is_wanted) {
            let event = self.messages.recv_timeout(PATIENCE).expect("the event");
            self.events.push(event);
        }
    }

    /// Waits until the events of a method are what is wanted.
    pub(crate) fn wait_for_events(
        &mut self,
        method: &str,
        mut are_wanted: impl FnMut(&[Value]) -> bool,
    ) {
        while !are_wanted(&self.events(method)) {
            let event = self.messages.recv_timeout(PATIENCE).expect(method);
            self.events.push(event);
        }
    }

    /// What the page has reported, in order.
    pub(crate) fn events(&mut self, method: &str) -> Vec<Value> {
        self.events.extend(self.messages.try_iter());
        let events = self.events.iter().filter(|event| event["method"] == method);
        events.map(|event| event["params"].clone()).collect()
    }

    /// Runs a script in every document that the page opens, before its own.
    pub(crate) fn before_load(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// The value of an expression of JavaScript, or of what it promises.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let mut parameters = json!({ "expression": expression, "returnByValue": true });
        parameters["awaitPromise"] = true.into();
        let mut result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].take()
    }

    /// Waits until an expression of JavaScript is true; what it fails on is not there yet.
    pub(crate) fn wait_until(&mut self, expression: &str) {
        let start = Instant::now();
        loop {
            let result = self.call("Runtime.evaluate", json!({ "expression": expression }));
            if result["result"]["value"] == true {
                return;
            }
            if start.elapsed() > PATIENCE {
                panic!("{expression}: {result} in {}", self.value("document.body.innerText"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses and releases a key by its name. A capital letter takes the shift key.
    pub(crate) fn press(&mut self, key: &str) {
        const SHIFT: u32 = 8;
        let is_capital = key.len() == 1 && key.starts_with(char::is_uppercase);
        let modifiers = if is_capital { SHIFT } else { 0 };
        let mut event = json!({
            "key": key, "code": key, "windowsVirtualKeyCode": code_of(key), "modifiers": modifiers,
        });
        // Links and buttons hear the character of this key only.
        let kinds = if key == "Enter" {
            &["rawKeyDown", "char", "keyUp"][..]
        } else {
            &["rawKeyDown", "keyUp"]
        };
        for kind in kinds {
            event["type"] = (*kind).into();
            if *kind == "char" {
                event["text"] = "\r".into();
            }
            self.call("Input.dispatchKeyEvent", event.clone());
        }
    }

    /// Where an element is, `across` from its left (0) to its right (1), once it stands still.
    fn place(&mut self, selector: &str, across: f64) -> Value {
        let place = self.value(&format!(
            "(async () => {{
                const element = document.querySelector({selector:?});
                for (let before; ;) {{
                    element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
                    const {{ left, top, width, height }} = element.getBoundingClientRect();
                    const place = {{ x: left + {across} * width, y: top + height / 2 }};
                    if (place.x === before?.x && place.y === before?.y) return place;
                    before = place;
                    await new Promise(requestAnimationFrame);
                }}
            }})()"
        ));
        assert!(place.is_object(), "{selector}: {place}");
        place
    }

    /// Clicks on an element, `across` from its left (0) to its right (1).
    pub(crate) fn click_at(&mut self, selector: &str, across: f64) {
        let mut event = self.place(selector, across);
        event["button"] = "left".into();
        event["clickCount"] = 1.into();
        for kind in ["mousePressed", "mouseReleased"] {
            event["type"] = kind.into();
            self.call("Input.dispatchMouseEvent", event.clone());
        }
    }

    /// Clicks on the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5);
    }

    /// Touches the middle of an element.
    pub(crate) fn tap(&mut self, selector: &str) {
        let place = self.place(selector, 0.5);
        for (kind, points) in [("touchStart", json!([place])), ("touchEnd", json!([]))] {
            self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
        }
    }

    /// Types a text into the element that has the focus.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Makes the window so many pixels wide.
    pub(crate) fn set_width(&mut self, width: u32) {
        self.set_screen(width, false);
    }

    /// Makes the page one on a phone, 400 pixels wide, that has a touch screen.
    pub(crate) fn become_phone(&mut self) {
        self.set_screen(400, true);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    }

    fn set_screen(&mut self, width: u32, mobile: bool) {
        let metrics =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": mobile });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Shows the page as on paper.
    pub(crate) fn print_media(&mut self) {
        self.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    }

    /// Shows the page to a user with a preference: `prefers-reduced-motion: reduce`.
    pub(crate) fn prefer(&mut self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// The role, name and description of each thing that a screen reader finds.
    pub(crate) fn accessible(&mut self) -> Vec<[String; 3]> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().expect("nodes").iter();
        let seen = nodes.filter(|node| node["ignored"] != true);
        seen.map(|node| {
            ["role", "name", "description"]
                .map(|key| node[key]["value"].as_str().unwrap_or_default().to_owned())
        })
        .collect()
    }

    /// Clicks on an element and waits until what it downloads is in a directory.
    pub(crate) fn download(&mut self, selector: &str, directory: &Path) {
        let parameters = json!({ "behavior": "allow", "downloadPath": directory });
        self.call("Page.setDownloadBehavior", parameters);
        let before = self.events.len();
        self.click(selector);
        self.wait_for_event(before, |event| {
            event["method"] == "Page.downloadProgress" && event["params"]["state"] == "completed"
        });
    }

    /// Addresses that the page has asked for.
    pub(crate) fn requests(&mut self) -> Vec<String> {
        let requests = self.events("Network.requestWillBeSent");
        requests
            .iter()
            .map(|event| event["request"]["url"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Errors of the page so far: of its script, in the console, in the
    /// network, and what its policy forbade.
    pub(crate) fn errors(&mut self) -> Vec<String> {
        let mut errors = self.events("Runtime.exceptionThrown");
        errors.extend(
            self.events("Runtime.consoleAPICalled")
                .into_iter()
                .filter(|event| event["type"] == "error" || event["type"] == "assert"),
        );
        let entries = self.events("Log.entryAdded").into_iter();
        errors.extend(entries.filter(|event| event["entry"]["level"] == "error"));
        errors.iter().map(Value::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.chromium.detach(&self.session);
    }
}

/// The code of a key in Windows, which browsers report as well.
fn code_of(key: &str) -> u32 {
    match key {
        "Enter" => 13,
        "Escape" => 27,
        "End" => 35,
        "Home" => 36,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        "Tab" => 9,
        letter => letter.bytes().next().map_or(0, |byte| byte.to_ascii_uppercase().into()),
    }
}
