// Shows a move seed by seed: the seeds of a pit travel along the board, and one stays in each place;
// then captured seeds, and at the end of the game the remaining ones, go to a store. Only transforms
// and opacity are animated, which browsers do without holding up scripts.
import { SIDES, element } from "./board.js";
import { looseSeed } from "./seeds.js";
import { knock } from "./sound.js";
import { keep, setting } from "./store.js";

/** The duration of a seed's flight, in milliseconds. */
export const PACES = { slow: 600, normal: 300, fast: 150, off: 0 };
/** The time from one place to the next, in flights, if there are few seeds. */
const STEP = 0.45;
/** The maximum time of a sowing, and the time in which seeds are carried to a store, in flights. */
const MAX_SOWING = 3, CARRYING = 2.2;

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

  /** `limit` is the maximum time of the whole move, in flights. */
  constructor(board, root, move, flight, limit) {
    this.#board = board;
    this.#root = root;
    const carried = [move.capture, move.swept?.S, move.swept?.N].filter(Boolean).length;
    const needed = Math.min(STEP * move.sown.length, MAX_SOWING) + CARRYING * carried;
    this.#flight = flight * Math.min(1, limit / needed);
    removeFlags(root);
    this.done = this.#show(move);
  }

  /** Ends immediately; the caller then shows the board after the move. */
  finish() {
    this.#isCut = true;
    this.#running.forEach((animation) => animation.finish());
  }

  async #show({ pit, sown, capture, swept, side, again }) {
    if (this.#flight < 10) {
      this.#flag(side, capture, again);
      return;
    }
    await this.#sow(pit, sown);
    if (capture) {
      this.#flag(side, capture, false);
      await this.#carry(capture.from, [sown.at(-1), SIDES[side].kind], "taken");
    }
    this.#flag(side, undefined, again);
    for (const [owner, { kind }] of Object.entries(SIDES)) {
      if (swept?.[owner]) await this.#carry(this.#row(owner), [kind]);
    }
  }

  /** The seeds set out together; one stays in each place. */
  async #sow(pit, sown) {
    const step = Math.min(STEP, MAX_SOWING / sown.length) * this.#flight;
    const starts = sown.map((_, index) => this.#board.seedPlace(pit, index));
    this.#board.fill(pit, 0);
    // The nearest place gets the seed on top of the heap.
    await Promise.all(sown.map((_, index) =>
      this.#fly(starts.at(-1 - index), sown.slice(0, index + 1), { duration: (index + 1) * step }, index)));
  }

  /** Carries all seeds of some pits along a path that ends in a store: along the row of its owner. */
  async #carry(pits, path, mark) {
    if (this.#isCut) return;
    const full = pits.filter((pit) => this.#board.seedsIn(pit) > 0);
    if (mark) full.forEach((pit) => this.#board.place(pit).classList.add(mark));
    await this.#animate(this.#root, [], { duration: 0.4 * this.#flight });
    const seeds = full.flatMap((pit) => Array.from({ length: this.#board.seedsIn(pit) }, (_, index) =>
      ({ start: this.#board.seedPlace(pit, index), path: path[0] === pit ? path.slice(1) : path })));
    full.forEach((pit) => this.#board.fill(pit, 0));
    const interval = (0.8 / seeds.length) * this.#flight;
    await Promise.all(seeds.map(({ start, path }, index) =>
      this.#fly(start, path, { duration: this.#flight, delay: index * interval }, index)));
    full.forEach((pit) => this.#board.place(pit).classList.remove("taken"));
  }

  /** Lets a seed travel from a place on the screen along some places of the board; it stays in the last. */
  async #fly(start, path, timing, nth) {
    if (this.#isCut) return;
    const seed = element("div", { class: "loose", "aria-hidden": true }, looseSeed(nth));
    const { left, top } = this.#root.getBoundingClientRect();
    const to = path.at(-1);
    seed.style.setProperty("--size", `${1.6 * start.size}px`);
    const at = ({ x, y }, raised = 0) => ({ transform: `translate(${x - left}px, ${y - top - raised}px) translate(-50%, -50%)` });
    const frames = [at(start)];
    let from = start;
    for (const name of path) {
      const next = this.#board.seedPlace(name, name === to ? this.#board.seedsIn(name) : nth);
      const middle = { x: (from.x + next.x) / 2, y: (from.y + next.y) / 2 };
      frames.push(at(middle, 6 + 0.08 * Math.hypot(next.x - from.x, next.y - from.y)), at(next));
      from = next;
    }
    this.#root.append(seed);
    await this.#animate(seed, frames, { fill: "both", ...timing });
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
 * is the element of the board. When it is `done`, the caller shows the position after it. `limit` is the
 * maximum time in milliseconds at the normal pace.
 */
export const sow = (board, root, move, limit = Infinity) =>
  new Sowing(board, root, move, PACES[pace()] ?? PACES.normal, limit / PACES.normal);
