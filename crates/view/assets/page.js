// What the views share: error messages, whether the server responds, and the styles of individual
// views.
import { element } from "./board.js";

const at = (id) => document.getElementById(id);

/** Shows a sentence until the reader closes it or another view is opened. */
export function complain(sentence) {
  at("complaint-text").textContent = sentence;
  at("complaint").hidden = false;
}

export function forgiveAll() {
  at("complaint").hidden = true;
}

/** The parts of the server that do not answer at the moment. */
const missing = new Set();

/** Shows on the page that a part of the server does not answer, until it does. */
export function isReached(part, isThere) {
  if (isThere) missing.delete(part);
  else missing.add(part);
  const isOffline = missing.size > 0;
  const words = isOffline ? "The server is not responding. Nothing is lost: the page keeps trying." : "";
  // Closed by the reader, it stays closed until the server has answered.
  if (at("offline-text").textContent === words) return;
  at("offline-text").textContent = words;
  at("offline").hidden = !isOffline;
}

/**
 * Stores the place of a view in the address and the history, unless it is there already: browsers
 * drop a navigation that the reader starts at the same time.
 */
export function storePlace(hash, state = null) {
  if (hash === location.hash && JSON.stringify(state) === JSON.stringify(history.state)) return;
  history.replaceState(state, "", hash);
}

/** Enables a button or not. Unlike one that is `disabled`, it keeps the focus. */
export const enable = (button, isPossible) => button.setAttribute("aria-disabled", !isPossible);
export const isEnabled = (button) => button.getAttribute("aria-disabled") !== "true";

const styles = new Map();

/** Adds the style sheet of a view once; resolves when it has been loaded. */
export function style(name) {
  if (!styles.has(name)) {
    styles.set(name, new Promise((resolve) => {
      const link = element("link", { rel: "stylesheet", href: new URL(name, import.meta.url) });
      ["load", "error"].forEach((event) => link.addEventListener(event, resolve));
      document.head.append(link);
    }));
  }
  return styles.get(name);
}

const tabs = new BroadcastChannel("kalah");

/** Tells other tabs of this browser what has changed here, and with which name. */
export const tell = (what, name) => tabs.postMessage({ what, name });

/** Calls `hear` with the name whenever a different tab tells this. */
export function onTold(what, hear, signal) {
  tabs.addEventListener("message", ({ data }) => data.what === what && hear(data.name), { signal });
}

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds for a different tab to answer. */
const ANSWER = 300;

/** Whether a different tab is waiting for the engine's reply in the game of this name. */
export async function isAwaitedElsewhere(name) {
  const heard = new AbortController();
  const answered = new Promise((resolve) => onTold("awaited", (one) => one === name && resolve(true), heard.signal));
  tell("awaited?", name);
  const isAwaited = await Promise.race([answered, wait(ANSWER)]);
  heard.abort();
  return isAwaited === true;
}
