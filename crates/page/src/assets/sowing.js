// Shows a move seed by seed: a hand lifts the seeds of a pit and leaves one in each place; then
// captured seeds, and at the end of the game the remaining ones, go to a store. Only transforms
// and opacity are animated, which browsers do without holding up scripts.
import { SIDES, drawPile, element, emptyPile } from "./board.js";
import { keep, setting } from "./page.js";

/** Milliseconds from seed to seed. */
export const PACES = { slow: 500, normal: 240, fast: 110, off: 0 };
/** The maximum milliseconds for sowing one move; moves with many seeds are shown faster. */
const MAX_TIME = 5000;

const prefersCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The name of the chosen pace; off by default if the system prefers reduced motion. */
export const pace = () => setting("pace", { name: prefersCalm() ? "off" : "normal" }).name;

export const setPace = (name) => keep("pace", { name });

/** A move that is being shown. */
class Sowing {
  /** Resolves when the whole move has been shown, or was cut short. */
  done;
  #board;
  #root;
  #step;
  #isCut = false;
  #running = new Set();

  constructor(board, root, move, step) {
    this.#board = board;
    this.#root = root;
    this.#step = step;
    removeFlags(root);
    this.done = this.#show(move);
  }

  /** Ends immediately; the caller then shows the board after the move. */
  finish() {
    this.#isCut = true;
    this.#running.forEach((animation) => animation.finish());
  }

  async #show({ pit, sown, capture, swept, side, again }) {
    if (!this.#step) {
      this.#flag(side, capture, again);
      return;
    }
    await this.#sow(pit, sown);
    if (capture) await this.#carry(capture.from, SIDES[side].kind, "taken");
    this.#flag(side, capture, again);
    for (const [owner, { kind }] of Object.entries(SIDES)) {
      if (swept?.[owner]) await this.#carry(this.#row(owner), kind);
    }
  }

  async #sow(pit, sown) {
    const hand = this.#hand(pit);
    this.#board.fill(pit, 0);
    let from = pit;
    for (const [index, to] of sown.entries()) {
      if (this.#isCut) break;
      await this.#move(hand, from, to, this.#step);
      hand.fill(sown.length - index - 1);
      this.#board.fill(to, this.#board.seedsIn(to) + 1);
      this.#pulse(to);
      from = to;
    }
    hand.element.remove();
  }

  /** Carries all seeds of some pits to a store. */
  async #carry(pits, store, mark) {
    if (this.#isCut) return;
    const full = pits.filter((pit) => this.#board.seedsIn(pit) > 0);
    if (mark) full.forEach((pit) => this.#board.place(pit).classList.add(mark));
    await this.#pause(this.#step);
    const hands = full.map((pit) => [pit, this.#hand(pit)]);
    const seeds = full.reduce((sum, pit) => sum + this.#board.seedsIn(pit), 0);
    full.forEach((pit) => this.#board.fill(pit, 0));
    await Promise.all(hands.map(([pit, hand]) => this.#move(hand, pit, store, 2 * this.#step)));
    hands.forEach(([, hand]) => hand.element.remove());
    full.forEach((pit) => mark && this.#board.place(pit).classList.remove(mark));
    this.#board.fill(store, this.#board.seedsIn(store) + seeds);
    this.#pulse(store);
  }

  /** The seeds of a pit, lifted. */
  #hand(pit) {
    const svg = emptyPile();
    const count = element("span");
    const made = element("div", { class: "hand", "aria-hidden": true }, svg, count);
    const fill = (seeds) => {
      count.textContent = seeds || "";
      drawPile(svg, seeds);
    };
    fill(this.#board.seedsIn(pit));
    const { width } = this.#board.place(pit).querySelector(".pile").getBoundingClientRect();
    made.style.setProperty("--width", `${width}px`);
    this.#root.append(made);
    return { element: made, fill };
  }

  async #move(hand, from, to, duration) {
    const [start, end] = [this.#middle(from), this.#middle(to)];
    const at = ([x, y], raised = 0) => ({
      transform: `translate(${x}px, ${y - raised}px) translate(-50%, -50%)`,
    });
    const top = [(start[0] + end[0]) / 2, Math.min(start[1], end[1])];
    await this.#animate(hand.element, [at(start), at(top, 14), at(end)],
      { duration, easing: "ease-in-out", fill: "forwards" });
  }

  #middle(name) {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = this.#board.place(name);
    return [offsetLeft + offsetWidth / 2, offsetTop + offsetHeight / 2];
  }

  #pulse(name) {
    if (this.#isCut) return;
    this.#board.place(name).animate(
      [{ transform: "scale(1.07)" }, { transform: "none" }], { duration: 250, easing: "ease-out" });
  }

  #flag(side, capture, again) {
    if (capture) showFlag(this.#root, side, `Captures ${capture.seeds}`);
    if (again) showFlag(this.#root, side, "Extra turn");
  }

  #pause(duration) {
    return this.#animate(this.#root, [], { duration });
  }

  async #animate(shown, frames, timing) {
    if (this.#isCut) return;
    const animation = shown.animate(frames, timing);
    this.#running.add(animation);
    // When its element is removed, an animation is cancelled and never finishes.
    await animation.finished.catch(() => undefined);
    this.#running.delete(animation);
  }

  #row(side) {
    return [...this.#root.querySelectorAll(`.pit.${SIDES[side].kind}`)]
      .map(({ dataset }) => dataset.pit);
  }
}

const removeFlags = (root) => root.querySelectorAll(".flag").forEach((flag) => flag.remove());

/** Shows words over the board for a moment, in the colour of a side. */
export function showFlag(root, side, words) {
  const flag = element("div", { class: `flag of-${SIDES[side].kind}`, "aria-hidden": true }, words);
  removeFlags(root);
  root.append(flag);
  const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }];
  flag.animate(frames, { duration: 1300 }).finished.then(() => flag.remove(), () => undefined);
}

/**
 * Shows a move, as the server describes it, on a board that shows the position before it; `root`
 * is the element of the board. When it is `done`, the caller shows the position after it.
 */
export function sow(board, root, move) {
  const step = Math.min(PACES[pace()] ?? PACES.normal, MAX_TIME / Math.max(1, move.sown.length));
  return new Sowing(board, root, move, step);
}
