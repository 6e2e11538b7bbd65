//! Pages in Chromium, driven by its DevTools protocol: mouse, touch, keys and queries.
//!
//! <https://chromedevtools.github.io/devtools-protocol/>
//!
//! In November 2026, crates for this protocol were compared by what they add to the
//! dependencies at the dev profile:
//!
//! - `headless_chrome` 1.0.22 (June 2026, MIT) adds 46 crates. It alone takes 146 s of
//!   processor time to compile, and it cannot read the accessibility tree of Chromium 156.
//! - `chromiumoxide` 0.9.1 (February 2026, MIT or Apache) adds 52 crates, and compiling its
//!   5 MB of generated source had not finished after 46 s.
//! - `fantoccini` 0.22 and `thirtyfour` 0.38 (2026, MIT or Apache) add 42 and 51 crates, and
//!   need a driver as well as the browser.

pub(crate) mod board;
mod chromium;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use chromium::Chromium;
pub(crate) use chromium::PATIENCE;

/// A page with storage of its own, shared only with its [siblings](Browser::sibling).
pub(crate) struct Browser {
    chromium: Arc<Chromium>,
    context: Arc<Context>,
    session: String,
    messages: Receiver<Value>,
    /// Messages that are not answers, in order of arrival.
    events: Vec<Value>,
}

/// The storage and cache that pages share; deleted afterwards.
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
    /// Opens an empty page.
    pub(crate) fn start() -> Self {
        let chromium = Chromium::shared();
        let context = chromium.call("Target.createBrowserContext", json!({}));
        let id = context["browserContextId"].as_str().expect("a context").to_owned();
        let context = Context { chromium: Arc::clone(&chromium), id };
        Self::in_context(chromium, Arc::new(context))
    }

    /// A second page of the same user.
    pub(crate) fn sibling(&self) -> Self {
        Self::in_context(Arc::clone(&self.chromium), Arc::clone(&self.context))
    }

    fn in_context(chromium: Arc<Chromium>, context: Arc<Context>) -> Self {
        let (session, messages) = chromium.attach(&context.id);
        let mut page = Self { chromium, context, session, messages, events: Vec::new() };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        // Every page receives keys as if it had the focus.
        page.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        page
    }

    /// Calls a method and returns its result.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        let number = self.chromium.send(Some(&self.session), method, parameters);
        chromium::answer(&self.messages, method, number, |event| self.events.push(event))
    }

    /// Opens an address and waits until its page is loaded, unless only the part after `#`
    /// changes.
    pub(crate) fn open(&mut self, address: &str) {
        let before = self.events.len();
        let navigated = self.call("Page.navigate", json!({ "url": address }));
        assert!(navigated["errorText"].is_null(), "{address}: {navigated}");
        if navigated["loaderId"].is_string() {
            self.wait_for_load(before);
        }
    }

    /// The web manifest of the page: its `url`, its text (`data`), and the browser's `errors`.
    pub(crate) fn manifest(&mut self) -> Value {
        self.call("Page.getAppManifest", json!({}))
    }

    /// The reasons for which the browser would not install the page.
    pub(crate) fn installability_errors(&mut self) -> Value {
        self.call("Page.getInstallabilityErrors", json!({}))["installabilityErrors"].clone()
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open_file(&mut self, file: &Path) {
        self.open(&format!("file://{}", file.display()));
    }

    /// Reloads the page.
    pub(crate) fn reload(&mut self) {
        let before = self.events.len();
        self.call("Page.reload", json!({}));
        self.wait_for_load(before);
    }

    /// Waits for a load that is reported after the first `before` events.
    fn wait_for_load(&mut self, before: usize) {
        self.wait_for_event(before, |event| event["method"] == "Page.loadEventFired");
        // A page receives no clicks before its first paint.
        self.wait_until("performance.getEntriesByName('first-contentful-paint').length > 0");
    }

    /// Waits for an event after the first `before`.
    fn wait_for_event(&mut self, before: usize, is_wanted: impl Fn(&Value) -> bool) {
        while !self.events[before..].iter().any(&is_wanted) {
            let event = self.messages.recv_timeout(PATIENCE).expect("the event");
            self.events.push(event);
        }
    }

    /// Waits until the events of a method satisfy a condition.
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

    /// The page's reports, in order.
    pub(crate) fn events(&mut self, method: &str) -> Vec<Value> {
        self.events.extend(self.messages.try_iter());
        let events = self.events.iter().filter(|event| event["method"] == method);
        events.map(|event| event["params"].clone()).collect()
    }

    /// Runs a script in every document that the page opens, before the document's own scripts.
    pub(crate) fn before_load(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// The value of a JavaScript expression; promises are awaited.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let mut parameters = json!({ "expression": expression, "returnByValue": true });
        parameters["awaitPromise"] = true.into();
        let mut result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].take()
    }

    /// Waits until a JavaScript expression is true. An exception means that an element does
    /// not exist yet.
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

    /// Presses and releases a key by its name. A capital letter also presses the shift key.
    pub(crate) fn press(&mut self, key: &str) {
        self.press_at(key, key);
    }

    /// Presses the key in a place of the keyboard, such as `KeyB`, that types `key`.
    pub(crate) fn press_at(&mut self, key: &str, code: &str) {
        const SHIFT: u32 = 8;
        let is_capital = key.len() == 1 && key.starts_with(char::is_uppercase);
        let modifiers = if is_capital { SHIFT } else { 0 };
        let mut event = json!({
            "key": key, "code": code, "windowsVirtualKeyCode": code_of(key), "modifiers": modifiers,
        });
        // For this key only, links and buttons react to the character.
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

    /// A point of an element, `across` from its left (0) to its right (1), once the element
    /// has stopped moving. Until [`Browser::has_hit`], presses that reach another element have no
    /// effect.
    fn place(&mut self, selector: &str, across: f64) -> Value {
        let place = self.value(&format!(
            "(async () => {{
                const element = document.querySelector({selector:?});
                let before;
                for (;;) {{
                    element.scrollIntoView({{ block: 'center', behavior: 'instant' }});
                    const {{ left, top, width, height }} = element.getBoundingClientRect();
                    const place = {{ x: left + {across} * width, y: top + height / 2 }};
                    if (place.x === before?.x && place.y === before?.y) break;
                    before = place;
                    await new Promise(requestAnimationFrame);
                }}
                let missed = false;
                const guard = event => {{
                    const {{ target }} = event;
                    if (target.closest?.({selector:?}) || target.contains(element)
                        || target.closest?.('label')?.control === element) return;
                    missed = true;
                    event.preventDefault();
                    event.stopImmediatePropagation();
                }};
                const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
                kinds.forEach(kind => addEventListener(kind, guard, true));
                window.hasHit = () => {{
                    kinds.forEach(kind => removeEventListener(kind, guard, true));
                    return !missed;
                }};
                return before;
            }})()"
        ));
        assert!(place.is_object(), "{selector}: {place}");
        place
    }

    /// Whether the press at the last [`Browser::place`] reached its element. On a busy machine, the
    /// page may have moved it in the meantime. A page that a press has opened has recorded no miss.
    fn has_hit(&mut self) -> bool {
        self.value("window.hasHit?.() ?? true") == true
    }

    /// Clicks on an element, `across` from its left (0) to its right (1).
    pub(crate) fn click_at(&mut self, selector: &str, across: f64) {
        let start = Instant::now();
        loop {
            let mut event = self.place(selector, across);
            event["button"] = "left".into();
            event["clickCount"] = 1.into();
            for kind in ["mousePressed", "mouseReleased"] {
                event["type"] = kind.into();
                self.call("Input.dispatchMouseEvent", event.clone());
            }
            if self.has_hit() {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{selector} is never hit");
        }
    }

    /// Clicks on the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5);
    }

    /// Touches the middle of an element.
    pub(crate) fn tap(&mut self, selector: &str) {
        let start = Instant::now();
        loop {
            let place = self.place(selector, 0.5);
            for (kind, points) in [("touchStart", json!([place])), ("touchEnd", json!([]))] {
                let touch = json!({ "type": kind, "touchPoints": points });
                self.call("Input.dispatchTouchEvent", touch);
            }
            if self.has_hit() {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{selector} is never hit");
        }
    }

    /// Types a text into the element that has the focus.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Sets the width of the window in pixels.
    pub(crate) fn set_width(&mut self, width: u32) {
        self.set_screen(width, 900, false);
    }

    /// Emulates a device with a touch screen of this width in pixels.
    pub(crate) fn become_phone(&mut self, width: u32) {
        self.set_screen(width, 900, true);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    }

    /// Sets the size of the window in pixels.
    pub(crate) fn set_window(&mut self, width: u32, height: u32) {
        self.set_screen(width, height, false);
    }

    fn set_screen(&mut self, width: u32, height: u32, mobile: bool) {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Runs no script of the pages that are opened from now on.
    pub(crate) fn disable_scripts(&mut self) {
        self.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    }

    /// Emulates the print layout.
    pub(crate) fn print_media(&mut self) {
        self.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    }

    /// Emulates a user preference, for example `prefers-reduced-motion: reduce`.
    pub(crate) fn prefer(&mut self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// The role, name and description of each element that a screen reader finds.
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

    /// Clicks on an element and waits until its download is in a directory.
    pub(crate) fn download(&mut self, selector: &str, directory: &Path) {
        let parameters = json!({ "behavior": "allow", "downloadPath": directory });
        self.call("Page.setDownloadBehavior", parameters);
        let before = self.events.len();
        self.click(selector);
        self.wait_for_event(before, |event| {
            event["method"] == "Page.downloadProgress" && event["params"]["state"] == "completed"
        });
    }

    /// Addresses that the page has requested.
    pub(crate) fn requests(&mut self) -> Vec<String> {
        let requests = self.events("Network.requestWillBeSent");
        requests
            .iter()
            .map(|event| event["request"]["url"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Errors on the page so far: from its scripts, the console and the network, and violations
    /// of its content security policy.
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

/// The Windows key code, which browsers also report.
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
