// The view for watching matches while they are played: tables, charts and games. The server
// reports when a file has changed; the page then fetches what is new, and keeps the reader's
// place.
import { get, patiently, report } from "./api.js";
import { element } from "./board.js";
import * as games from "./games.js";
import { complain, storePlace, style } from "./page.js";

const HEAD = `
<h1></h1>
<nav class="row" aria-label="Matches" data-is="matches"></nav>`;

const PAGE = `${HEAD}
<p class="fault" role="alert" data-is="fault" hidden></p>
<p class="quiet" data-is="file"></p>
<div data-is="summary"></div>
<div data-is="before"></div>
<section aria-labelledby="games-heading">
<h2 id="games-heading">Games</h2>
<p data-is="none">No game has finished yet.</p>
<label data-is="following" hidden><input type="checkbox"> Show each new game when it ends</label>
<div data-is="games"></div>
<p><a class="button" data-is="analyse" hidden>Analyse this game</a></p>
</section>
<div data-is="after"></div>`;

const NO_MATCH = `
<h1>Watch a match</h1>
<p>This view shows a match between engines while it is played: the table, the charts, and every game to
step through. No match was given when the server was started.</p>
<h2>1. Begin a match</h2>
<p>This one plays the engine with 2,000 nodes per move against itself with 1,000:</p>
<pre>kalah match -o match.jsonl \\
  -e 'kalah name=new nodes=2000' \\
  -e 'kalah name=old nodes=1000' \\
  --pairs 100</pre>
<h2>2. Watch it</h2>
<p>In a second terminal; the page opens this view and updates automatically:</p>
<pre>kalah serve --open match.jsonl</pre>`;

/** Milliseconds until a refused connection is retried. */
const RETRY = 5000;
/** The maximum number of games whose lines are kept. */
const MAX_KEPT = 50;

/** Milliseconds without a change before the address names the position that is shown. */
const SETTLED = 250;

/** The match that is shown, if there is one. */
let watched;

/** A match on the page. */
class Watched {
  #root;
  #number;
  #overview;
  /** The length of the list of games, and the number of the game that is shown. */
  #listed = 0;
  #shown;
  #isReplaced = false;
  #kept = new Map();
  #events;
  #retry;
  #left = new AbortController();
  /** Whether the match is being fetched, and whether it has changed since. */
  #isBusy = false;
  #isStale = false;
  #settling;

  constructor(root, number) {
    this.#root = root;
    this.#number = number;
  }

  /** Shows the match, and a game at a move. */
  async open(template, [game, move]) {
    const { signal } = this.#left;
    this.#overview = await patiently(() => this.#get());
    this.#part("games").innerHTML = template;
    games.begin(this.#root, {
      players: this.#overview.players,
      marks: this.#overview.marks,
      count: this.#overview.scheduled,
      load: (number) => this.#load(number),
      linkOf: (number, moves) => `#/watch/${this.#number}/${number}/${moves}`,
      onShow: (link) => {
        clearTimeout(this.#settling);
        this.#settling = setTimeout(() => storePlace(link), SETTLED);
      },
      onOpen: (number) => {
        this.#shown = number;
        // A variation (12v1) is analysed together with its game (12).
        const [game] = number.split("v");
        this.#part("analyse").href = `#/analyse?match=${this.#number}&game=${game}`;
        this.#part("analyse").hidden = false;
      },
    });
    this.#draw();
    const titles = await this.#list();
    if (game) {
      await games.open(game, Number(move ?? 0));
      this.#part("games").scrollIntoView();
    }
    // The address may name no game, or one that has not ended.
    if (titles.length && !this.#shown) await games.open(titles[0].number);
    if (signal.aborted) return;
    // A hidden page must not hold one of the few connections that a browser opens per server.
    document.addEventListener("visibilitychange", () => this.#listen(), { signal });
    this.#listen();
  }

  leave() {
    this.#left.abort();
    this.#events?.close();
    clearTimeout(this.#retry);
    clearTimeout(this.#settling);
    games.end();
  }

  #part(name) {
    return this.#root.querySelector(`[data-is=${name}]`);
  }

  #get(path = "") {
    return get(`matches/${this.#number}${path}`, this.#left.signal);
  }

  async #load(number) {
    if (!this.#kept.has(number)) {
      try {
        this.#kept.set(number, (await this.#get(`/games/${encodeURIComponent(number)}`)).games);
      } catch (error) {
        report(error);
      }
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    }
    return this.#kept.get(number);
  }

  #listen() {
    this.#events?.close();
    clearTimeout(this.#retry);
    if (document.hidden || this.#left.signal.aborted) return;
    this.#events = new EventSource(`/api/matches/${this.#number}/events`);
    // The first event comes immediately, in case the file changed while there was no connection.
    this.#events.addEventListener("changed", () => this.#refresh());
    this.#events.addEventListener("error", () => {
      // After other errors, the browser reconnects automatically.
      if (this.#events.readyState !== EventSource.CLOSED) return;
      this.#retry = setTimeout(() => this.#listen(), RETRY);
    });
  }

  /** Fetches what is new; only one fetch runs at a time. */
  async #refresh() {
    this.#isStale = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.#update();
      } catch (error) {
        report(error);
      }
    }
    this.#isBusy = false;
  }

  async #update() {
    const { generation } = this.#overview;
    this.#overview = await this.#get();
    if (this.#overview.generation !== generation) {
      this.#isReplaced = true;
      this.#kept.clear();
      this.#listed = 0;
      games.forget(this.#overview);
    }
    const hadNone = this.#listed === 0;
    this.#stay(() => this.#draw());
    const titles = await this.#list();
    if (!titles.length) return;
    if (this.#part("following").querySelector("input").checked) {
      await games.open(titles.at(-1).number);
    } else if (hadNone) {
      const isSame = titles.some(({ number }) => number === this.#shown);
      if (isSame) await games.open(this.#shown, games.shownMoves());
      else await games.open(titles[0].number);
    }
  }

  /** Lists the games that have ended since the last call; returns them. */
  async #list() {
    const titles = [];
    for (;;) {
      const more = await this.#get(`/games?from=${this.#listed}`);
      // The file has been replaced in the meantime; the next event will report that.
      if (more.generation !== this.#overview.generation || !more.games.length) break;
      this.#listed += more.games.length;
      titles.push(...more.games);
      if (this.#listed >= this.#overview.finished) break;
    }
    this.#stay(() => games.add(titles));
    this.#part("none").hidden = this.#listed > 0;
    this.#part("following").hidden = !this.#listed || this.#listed >= this.#overview.scheduled;
    return titles;
  }

  #draw() {
    const { title, name, finished, fault, summary, sections } = this.#overview;
    this.#root.querySelector("h1").textContent = title;
    this.#part("file").textContent = `From the file ${name}`;
    const replaced = this.#isReplaced ? "The file was replaced. The page shows its new contents." : "";
    const text = fault ? `The match cannot be followed at the moment: ${fault}. The page shows its earlier contents.` : replaced;
    this.#part("fault").hidden = !text;
    if (this.#part("fault").textContent !== text) this.#part("fault").textContent = text;
    this.#part("summary").replaceChildren(...summary.map((line) => element("p", {}, line)));
    // The first table of a match with results is its crosstable; everything else is long.
    const first = finished > 1 ? 1 : 0;
    drawSections(this.#part("before"), sections.slice(0, first));
    drawSections(this.#part("after"), sections.slice(first));
  }

  /** Changes the page without moving the part that the reader sees. */
  #stay(change) {
    const parts = [...this.#root.querySelectorAll("h2, table, figure, #board, #moves, #games")];
    const seen = parts.find((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && !part.closest("[data-is=before], [data-is=after]");
    });
    const before = seen?.getBoundingClientRect().top;
    change();
    if (seen && scrollY > 0) scrollBy(0, seen.getBoundingClientRect().top - before);
  }
}

/** Updates sections whose HTML has changed; unfolded and scrolled parts stay as they are. */
function drawSections(root, sections) {
  const known = new Map([...root.children].map((place) => [place.dataset.heading, place]));
  const places = sections.map(({ heading, html }) => {
    const place = known.get(heading) ?? element("section", { "data-heading": heading });
    if (place.shownHtml === html) return place;
    const unfolded = new Set([...place.querySelectorAll("details[open] > summary")].map(textOf));
    const scrolled = [...place.querySelectorAll(".scroll")].map(({ scrollLeft }) => scrollLeft);
    const focused = place.contains(document.activeElement) && textOf(document.activeElement);
    // This HTML is safe: the server has escaped every text in the file, and the content security
    // policy forbids scripts and styles in elements.
    place.innerHTML = html;
    place.shownHtml = html;
    for (const summary of place.querySelectorAll("summary")) {
      summary.parentElement.open = unfolded.has(textOf(summary));
      if (focused && textOf(summary) === focused) summary.focus({ preventScroll: true });
    }
    place.querySelectorAll(".scroll").forEach((table, index) => {
      table.scrollLeft = scrolled[index] ?? 0;
    });
    return place;
  });
  // Replacing an element that is already in its place would reset its scroll position.
  if (places.some((place, index) => root.children[index] !== place)) root.replaceChildren(...places);
  else [...root.children].slice(places.length).forEach((place) => place.remove());
}

const textOf = ({ textContent }) => textContent;

export async function show(root, { path: [number = "1", ...game] }, signal) {
  const template = fetch("/games.html").then((answer) => answer.text());
  await Promise.all(["content.css", "games.css", "watch.css"].map(style));
  const [html, { matches }] = await Promise.all([template, patiently(() => get("matches"))]);
  signal.throwIfAborted();
  if (!matches.length) {
    root.innerHTML = NO_MATCH;
    return;
  }
  const isKnown = matches.some((one) => String(one.number) === number);
  root.innerHTML = isKnown ? PAGE : HEAD;
  const list = root.querySelector("[data-is=matches]");
  list.hidden = isKnown && matches.length < 2;
  list.append(...matches.map((one) => element("a", {
    class: "button", href: `#/watch/${one.number}`,
    ...(String(one.number) === number ? { "aria-current": "page" } : {}),
  }, one.name)));
  if (!isKnown) {
    root.querySelector("h1").textContent = `There is no match ${number}`;
    return;
  }
  watched = new Watched(root, number);
  await watched.open(html, game).catch(report);
}

export function leave() {
  watched?.leave();
  watched = undefined;
}
