// Opens games from pasted text, files, saved games and the files named on the command line; copies,
// downloads and saves them.
import { get, post } from "./api.js";
import { copy, counted, download, element } from "./board.js";
import { load } from "./saved.js";

/** The maximum size in bytes of a text that the server reads. */
const MAX_TEXT = 1 << 20;

const TEMPLATE = `
  <div class="row">
    <button type="button" data-do="copyPosition">Copy position</button>
    <button type="button" data-do="copyMoves">Copy moves</button>
    <button type="button" data-do="copyGame">Copy game (.kgn)</button>
    <button type="button" data-do="download">Download game (.kgn)</button>
    <button type="button" data-do="save">Save</button>
  </div>
  <p class="position"></p>
  <h2>Open</h2>
  <textarea rows="3" aria-label="A position, moves or games" spellcheck="false"
    placeholder="A position, moves, a link, or games as .kgn or JSON lines"></textarea>
  <div class="row">
    <button type="button" data-do="read">Read the text</button>
    <button type="button" data-do="choose">Open a file</button>
    <button type="button" data-do="saved">Saved games</button>
    <span class="row" data-of="given"></span>
    <input type="file" accept=".kgn,.json,.jsonl,.txt" hidden>
  </div>
  <p class="quiet" data-of="said" role="status"></p>
  <ul class="games"></ul>`;

/** The text of a file, which a program that knows nothing of UTF-8 may have written. */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** A game in a list: its players, its result and more about it. */
const titleOf = ([south, north], ...about) =>
  `${south || "South"} - ${north || "North"}: ${about.filter(Boolean).join(", ")}`;

export class Files {
  #root;
  #hooks;

  /**
   * `onOpen` gets a game as the server describes it; `shown` returns the position, the letters
   * of the moves before it, and the game.
   */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
    root.innerHTML = TEMPLATE;
    root.addEventListener("click", ({ target }) => {
      const { do: action } = target.closest("button")?.dataset ?? {};
      if (action) this.#try(() => this.#actions[action]());
    });
    this.#file.addEventListener("change", () => {
      const [file] = this.#file.files;
      if (file) this.#try(() => this.#readFile(file));
      this.#file.value = "";
    });
    this.#try(() => this.#offerGiven());
  }

  /** Reads a file that was dropped on the page. */
  drop(file) {
    this.#try(() => this.#readFile(file));
  }

  /** Forgets the text that was read. */
  clear() {
    this.#root.querySelector("textarea").value = "";
    this.#list([]);
  }

  /** Shows the text of a position. */
  show(position) {
    this.#root.querySelector(".position").textContent = position.text;
  }

  get #file() {
    return this.#root.querySelector("[type=file]");
  }

  get #actions() {
    const { position, letters, game } = this.#hooks.shown();
    return {
      copyPosition: () => copy("position", position.text),
      copyMoves: () => copy("moves", letters),
      copyGame: async () => copy("game", (await game()).kgn),
      download: async () => download("game.kgn", (await game()).kgn),
      save: async () => {
        const { name } = await post("saved", (await game()).record);
        return name ? `Saved as ${name}.` : "The server was started without a folder for games.";
      },
      read: () => this.#read(this.#root.querySelector("textarea").value),
      choose: () => this.#file.click(),
      saved: () => this.#listSaved(),
    };
  }

  get #said() {
    return this.#root.querySelector("[data-of=said]");
  }

  /** Runs an action, and shows the sentence that it returns or its error. */
  async #try(action) {
    try {
      this.#said.textContent = (await action()) ?? "";
    } catch (error) {
      this.#said.textContent = error.message;
    }
  }

  async #readFile(file) {
    if (file.size > MAX_TEXT) throw new Error(`Expected a file of at most 1 MiB, got ${file.name}.`);
    return this.#read(decoded(await file.arrayBuffer()));
  }

  async #read(text) {
    // A link to a view of this page, which may come from a different server.
    const link = /^\S*(#\/[a-z]+(?:[/?]\S*)?)$/.exec(text.trim())?.[1];
    if (link) {
      location.hash = link;
      return "";
    }
    const { capture } = this.#hooks.shown().position;
    const { games } = await post("read", { text, capture });
    if (games.length === 1) {
      this.#list([]);
      this.#hooks.onOpen(games[0]);
      return "";
    }
    this.#list(games.map((game) => {
      const { names, result, steps } = game;
      const end = (result ?? "unfinished").replace(/\.$/, "");
      const title = titleOf([names.S, names.N], end, counted(steps.length, "move"));
      return [title, () => this.#hooks.onOpen(game)];
    }));
    return `${counted(games.length, "game")} in the text.`;
  }

  async #listSaved() {
    const { games, damaged } = await get("saved");
    this.#list(this.#entries(games, load));
    return [`${counted(games.length, "saved game")}.`, ...damaged].join(" ");
  }

  /** Offers the files named on the command line. */
  async #offerGiven() {
    const { files } = await get("files");
    this.#root.querySelector("[data-of=given]").append(...files.map(({ number, name, games }) => {
      const button = element("button", { type: "button" }, `${name}: ${counted(games, "game")}`);
      button.addEventListener("click", () => this.#try(() => this.#listGiven(number, name, games, 0)));
      return button;
    }));
    return "You can also drop a file on the page.";
  }

  // The server lists many games in parts.
  async #listGiven(number, name, count, from) {
    const { games } = await get(`files/${number}?from=${from}`);
    const next = from + games.length;
    const more = ["More games", () => this.#listGiven(number, name, count, next)];
    const open = (name) => get(`files/${number}/${encodeURIComponent(name)}`);
    this.#list([...this.#entries(games, open), ...(next < count ? [more] : [])]);
    return count ? `Games ${from + 1} to ${next} of ${count} in ${name}.` : `No games in ${name}.`;
  }

  /** Games that the server lists, as entries that open them by their names. */
  #entries(games, open) {
    return games.map(({ name, players, date, result, moves }) => [
      titleOf(players, result, counted(moves, "move"), date?.slice(0, 10)),
      async () => this.#hooks.onOpen(await open(name)),
    ]);
  }

  #list(entries) {
    this.#root.querySelector(".games").replaceChildren(...entries.map(([title, open]) => {
      const button = element("button", { type: "button" }, title);
      button.addEventListener("click", () => this.#try(open));
      return element("li", {}, button);
    }));
  }
}
