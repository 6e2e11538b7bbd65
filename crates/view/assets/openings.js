// What is known about the moves of a position: their proved margins, and how they did in the games
// named on the command line.
import { get } from "./api.js";
import { counted, element } from "./board.js";
import { mergedValues } from "./exact.js";
import { bestOf, chip, known } from "./margins.js";
import { moveIn } from "./moves.js";
import { DEFAULTS } from "./settings.js";

const TEMPLATE = `
  <select aria-label="Opening board"></select>
  <table></table>
  <p class="quiet"></p>`;

export class Openings {
  #root;
  #hooks;
  #boards;
  #node;

  /**
   * `onPosition` gets the text of a position to open, `onPlay` the pit of a move, and `onValues` a
   * node about which more is known; `signal` ends requests.
   */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
    root.innerHTML = TEMPLATE;
    root.addEventListener("click", ({ target }) => {
      const pit = target.closest("[data-play]")?.dataset.play;
      if (pit) this.#hooks.onPlay(pit);
    });
    this.#select.addEventListener("change", () => this.#hooks.onPosition(this.#select.value));
  }

  get #select() {
    return this.#root.querySelector("select");
  }

  /** Shows what is known about a node of a game that began at `start`, if the openings are open. */
  async show(node, start) {
    this.#node = node;
    if (this.#root.hidden) return;
    this.#boards ??= this.#offerBoards();
    const query = new URLSearchParams({ position: node.position.text });
    const [boards, explored] = await Promise.all([
      this.#boards, node.explored ?? get(`openings?${query}`, this.#hooks.signal),
    ]);
    if (node !== this.#node) return;
    const board = boards.find(({ position }) => position === start);
    this.#select.value = board?.position;
    this.#root.querySelector("p").textContent = board ? `Source of the margin at the start: ${board.source}.` : "";
    node.explored = explored;
    node.book = new Map(explored.moves.map((move) => [move.pit, known(move)]).filter(([, value]) => value));
    const value = known(explored);
    if (value?.proved) node.value = value;
    this.#hooks.onValues(node);
  }

  /** Lists the boards with a known margin, those with openings first. */
  async #offerBoards() {
    const { boards } = await get("boards", this.#hooks.signal);
    const sorted = boards.toSorted((one, other) => (other.positions > 0) - (one.positions > 0));
    this.#select.append(...sorted.map((board) => element("option", { value: board.position }, titleOf(board))));
    return boards;
  }

  /** Draws the moves of a node, the best first; those of unknown value come last. */
  draw(node) {
    if (this.#root.hidden || !node.explored) return;
    const { explored: { moves, games }, position: { side } } = node;
    const values = mergedValues(node);
    const bests = bestOf(values);
    const rank = ({ pit }) => {
      const { margin, lower, upper } = values.get(pit) ?? {};
      return margin ?? lower ?? upper ?? -Infinity;
    };
    const rows = moves.toSorted((one, other) => rank(other) - rank(one)).map(({ pit, best, games: played, points }) => {
      const value = values.get(pit);
      const margin = element("td", {}, value ? chip(value, side) : "not proved");
      if (best || bests.has(pit)) margin.append(element("strong", { class: "star" }, " ★ best"));
      const share = played ? `${Math.round((100 * points) / played)} %` : "";
      const counts = games ? [played || "", share].map((text) => element("td", { class: "number" }, text)) : [];
      const button = moveIn("button", pit, undefined, { type: "button", "data-play": pit });
      return element("tr", {}, element("td", {}, button), margin, ...counts);
    });
    const heads = ["Move", "Margin", ...(games ? ["Games", "Points"] : [])];
    const head = element("tr", {}, ...heads.map((words) => element("th", { scope: "col" }, words)));
    this.#root.querySelector("table").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  }
}

const titleOf = ({ pits, seeds, capture, margin, positions }) => {
  const rules = capture === DEFAULTS.capture ? "" : `, ${capture.replace("-", " ")}`;
  const worth = margin > 0 ? `South wins by ${margin}` : margin < 0 ? `North wins by ${-margin}` : "a draw";
  return `(${pits},${seeds})${rules}: ${worth}${positions ? `, ${counted(positions, "opening")}` : ""}`;
};
