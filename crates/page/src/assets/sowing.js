// Shows a move seed by seed: the seeds of a pit fly to their places one after another and stay
// there; then captured seeds, and at the end of the game the remaining ones, go to a store. Only
// transforms and opacity are animated, which browsers do without holding up scripts.
import { SIDES, element } from "./board.js";
import { looseSeed } from "./seeds.js";
import { knock } from "./sound.js";
import { keep, setting } from "./store.js";

/** The duration of a seed's flight, in milliseconds. */
export const PACES = { slow: 600, normal: 300, fast: 150, off: 0 };
/** The time from one seed to the next, as a fraction of a flight, if there are few seeds. */
const INTERVAL = 0.32;
/** The maximum time of a whole sowing, in flights; more seeds follow each other faster. */
const MAX_FLIGHTS = 3.2;

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
  #flight;
  #isCut = false;
  #running = new Set();

  constructor(board, root, move, flight) {
    this.#board = board;
    this.#root = root;
    this.#flight = flight;
    removeFlags(root);
    this.done = this.#show(move);
  }

  /** Ends immediately; the caller then shows the board after the move. */
  finish() {
    this.#isCut = true;
    this.#running.forEach((animation) => animation.finish());
  }

  async #show({ pit, sown, capture, swept, side, again }) {
    if (!this.#flight) {
      this.#flag(side, capture, again);
      return;
    }
    await this.#sow(pit, sown);
    if (capture) {
      this.#flag(side, capture, false);
      await this.#carry(capture.from, SIDES[side].kind, "taken");
    }
    this.#flag(side, undefined, again);
    for (const [owner, { kind }] of Object.entries(SIDES)) {
      if (swept?.[owner]) await this.#carry(this.#row(owner), kind);
    }
  }

  async #sow(pit, sown) {
    const interval = Math.min(INTERVAL, (MAX_FLIGHTS - 1) / Math.max(1, sown.length - 1)) * this.#flight;
    const starts = sown.map((_, index) => this.#board.seedPlace(pit, index));
    this.#board.fill(pit, 0);
    // The nearest place gets the seed on top of the heap.
    await Promise.all(sown.map((to, index) =>
      this.#fly(starts.at(-1 - index), to, index * interval, index)));
  }

  /** Carries all seeds of some pits to a store. */
  async #carry(pits, store, mark) {
    if (this.#isCut) return;
    const full = pits.filter((pit) => this.#board.seedsIn(pit) > 0);
    if (mark) full.forEach((pit) => this.#board.place(pit).classList.add(mark));
    await this.#animate(this.#root, [], { duration: 0.6 * this.#flight });
    const seeds = full.flatMap((pit) =>
      Array.from({ length: this.#board.seedsIn(pit) }, (_, index) => this.#board.seedPlace(pit, index)));
    full.forEach((pit) => this.#board.fill(pit, 0));
    const interval = Math.min(INTERVAL, 1.2 / seeds.length) * this.#flight;
    await Promise.all(seeds.map((start, index) => this.#fly(start, store, index * interval, index)));
    full.forEach((pit) => this.#board.place(pit).classList.remove("taken"));
  }

  /** Lets a seed fly from a place on the screen to a pit or a store. */
  async #fly(start, to, delay, nth) {
    if (this.#isCut) return;
    const seed = element("div", { class: "loose", "aria-hidden": true }, looseSeed(nth));
    const { left, top } = this.#root.getBoundingClientRect();
    const end = this.#board.seedPlace(to, this.#board.seedsIn(to));
    seed.style.setProperty("--size", `${1.6 * start.size}px`);
    const at = ({ x, y }, raised = 0) => ({ transform: `translate(${x - left}px, ${y - top - raised}px) translate(-50%, -50%)` });
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
    const height = 10 + 0.12 * Math.hypot(end.x - start.x, end.y - start.y);
    this.#root.append(seed);
    await this.#animate(seed, [at(start), at(middle, height), at(end)],
      { duration: this.#flight, delay, easing: "cubic-bezier(.35, 0, .5, 1)", fill: "both" });
    seed.remove();
    if (this.#isCut) return;
    this.#board.fill(to, this.#board.seedsIn(to) + 1);
    knock(to.length > 1 ? 1.5 : 1);
  }

  #flag(side, capture, again) {
    if (capture) showFlag(this.#root, side, `Captures ${capture.seeds}`);
    if (again) {
      showFlag(this.#root, side, "Extra turn");
      knock(2);
    }
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
export const sow = (board, root, move) => new Sowing(board, root, move, PACES[pace()] ?? PACES.normal);
