// The engine next to the board: it searches the position shown until it is stopped, and shows
// the margin of each move and the principal variations.
import { post, report } from "./api.js";
import { SIDES, element, sideOf } from "./board.js";
import { engine } from "./engine.js";
import { chip, large, nodesOf } from "./margins.js";
import { keep, setting } from "./store.js";
import { recordOf } from "./tree.js";

/** Milliseconds for which a position must be shown before the engine searches it. */
const SETTLED = 150;
/** The sizes of the transposition table to choose from, in MiB. */
const HASHES = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];
/** Milliseconds between two updates of the lines. */
const PACE = 100;
/** The maximum number of moves shown of a principal variation. */
const MAX_SHOWN = 14;

/** The value that an `info` from the engine gives to its first move. */
export function valueOf({ margin, bound, proved }) {
  if (proved && !proved.bound) return { margin: proved.margin, proved: true };
  if (proved) return { [proved.bound === ">=" ? "lower" : "upper"]: proved.margin };
  return bound ? undefined : { margin };
}

/** The options that the reader has chosen, limited to what the engine allows. */
export const thinkingOptions = () => {
  const { threads: Threads, hash: Hash } = setting("engine", {});
  const chosen = Object.entries({ Threads, Hash }).filter(([, value]) => value);
  return Object.fromEntries(chosen.map(([name, value]) =>
    [name, Math.min(value, engine.options.get(name)?.max ?? value)]));
};

export class Thinking {
  #root;
  #node;
  #search;
  #timer;
  #redraw;
  #isOn = false;
  #hooks;
  /** The steps of the node's pvs, by their letters. */
  #steps = new Map();

  /**
   * `onValues` gets a node whose moves have new values, `onPreview` a step of a pv to show or
   * nothing, `onPlay` a node and the steps to play after it; `onStart` gets nothing.
   */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
    root.innerHTML = `
      <div class="row">
        <button type="button" class="main" data-of="toggle"></button>
        <label>Lines <select data-of="lines"></select></label>
        <details class="settings"><summary>Settings</summary>
        <p class="row"><label>Threads <select data-of="threads"></select></label>
        <label>Hash <select data-of="hash"></select></label></p></details>
      </div>
      <p class="quiet" data-of="status"></p>
      <ol class="lines" aria-label="Engine lines"></ol>`;
    this.#of("toggle").addEventListener("click", () => this.toggle());
    ["lines", "threads", "hash"].forEach((name) =>
      this.#of(name).addEventListener("change", () => this.#choose(name)));
    const lines = root.querySelector(".lines");
    lines.addEventListener("click", (event) => this.#onMove(event, (steps) =>
      this.#hooks.onPlay(this.#node, steps)));
    // The pointer may have moved on before the server answers.
    const preview = (event) => this.#onMove(event, (steps) =>
      event.target.matches(":hover, :focus") && this.#hooks.onPreview(steps.at(-1)));
    ["pointerover", "focusin"].forEach((kind) => lines.addEventListener(kind, preview));
    ["pointerleave", "focusout"].forEach((kind) => lines.addEventListener(kind, () => {
      this.#hooks.onPreview();
      this.#draw();
    }));
    this.#offer();
    this.#label();
  }

  #of(name) {
    return this.#root.querySelector(`[data-of=${name}]`);
  }

  /** Fills the lists with the choices that the engine's options allow. */
  async #offer() {
    const options = await engine.introduced();
    const chosen = setting("engine", {});
    const fill = (name, values, value, words = String) =>
      this.#of(name).replaceChildren(...values.map((one) => {
        const option = element("option", { value: one }, words(one));
        option.selected = one === Number(value);
        return option;
      }));
    const most = options.get("Threads")?.max ?? 1;
    const threads = Array.from({ length: most }, (_, index) => index + 1);
    fill("threads", threads, Math.min(chosen.threads ?? 1, most));
    const hash = options.get("Hash");
    const hashes = HASHES.filter((size) => size <= (hash?.max ?? 64));
    fill("hash", hashes, Math.min(chosen.hash ?? hash?.value ?? 64, hashes.at(-1)), (size) => `${size} MiB`);
    const lines = options.get("MultiPV")?.max ?? 1;
    fill("lines", [lines, 1, 2, 3, 4].filter((count) => count <= lines), chosen.lines ?? lines,
      (count) => (count === lines ? "all" : String(count)));
  }

  #choose(name) {
    keep("engine", { [name]: Number(this.#of(name).value) });
    if (this.#isOn) this.#start();
  }

  toggle() {
    if (this.#isOn) this.stop();
    else {
      this.#isOn = true;
      this.#hooks.onStart();
      if (this.#node) this.#start();
    }
    this.#label();
  }

  stop() {
    this.#isOn = false;
    this.#end();
    this.#label();
    if (this.#node) this.#draw();
  }

  /** Ends the search; its results stay visible. */
  #end() {
    clearTimeout(this.#timer);
    if (this.#search && !this.#search.isOver) engine.drop();
  }

  #label() {
    this.#of("toggle").textContent = this.#isOn ? "Stop the engine" : "Start the engine";
    this.#of("toggle").setAttribute("aria-pressed", this.#isOn);
  }

  /** Shows the results for a node, and searches it once the reader stays there. */
  think(node) {
    if (node === this.#node) return;
    this.#end();
    this.#node = node;
    this.#search = undefined;
    this.#steps.clear();
    this.#draw();
    if (this.#isOn) this.#timer = setTimeout(() => this.#start(), SETTLED);
  }

  #start() {
    const { position } = this.#node;
    if (position.over) return;
    const { lines } = setting("engine", {});
    const node = this.#node;
    node.values ??= new Map();
    const search = engine.search({
      position: position.text, go: "infinite",
      options: { ...thinkingOptions(), MultiPV: lines ?? engine.options.get("MultiPV")?.max ?? 16 },
      onInfo: (info) => {
        const value = valueOf(info);
        if (this.#search !== search) return;
        const [pit] = info.pv;
        // A proved value is kept, although the next iteration begins with unproved ones.
        if (pit && value && (value.proved || !node.values.get(pit)?.proved)) node.values.set(pit, value);
        this.#redraw ??= setTimeout(() => {
          this.#redraw = undefined;
          this.#hooks.onValues(node);
          this.#draw();
        }, PACE);
      },
    });
    this.#search = search;
    // Even an infinite search may end, because the server limits its time.
    search.best.then((best) => best && this.#search === search && this.stop());
    this.#draw();
  }

  #draw() {
    const { position } = this.#node;
    this.#of("status").textContent = this.#status(position);
    const list = this.#root.querySelector(".lines");
    // Lines stay still while one of them is pointed at.
    const isRead = list.matches(matchMedia("(hover: hover)").matches ? ":hover, :focus-within" : ":focus-within");
    if (isRead && list.dataset.position === position.text && this.#search?.lines.length) return;
    list.dataset.position = position.text;
    const lines = (this.#search?.lines ?? []).filter((line) => line?.pv.length);
    list.replaceChildren(...lines.map((line) => this.#line(line, position.side)));
  }

  #status({ over }) {
    if (over) return "The game is over.";
    const info = this.#search?.lines[0];
    if (!this.#isOn && !info) return "The engine shows the margin of each move on its pit.";
    if (!info) return "The engine is starting.";
    const parts = [`depth ${info.depth}`, nodesOf(info.nodes), `${large(info.nps)}/s`,
      `${(info.time / 1000).toFixed(1)} s`];
    if (info.hashfull) parts.push(`table ${Math.round(info.hashfull / 10)} % full`);
    if (this.#search.isOver) parts.push("stopped");
    return `${parts.join(", ")}.`.replace(/^d/, "D");
  }

  #line(line, side) {
    const value = valueOf(line) ?? { margin: line.margin };
    const shown = line.pv.slice(0, MAX_SHOWN);
    const item = element("li", { "data-pv": shown.join("") }, chip(value, side), " ");
    shown.forEach((letter, index) => {
      if (index && sideOf(shown[index - 1]) !== sideOf(letter)) item.append(" ");
      const kind = `move of-${SIDES[sideOf(letter)].kind}`;
      item.append(element("button", { type: "button", class: kind, "data-index": index }, letter));
    });
    if (line.pv.length > MAX_SHOWN) item.append(" …");
    return item;
  }

  /** Calls `use` with the steps up to the move of a pv to which an event belongs. */
  async #onMove({ target }, use) {
    const index = target.closest("[data-index]")?.dataset.index;
    if (!index) return;
    const node = this.#node;
    try {
      const steps = await this.#stepsOf(node.position.text, target.closest("[data-pv]").dataset.pv);
      if (node === this.#node) use(steps.slice(0, Number(index) + 1));
    } catch (error) {
      report(error);
    }
  }

  #stepsOf(position, letters) {
    if (!this.#steps.has(letters)) {
      this.#steps.set(letters, post("game", recordOf(position, letters)).then(({ steps }) => steps));
    }
    return this.#steps.get(letters);
  }
}
