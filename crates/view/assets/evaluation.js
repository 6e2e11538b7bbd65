// The evaluation bar: South's margin next to the board, from South's (at the end of its row) to
// North's.
import { element } from "./board.js";
import { southern, textOf } from "./margins.js";

/** A margin of this many seeds fills three quarters of the bar. */
const CLEAR = 8;

export class Evaluation {
  #bar = element("div", { class: "share" });
  #number = element("span");
  #root;

  constructor(root) {
    this.#root = root;
    root.setAttribute("role", "img");
    root.replaceChildren(this.#bar, this.#number);
    root.hidden = true;
  }

  /** Shows the value of a position for its mover; without one, the bar is empty, and hidden until the first one is known. */
  show(value, side) {
    const isKnown = value?.margin !== undefined;
    const margin = isKnown ? southern(value.margin, side) : 0;
    const share = 0.5 + Math.atan(margin / CLEAR) / Math.PI;
    this.#root.hidden &&= !isKnown;
    this.#root.classList.toggle("unknown", !isKnown);
    this.#root.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
    this.#number.textContent = isKnown ? textOf(value, side) : "";
    this.#root.setAttribute("aria-label", isKnown ? `South’s margin ${textOf(value, side)}` : "No evaluation yet");
  }
}
