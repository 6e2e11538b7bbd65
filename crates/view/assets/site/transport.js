// How the page reaches what answers it, without a server: workers of this browser run the engine,
// and the browser's storage keeps games and answers to puzzles. The module of the same name for a
// page with a server has the same functions.

/** Whether the algorithms of the lab can play. */
export const hasAlgorithms = false;

/** Requests that search, and so would hold up the others. */
const SLOW = /^(hint|judge)$/;
/** Milliseconds after which a worker that has not stopped is replaced. A busy machine may need
 * seconds before the work even begins. */
const STOP_TIMEOUT = 60_000;
/** Where the browser keeps the history of puzzles (lines), the settings, and each saved game. */
const HISTORY = "kalah.puzzles", SETTINGS = "kalah.settings", SAVED = "kalah.saved.";
/** The kinds of a worker's messages; others are answers with an HTTP status. */
const LINE = 0, EVENT = 1;

const at = (name) => new URL(name, import.meta.url);

async function compile() {
  const answer = await fetch(at("engine.wasm.gz"));
  if (!answer.ok) throw new Error(`The engine cannot be loaded: ${answer.status}.`);
  let bytes = await answer.arrayBuffer();
  // A server that declares this encoding has made the browser undo it.
  if (new Uint8Array(bytes)[0] === 0x1f) {
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = await new Response(unpacked).arrayBuffer();
  }
  module = await WebAssembly.compile(bytes);
}

/** The compiled engine, once it is loaded. */
let module, loading;

/** Loads the engine; a failure is not kept. */
function load() {
  loading ??= compile().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** A worker, and the messages that it has not finished. */
class Runner {
  #worker;
  #jobs = new Map();
  #count = 0;
  #onFailure;

  /** `onFailure` is called when the worker has failed; the next message starts a new one. */
  constructor(onFailure) {
    this.#onFailure = onFailure;
  }

  /** Sends a message, once the engine is loaded. `hear` gets the kind and the text of answers. */
  run(call, text, hear) {
    if (!this.#worker) this.#start();
    this.#count += 1;
    const id = this.#count;
    const token = URL.createObjectURL(new Blob());
    this.#jobs.set(id, { hear, token });
    this.#worker.postMessage({ id, call, text, token });
    return id;
  }

  /** Stops the work on a message; its answer is still awaited. */
  stop(id) {
    const job = this.#jobs.get(id);
    if (!job) return;
    URL.revokeObjectURL(job.token);
    job.timeout = setTimeout(() => this.#fail("The engine does not stop."), STOP_TIMEOUT);
  }

  isRunning(id) {
    return this.#jobs.has(id);
  }

  end() {
    this.#worker?.terminate();
    this.#worker = undefined;
    [...this.#jobs.keys()].forEach((id) => this.#forget(id));
  }

  #start() {
    this.#worker = new Worker(at("worker.js"));
    this.#worker.postMessage({ module, history: kept(HISTORY) ?? "" });
    this.#worker.addEventListener("message", ({ data: { id, kind, text, isDone } }) => {
      if (isDone) this.#forget(id);
      else this.#jobs.get(id)?.hear(kind, text);
    });
    this.#worker.addEventListener("error", ({ message }) => this.#fail(message));
  }

  #forget(id) {
    const { token, timeout } = this.#jobs.get(id);
    clearTimeout(timeout);
    URL.revokeObjectURL(token);
    this.#jobs.delete(id);
  }

  /** A deep recursion may have exhausted the stack, for example. */
  #fail(reason) {
    const jobs = [...this.#jobs.values()];
    this.end();
    jobs.forEach(({ hear }) => hear(500, JSON.stringify({ error: reason })));
    this.#onFailure?.(reason);
  }
}

const quick = new Runner(), slow = new Runner();

/** Answers built into the site, because the page needs them before the engine is loaded. */
const early = fetch(at("early.json")).then((answer) => answer.json()).catch(() => ({ answers: {} }));

/** Asks a worker; `onEvent` gets events. */
async function ask(runner, text, signal, onEvent) {
  await load();
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const id = runner.run("answer_request", text, (kind, answer) => {
      if (kind === EVENT) onEvent(...answer.split(/\n(.*)/s));
      else if (kind >= 200) resolve({ status: kind, text: answer });
      else keepHistory(answer);
    });
    signal?.addEventListener("abort", () => {
      runner.stop(id);
      reject(signal.reason);
    });
  });
}

/** Sends a request; resolves to the `status` and the `text` of the answer. */
export async function send(method, path, body, signal) {
  const [name] = path.split(/[/?]/);
  if (name === "saved") return saved(method, path, body, signal);
  if (name === "play") return play(body, signal);
  if (name === "settings") return settings(body);
  if (name === "files" || name === "matches") return { status: 200, text: `{"${name}":[]}` };
  const text = `${method} /api/${path}\n${body ?? ""}`;
  if (!module) {
    const { date, answers } = await early;
    const now = `${new Date().toISOString().slice(0, 19)}Z`;
    if (answers[text]) return { status: 200, text: answers[text].replaceAll(date, now) };
  }
  return ask(SLOW.test(name) ? slow : quick, text, signal);
}

/** A session of the protocol, with the interface of a WebSocket. */
class Session extends EventTarget {
  readyState = WebSocket.CONNECTING;
  #runner = new Runner((reason) => this.#close(reason));
  /** The messages that search, oldest first, without those that were stopped. */
  #searches = [];

  constructor() {
    super();
    load().then(() => {
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    }, ({ message }) => this.#close(message));
  }

  send(line) {
    this.#searches = this.#searches.filter((id) => this.#runner.isRunning(id));
    if (line === "stop" && this.#searches.length) this.#runner.stop(this.#searches.shift());
    const id = this.#runner.run("serve_line", line, (kind, data) => {
      if (kind === LINE) this.dispatchEvent(new MessageEvent("message", { data }));
    });
    if (/^(go|bench)\b/.test(line)) this.#searches.push(id);
  }

  #close(reason) {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new CloseEvent("close", { code: 1011, reason }));
  }
}

export const openSession = () => new Session();

/** The events of a request, with the interface of an EventSource. They have their own worker. */
class Events extends EventTarget {
  #runner = new Runner();
  #closing = new AbortController();

  constructor(path) {
    super();
    const hear = (name, data) => this.dispatchEvent(new MessageEvent(name, { data }));
    const asked = ask(this.#runner, `GET /api/${path}\n`, this.#closing.signal, hear);
    asked.catch(() => undefined).then(() => {
      this.dispatchEvent(new Event("error"));
      this.close();
    });
  }

  close() {
    this.#closing.abort();
    this.#runner.end();
  }
}

export const openEvents = (path) => new Events(path);

// The browser's storage.

function keepHistory(line) {
  store(HISTORY, `${kept(HISTORY) ?? ""}${line}\n`);
}

/** What the browser keeps; private windows of some browsers keep nothing. */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether there was room. */
function store(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

const refusal = (status, error) => ({ status, text: JSON.stringify({ error }) });
const FULL = refusal(507, "the storage of this browser is full");
const CHANGED = refusal(409, "the game was changed on a different page");

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Applies a JSON merge patch (RFC 7396). */
function merged(value, patch) {
  if (!isObject(patch)) return patch;
  const fields = { ...(isObject(value) ? value : {}) };
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete fields[name];
    else fields[name] = merged(fields[name], change);
  }
  return fields;
}

/** Answers with the settings, after applying a patch. */
function settings(patch) {
  const old = JSON.parse(kept(SETTINGS) ?? "{}");
  const text = JSON.stringify(patch ? merged(old, JSON.parse(patch)) : old);
  if (patch && !store(SETTINGS, text)) return FULL;
  return { status: 200, text };
}

/** Answers requests about saved games; each is kept as { record, version, listed }. */
async function saved(method, path, body, signal) {
  const [place, query] = path.split("?");
  if (place === "saved" && method === "GET") return list();
  const name = place === "saved" ? newName() : decodeURIComponent(place.slice("saved/".length));
  if (method === "GET") {
    const old = JSON.parse(kept(SAVED + name));
    if (!old) return refusal(404, `there is no saved game '${name}'`);
    const { status, text } = await send("POST", "game", old.record, signal);
    const { version } = old;
    return { status, text: status === 200 ? JSON.stringify({ ...JSON.parse(text), version }) : text };
  }
  const { status, text } = await send("POST", "listed", body, signal);
  if (status !== 200) return { status, text };
  // Nothing waits between this check and the save: a different tab could save in the meantime.
  const seen = new URLSearchParams(query).get("seen");
  const old = JSON.parse(kept(SAVED + name));
  if (old && old.version !== seen && old.record !== body) return CHANGED;
  const version = crypto.randomUUID();
  const entry = { record: body, version, listed: { ...JSON.parse(text), name } };
  if (!store(SAVED + name, JSON.stringify(entry))) return FULL;
  return { status: 200, text: JSON.stringify({ name, version }) };
}

/** Answers a request about a game in play, which may be kept under a name. */
async function play(body, signal) {
  const { name, seen, ...asked } = JSON.parse(body);
  const old = name && JSON.parse(kept(SAVED + name));
  if (name && !asked.record) {
    if (!old) return refusal(404, `there is no saved game '${name}'`);
    if (asked.intent && old.version !== seen) {
      if (asked.intent !== "reply") return CHANGED;
      // The engine has already moved, in a different tab: the game is only shown.
      asked.intent = undefined;
    }
    asked.record = JSON.parse(old.record);
  }
  const answer = await ask(slow, `POST /api/play\n${JSON.stringify(asked)}`, signal);
  if (!name || answer.status !== 200) return answer;
  const shown = JSON.parse(answer.text);
  let place = { name, version: old?.version };
  if (asked.intent) {
    const path = `saved/${encodeURIComponent(name)}${seen ? `?seen=${seen}` : ""}`;
    const { status, text } = await saved("PUT", path, JSON.stringify(shown.saved));
    if (status === CHANGED.status) return asked.intent === "reply" ? play(JSON.stringify({ name }), signal) : CHANGED;
    place = status === 200 ? JSON.parse(text) : { name: null, version: null, fault: JSON.parse(text).error };
  }
  return { status: 200, text: JSON.stringify({ ...shown, ...place }) };
}

const newName = () => `${new Date().toISOString().slice(0, 19).replaceAll(":", "")}Z-${crypto.randomUUID().slice(0, 8)}.kgn`;

/** The saved games, latest first: their names begin with the time. */
function list() {
  let keys = [];
  try {
    keys = Object.keys(localStorage).filter((key) => key.startsWith(SAVED)).sort().reverse();
  } catch {
    // See `kept`.
  }
  const games = keys.map((key) => JSON.parse(kept(key)).listed);
  return { status: 200, text: JSON.stringify({ games, damaged: [] }) };
}

// There are no matches to watch here.
document.querySelector("nav [data-view=watch]")?.remove();
// The page has all files by then, so the service worker need not load them a second time.
load().catch(() => undefined).then(() => navigator.serviceWorker?.register(at("../sw.js")));
