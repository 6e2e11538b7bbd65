// The solver next to the board: the server proves the margin of each move, and sends events as it
// does so.
import { element } from "./board.js";
import { chip, known, nodesOf } from "./margins.js";
import { openEvents } from "./transport.js";

/** The values of a node's moves: those in the opening book, from the engine, and proved by the solver. */
export const mergedValues = ({ book = new Map(), values = new Map(), proved = new Map() }) => {
  const merged = new Map(book);
  for (const [pit, value] of [...values, ...proved]) {
    if (value.proved || !merged.get(pit)?.proved) merged.set(pit, value);
  }
  return merged;
};

export class Exact {
  #root;
  #node;
  #source;
  #onValues;
  /** The state of the latest proof, in a sentence. */
  #said = "";

  /** `onValues` gets a node about which more has been proved. */
  constructor(root, onValues) {
    this.#root = root;
    this.#onValues = onValues;
    root.innerHTML = `
      <div class="row">
        <button type="button" data-do="solve" disabled>Solve exactly</button>
        <span class="quiet" data-of="said"></span>
      </div>
      <ul class="values" aria-label="What is proved"></ul>`;
    root.querySelector("button").addEventListener("click", () => {
      if (this.#source) this.stop("Stopped.");
      else this.#start();
    });
  }

  /** Shows what is proved about a node; ends the proof for any other node. */
  show(node) {
    if (node === this.#node) return;
    this.stop("");
    this.#node = node;
    this.#draw();
  }

  stop(said = "") {
    this.#source?.close();
    this.#source = undefined;
    this.#said = said;
    if (this.#node) this.#draw();
  }

  #start() {
    const node = this.#node;
    const source = openEvents(`solve?${new URLSearchParams({ position: node.position.text })}`);
    this.#source = source;
    this.#said = "The solver is starting.";
    const hear = (kind, use) => source.addEventListener(kind, ({ data }) => use(JSON.parse(data)));
    hear("move", ({ pit, nodes, seconds, ...bounds }) => {
      const value = known(bounds);
      node.proved ??= new Map();
      if (value) node.proved.set(pit, value);
      this.#said = `${nodesOf(nodes)}, ${seconds.toFixed(1)} s.`;
      this.#onValues(node);
      this.#draw();
    });
    hear("done", ({ nodes, seconds, proved, reason }) => {
      const end = proved ? "Solved" : `Ended early${reason ? ` (${reason})` : ""}`;
      this.stop(`${end} after ${nodesOf(nodes)} and ${seconds.toFixed(1)} s.`);
    });
    // The server closing the connection is an error, too: unless the source is closed, the
    // browser repeats the request.
    source.addEventListener("error", () => {
      if (this.#source === source) this.stop("The solver is not responding; it may be busy with another page.");
    });
    this.#draw();
  }

  #draw() {
    const { position, proved = new Map() } = this.#node;
    const [button, said] = this.#root.querySelectorAll("button, [data-of=said]");
    button.textContent = this.#source ? "Stop solving" : "Solve exactly";
    button.disabled = position.over;
    said.textContent = this.#said;
    const entries = [...proved].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#root.querySelector(".values").replaceChildren(...entries.map(([pit, value]) =>
      element("li", {}, `${pit} `, chip(value, position.side))));
  }
}
