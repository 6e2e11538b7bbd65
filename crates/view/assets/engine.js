// A client of the engine: the protocol of protocol.md over a WebSocket, one line per message.
// One search runs at a time. After losing the connection, the client reconnects and restarts the
// search that was running, with its options and its position.
import { complain, forgiveAll, isReached } from "./page.js";
import { openSession } from "./transport.js";

/** The pauses between attempts to connect, in milliseconds. */
const FIRST_PAUSE = 250, MAX_PAUSE = 5000;
/** Milliseconds between two checks whether the engine is still needed, and after which a visible
 * page no longer needs it. A server has only a few. */
const CHECK = 30_000, IDLE = 300_000;
/** The code with which the server closes a session that it cannot serve at the moment. */
const TRY_AGAIN = 1013;

/** The words of a line, looked up by the word before them. */
class Words {
  #words;

  constructor(line) {
    this.#words = line.trim().split(/\s+/);
  }

  /** The word after `word`. */
  after(word) {
    return this.#words[this.#words.indexOf(word) + 1 || this.#words.length];
  }

  number(word) {
    const value = Number(this.after(word));
    return Number.isNaN(value) ? undefined : value;
  }

  has(word) {
    return this.#words.includes(word);
  }

  /** All words after `word`, up to `end`. */
  rest(word, end) {
    const from = this.#words.indexOf(word);
    if (from < 0) return [];
    const words = this.#words.slice(from + 1);
    const to = words.indexOf(end);
    return to < 0 ? words : words.slice(0, to);
  }
}

const NUMBERS = ["depth", "seldepth", "nodes", "nps", "hashfull", "tbhits", "time"];

/** A line `info … score …`: margins in seeds from the point of view of the side to move. */
function readInfo(line) {
  const words = new Words(line);
  const info = Object.fromEntries(NUMBERS.map((name) => [name, words.number(name)]));
  const bound = ["lowerbound", "upperbound"].find((name) => words.has(name));
  return {
    ...info, rank: words.number("multipv") ?? 1, margin: words.number("cp") / 100, bound,
    pv: words.rest("pv"),
  };
}

/** An introduced option: its name, type, default, choices, minimum and maximum. */
function readOption(line) {
  const words = new Words(line);
  const [, values] = line.split(" default ");
  const choices = values?.split(" var ") ?? [];
  return [words.rest("name", "type").join(" "), {
    type: words.after("type"),
    value: choices[0]?.replace(/ min .*/, "").replace("<empty>", ""),
    choices: choices.slice(1), min: words.number("min"), max: words.number("max"),
  }];
}

/** A search, from the `go` to its best move. */
class Search {
  /** The latest line of each principal variation, best first. */
  lines = [];
  /** What the search found, `{ move, lines }`; undefined if it was dropped. */
  best;
  isDropped = false;
  #found;

  constructor(request) {
    this.request = request;
    this.best = new Promise((resolve) => { this.#found = resolve; });
  }

  get isOver() {
    return this.#found === undefined;
  }

  hear(info) {
    const { rank, bound, depth, nodes, nps, hashfull, time } = info;
    const before = this.lines[rank - 1];
    // A bound has only the move for which it was proved, so the last complete line is kept.
    this.lines[rank - 1] = bound && before ? { ...before, depth, nodes, nps, hashfull, time } : info;
    if (!this.isDropped) this.request.onInfo?.(info, this.lines);
  }

  end(found) {
    this.#found?.(found);
    this.#found = undefined;
  }
}

class Engine {
  /** The options by name, once the engine has introduced them. */
  options = new Map();
  #socket;
  #isIntroduced = false;
  #isRefused = false;
  #pause = FIRST_PAUSE;
  /** The values sent for options that differ from their defaults. */
  #sent = new Map();
  /** The latest search, unless it was dropped. */
  #search;
  /** The searches for which the engine still owes a best move, oldest first. */
  #owed = [];
  #onIntroduced = [];
  /** When the engine was last asked something or answered. */
  #used = 0;
  /** Whether this page has closed the socket. */
  #isResting = false;

  constructor() {
    setInterval(() => this.#rest(), CHECK);
  }

  /** Frees an engine that this page does not need at the moment; the next search connects again. */
  #rest() {
    const isIdle = this.#isIntroduced && !this.#owed.length && (!this.#search || this.#search.isOver);
    // The page without a server has its own engine, which it keeps.
    if (!isIdle || !this.#socket.close) return;
    if (!document.hidden && performance.now() - this.#used < IDLE) return;
    this.#isResting = true;
    this.#socket.close();
  }

  /** Connects, and resolves when the engine has introduced itself. */
  introduced() {
    this.#connect();
    return this.#isIntroduced
      ? Promise.resolve(this.options)
      : new Promise((resolve) => { this.#onIntroduced.push(resolve); });
  }

  /**
   * Searches a position, replacing the running search. A request is { position, moves, options, go,
   * onInfo }: a position's text, letters of moves, values of options (the others get their
   * defaults), what follows `go`, and a function that gets each info ({ depth, margin, proved, pv, … })
   * and all lines so far.
   */
  search(request) {
    this.drop();
    const search = new Search(request);
    this.#search = search;
    this.#connect();
    if (this.#isIntroduced) this.#start(search);
    return search;
  }

  /** Ends the search; its best move is still awaited. */
  stop() {
    if (this.#owed.includes(this.#search)) this.#send("stop");
  }

  /** Ends the search and ignores its best move. */
  drop() {
    const search = this.#search;
    if (!search || search.isOver) return;
    this.stop();
    search.isDropped = true;
    search.end();
    this.#search = undefined;
  }

  #connect() {
    if (this.#socket) return;
    this.#socket = openSession();
    this.#socket.addEventListener("open", () => this.#send("uci"));
    this.#socket.addEventListener("message", ({ data }) => this.#hear(data));
    this.#socket.addEventListener("close", (closed) => this.#reconnect(closed));
  }

  #reconnect({ code, reason }) {
    this.#isIntroduced = false;
    this.#owed = [];
    this.#sent.clear();
    if (this.#isResting) {
      this.#isResting = false;
      this.#socket = undefined;
      // The engine may have been needed again before the socket was closed.
      if (this.#onIntroduced.length || (this.#search && !this.#search.isOver)) this.#connect();
      return;
    }
    // The server is running but refuses the session, for example because there are too many.
    this.#isRefused = code === TRY_AGAIN;
    isReached("the engine", this.#isRefused);
    if (this.#isRefused) complain(`The engine cannot be used at the moment: ${reason}.`);
    setTimeout(() => {
      this.#socket = undefined;
      this.#connect();
    }, this.#pause);
    this.#pause = Math.min(2 * this.#pause, MAX_PAUSE);
  }

  #send(line) {
    this.#used = performance.now();
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line);
  }

  #setUp({ options = {}, position, moves = [] }) {
    const wanted = new Map(Object.entries(options).map(([name, value]) => [name, String(value)]));
    for (const name of this.#sent.keys()) {
      if (!wanted.has(name)) this.#set(name, this.options.get(name).value);
    }
    wanted.forEach((value, name) => this.#set(name, value));
    const played = moves.length ? ` moves ${moves.join(" ")}` : "";
    this.#send(`position fen ${position}${played}`);
  }

  #set(name, value) {
    const standard = this.options.get(name)?.value;
    // A session may lack options, such as Algorithm.
    if (standard === undefined) return;
    if ((this.#sent.get(name) ?? standard) === value) return;
    this.#send(`setoption name ${name} value ${value}`);
    if (value === standard) this.#sent.delete(name);
    else this.#sent.set(name, value);
  }

  #start(search) {
    search.lines = [];
    this.#setUp(search.request);
    this.#send(`go ${search.request.go}`);
    this.#owed.push(search);
  }

  #hear(line) {
    this.#used = performance.now();
    if (line.startsWith("info ")) this.#hearInfo(line);
    else if (line.startsWith("bestmove ")) this.#hearBest(new Words(line));
    else if (line.startsWith("option ")) this.options.set(...readOption(line));
    else if (line === "uciok") this.#introduce();
  }

  #introduce() {
    this.#isIntroduced = true;
    this.#pause = FIRST_PAUSE;
    isReached("the engine", true);
    if (this.#isRefused) forgiveAll();
    this.#isRefused = false;
    this.#onIntroduced.splice(0).forEach((resolve) => resolve(this.options));
    if (this.#search && !this.#search.isOver) this.#start(this.#search);
  }

  #hearInfo(line) {
    const error = /^info string error: (.*)/.exec(line);
    const proved = /^info string proved (?:([<>]=) )?(\S+)/.exec(line);
    const [search] = this.#owed;
    // When a refused session closes, it repeats its error as the reason, which is shown then.
    if (error && this.#isIntroduced) complain(`The engine reports: ${error[1]}`);
    else if (proved && search?.latest) {
      search.latest.proved = { margin: Number(proved[2]), bound: proved[1] };
      search.hear(search.latest);
    } else if (search && line.includes(" score ")) {
      search.latest = readInfo(line);
      search.hear(search.latest);
    }
  }

  #hearBest(words) {
    const search = this.#owed.shift();
    if (!search || search.isDropped) return;
    search.end({ move: words.after("bestmove"), lines: search.lines });
  }
}

/** The engine of the page; it connects when it is first used. */
export const engine = new Engine();
