// The board of a page. It draws the positions that it is given and steps through lines of
// moves; it does not know the rules.
//
// A position is { side, stores: { S, N }, rows: { S: [...], N: [...] } }: the side to move,
// and the seeds in the stores and in the pits, in sowing order. A place is named by the letter
// of a pit, or "south" or "north" for a store.
import { drawPile, emptyPile, seedPlace } from "./seeds.js";

/** The sides: their names, their CSS classes, and the code of the letter of their first pit. */
export const SIDES = {
  S: { name: "South", kind: "south", first: 65 },
  N: { name: "North", kind: "north", first: 97 },
};

export const otherOf = (side) => (side === "S" ? "N" : "S");

/** A number for a place, which varies its seeds. */
const keyOf = (name) => [...name].reduce((sum, letter) => 31 * sum + letter.charCodeAt(0), 0) % 997;

export const sideOf = (letter) => (letter < "a" ? "S" : "N");

export const letterOf = (side, index) => String.fromCharCode(SIDES[side].first + index);

/** A count and its noun: 1 seed, 2 seeds. */
export const counted = (count, noun, shown = count) => `${shown} ${noun}${count === 1 ? "" : "s"}`;

/** An element with attributes, and strings or elements inside. */
export const element = (name, attributes = {}, ...inside) => {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...inside);
  return made;
};

/** Where a move ends and what it earns, in a few words. */
export const outcome = ({ sown, capture, again }) => {
  const last = sown.at(-1);
  const ends = last.length > 1 ? "ends in the store" : `ends in ${last}`;
  return [ends, again && "extra turn", capture && `captures ${capture.seeds}`]
    .filter(Boolean).join(", ");
};

/** Milliseconds after which a touch marks a pit instead of sowing it. */
const LONG_TOUCH = 500;

/** A board in an element of the page. */
export class Board {
  #root;
  #onPit;
  #onRefuse;
  #pits = 0;
  /** The side whose row is at the bottom. */
  #bottom = "S";
  #shown;
  /** The moves that can be chosen, by the letter of their pit. */
  #allowed = new Map();
  #notes = {};
  #hinted;
  /** The letters of the pits that the reader has marked; a move removes them. */
  #marked = new Set();
  /** Whether the next letter marks a pit. */
  #isMarking = false;

  /**
   * With `onPit`, pits are buttons, and `onPit` is called with the letter of a chosen pit.
   * `onRefuse` is called with the reason, a sentence, and the side of a pit that cannot be chosen
   * while others can.
   */
  constructor(root, { onPit, onRefuse } = {}) {
    this.#root = root;
    this.#onPit = onPit;
    this.#onRefuse = onRefuse;
    new ResizeObserver(() => this.#fit()).observe(root);
    if (!onPit) return;
    const letterAt = ({ target }) => target.closest("[data-pit]")?.dataset.pit;
    root.addEventListener("click", (event) => this.#choose(letterAt(event)));
    this.#listenForMarks(letterAt);
    const preview = (event) => this.#preview(letterAt(event));
    ["pointerover", "focusin"].forEach((kind) => root.addEventListener(kind, preview));
    ["pointerleave", "focusout"].forEach((kind) =>
      root.addEventListener(kind, () => this.#preview()));
  }

  get bottom() {
    return this.#bottom;
  }

  /** The right button and a long touch mark a pit, to think with; the click after a long touch does not sow it. */
  #listenForMarks(letterAt) {
    let timer, isLong;
    this.#root.addEventListener("contextmenu", (event) => {
      const pit = letterAt(event);
      if (!pit) return;
      event.preventDefault();
      // A browser may open the menu after a long touch, which has marked the pit already.
      if (event.pointerType !== "touch") this.#mark(pit);
    });
    this.#root.addEventListener("pointerdown", (event) => {
      isLong = false;
      const pit = event.pointerType === "touch" && letterAt(event);
      clearTimeout(timer);
      if (!pit) return;
      timer = setTimeout(() => {
        isLong = true;
        this.#mark(pit);
      }, LONG_TOUCH);
    });
    ["pointerup", "pointercancel", "pointerout"].forEach((kind) =>
      this.#root.addEventListener(kind, () => clearTimeout(timer)));
    this.#root.addEventListener("click", (event) => {
      // A key and assistive technology click without a touch.
      if (isLong && event.detail > 0) event.stopImmediatePropagation();
      isLong = false;
    }, { capture: true });
  }

  #mark(pit) {
    if (!this.#marked.delete(pit)) this.#marked.add(pit);
    this.#drawMarks();
  }

  #drawMarks() {
    for (const pit of this.#root.querySelectorAll("[data-pit]")) {
      pit.classList.toggle("marked", this.#marked.has(pit.dataset.pit));
      pit.setAttribute("aria-label", this.#label(pit.dataset.pit));
    }
  }

  /** Draws an empty board with `pits` pits per row. */
  layOut(pits) {
    if (pits !== this.#pits) this.#forget();
    this.#pits = pits;
    this.#root.style.setProperty("--pits", pits);
    this.#fit();
    const top = otherOf(this.#bottom);
    // The upper row runs from right to left. Screen readers read the board in this order.
    this.#root.replaceChildren(
      this.#name(top, "top"),
      element("div", { class: "wood" },
        this.#store(top, "top"), ...this.#row(top, "top").reverse(),
        this.#store(this.#bottom, "bottom"), ...this.#row(this.#bottom, "bottom")),
      this.#name(this.#bottom, "bottom"));
  }

  /** Draws the board upright where its pits would be too small to touch, and on phones. */
  #fit() {
    // A picture of a board has the same shape everywhere.
    if (this.#root.classList.contains("picture")) return;
    const { clientWidth } = this.#root;
    const isPhone = clientWidth < 560 && innerHeight > innerWidth;
    const isUpright = clientWidth > 0 && (isPhone || clientWidth / (this.#pits + 2.8) < 34);
    if (this.#root.classList.contains("upright") === isUpright) return;
    this.#root.classList.toggle("upright", isUpright);
    if (this.#shown) Object.values(SIDES).forEach(({ kind }) => this.#drawSeeds(kind, this.seedsIn(kind)));
  }

  /**
   * Shows a position with the names of the players (texts or elements), the changes since the
   * position `before`, and the pit that was sown, by its letter. If the game is over, no side is
   * shown as being to move.
   */
  show(position, names, { before = position, sown, isOver = false } = {}) {
    if (position !== this.#shown?.[0]) this.#marked.clear();
    this.#shown = [position, names, { before, sown, isOver }];
    for (const side of "SN") {
      const { kind } = SIDES[side];
      this.#change(kind, position.stores[side], before.stores[side]);
      position.rows[side].forEach((seeds, index) => {
        const letter = letterOf(side, index);
        this.#change(letter, seeds, before.rows[side][index]);
        this.place(letter).classList.toggle("sown", letter === sown);
      });
      const place = this.#root.querySelector(`.name.${kind}`);
      place.replaceChildren(typeof names[side] === "string" ? element("span", {}, names[side]) : names[side]);
      place.dataset.score = position.stores[side];
      place.classList.toggle("moves", side === position.side && !isOver);
    }
    this.#drawMarks();
  }

  /** Allows these moves and no others to be chosen. A preview shows where each of them ends. */
  allow(moves) {
    this.#allowed = new Map(moves.map((move) => [move.pit, move]));
    for (const pit of this.#root.querySelectorAll("button[data-pit]")) {
      const move = this.#allowed.get(pit.dataset.pit);
      pit.setAttribute("aria-disabled", !move);
      // A pit that has the focus keeps it while the opponent moves.
      pit.tabIndex = move ? 0 : -1;
      const ends = move?.sown && outcome(move);
      if (ends) pit.setAttribute("aria-description", ends);
      else pit.removeAttribute("aria-description");
    }
    // After a touch, the pit would stay hovered.
    const pointed = matchMedia("(hover: hover)").matches ? ":is(:hover, :focus-visible)" : ":focus-visible";
    this.#preview(this.#root.querySelector(`[data-pit]${pointed}`)?.dataset.pit);
  }

  /**
   * Chooses a pit of the player by its letter in either case, as a key does. After an `x`, which is
   * no pit on any board, a letter marks a pit of either side instead. False if the key does nothing.
   */
  press(letter) {
    const isMarking = this.#isMarking;
    this.#isMarking = letter.toLowerCase() === "x" && !isMarking;
    if (this.#isMarking) return true;
    if (isMarking && this.#root.querySelector(`[data-pit="${CSS.escape(letter)}"]`)) {
      this.#mark(letter);
      return true;
    }
    const [side] = [...this.#allowed.keys()].map(sideOf);
    return this.#choose(side === "S" ? letter.toUpperCase() : letter.toLowerCase());
  }

  /** Chooses the pit that was clicked; false if it is not allowed. */
  #choose(pit) {
    const isAllowed = this.#allowed.has(pit);
    if (isAllowed) this.#onPit(pit);
    else if (this.#allowed.size && this.#root.querySelector(`[data-pit="${CSS.escape(pit ?? "")}"]`)) this.#refuse(pit);
    return isAllowed;
  }

  #refuse(pit) {
    const [allowed] = this.#allowed.keys();
    const side = sideOf(pit);
    if (side !== sideOf(allowed)) this.#onRefuse?.(`That pit is ${SIDES[side].name}’s.`, side);
    else if (this.seedsIn(pit) === 0) this.#onRefuse?.(`Pit ${pit} is empty.`, side);
  }

  /**
   * Writes notes into pits, by their letter: { text, kind, label }, where `kind` is a CSS class
   * ("win", "draw", "loss") and `label` the text for screen readers.
   */
  annotate(notes) {
    this.#notes = notes;
    for (const pit of this.#root.querySelectorAll("[data-pit]")) {
      const { text = "", kind = "", label = "" } = notes[pit.dataset.pit] ?? {};
      const note = pit.querySelector(".note");
      note.textContent = text;
      note.className = `note ${kind}`;
      if (label) note.setAttribute("aria-label", label);
      pit.setAttribute("aria-label", this.#label(pit.dataset.pit));
    }
  }

  /** Highlights a pit as a hint, or none. */
  hint(letter) {
    this.#hinted = letter;
    for (const pit of this.#root.querySelectorAll("[data-pit]")) {
      pit.classList.toggle("hinted", pit.dataset.pit === letter);
    }
  }

  /** The element of a place. */
  place(name) {
    const side = Object.keys(SIDES).find((side) => SIDES[side].kind === name);
    return this.#root.querySelector(side ? `[data-store="${side}"]` : `[data-pit="${name}"]`);
  }

  /** The seeds that a place shows. */
  seedsIn(name) {
    return Number(this.place(name).querySelector(".seeds").dataset.seeds);
  }

  /** Shows a number of seeds in a place. */
  fill(name, seeds) {
    const place = this.place(name);
    const number = place.querySelector(".seeds");
    if (number.dataset.seeds === String(seeds)) return;
    number.textContent = seeds;
    number.dataset.seeds = seeds;
    this.#drawSeeds(name, seeds);
    place.setAttribute("aria-label", this.#label(name));
  }

  /** Where on the screen the seed with this index lies in a place, and the size of a seed. */
  seedPlace(name, index) {
    return seedPlace(this.place(name).querySelector(".pile"), this.#hollowOf(name), keyOf(name), index);
  }

  #hollowOf(name) {
    if (name.length === 1) return "pit";
    return this.#root.classList.contains("upright") ? "trough" : "store";
  }

  #drawSeeds(name, seeds) {
    drawPile(this.place(name).querySelector(".pile"), this.#hollowOf(name), keyOf(name), seeds);
  }

  /** Turns the board around, so that the other player sits at the bottom. */
  flip() {
    this.turn(otherOf(this.#bottom));
  }

  /** Turns the board so that this side is at the bottom. */
  turn(bottom) {
    if (bottom === this.#bottom) return;
    this.#bottom = bottom;
    this.layOut(this.#pits);
    if (this.#shown) this.show(...this.#shown);
    this.allow([...this.#allowed.values()]);
    this.annotate(this.#notes);
    this.hint(this.#hinted);
  }

  /** Forgets what was shown on a board of a different size. */
  #forget() {
    this.#shown = undefined;
    this.#allowed = new Map();
    this.#notes = {};
    this.#hinted = undefined;
  }

  #name(side, row) {
    return element("div", { class: `name ${SIDES[side].kind} ${row}` });
  }

  #store(side, row) {
    const attributes = { class: `store ${SIDES[side].kind} ${row}`, "data-store": side };
    return this.#place("div", attributes);
  }

  #row(side, row) {
    return Array.from({ length: this.#pits }, (_, index) => {
      const letter = letterOf(side, index);
      const attributes = { class: `pit ${SIDES[side].kind} ${row}`, "data-pit": letter };
      return this.#place(this.#onPit ? "button" : "div", attributes, element("span", { class: "letter" }, letter));
    });
  }

  #place(tag, attributes, ...letter) {
    const role = tag === "button" ? { type: tag, "aria-disabled": true } : { role: "img" };
    return element(tag, { ...attributes, ...role },
      element("span", { class: "hollow" }, emptyPile(), element("span", { class: "note" })),
      element("span", { class: "label" }, ...letter, element("span", { class: "seeds" })));
  }

  #label(name) {
    const isStore = name.length > 1;
    const side = isStore ? (name === "south" ? "S" : "N") : sideOf(name);
    const place = `${SIDES[side].name}’s ${isStore ? "store" : `pit ${name}`}`;
    const label = `${place}: ${counted(this.seedsIn(name), "seed")}`;
    const more = [this.#notes[name]?.label, this.#marked.has(name) && "marked"];
    return [label, ...more].filter(Boolean).join(", ");
  }

  #change(name, seeds, before) {
    this.fill(name, seeds);
    this.place(name).classList.toggle("changed", seeds !== before);
  }

  #preview(letter) {
    const { sown, capture } = this.#allowed.get(letter) ?? {};
    const marks = [["landing", sown?.slice(-1) ?? []], ["taken", capture?.from ?? []]];
    for (const [mark, places] of marks) {
      this.#root.querySelectorAll(`.${mark}`).forEach((place) => place.classList.remove(mark));
      places.forEach((name) => this.place(name).classList.add(mark));
    }
  }
}

/** A position in a line of moves, and a timer that steps through the line. */
export class Stepper {
  #moves = 0;
  #shown = 0;
  #timer;
  #onShow;
  #onPlay;

  /** `onShow` is called with the number of moves to show, `onPlay` with whether the timer runs. */
  constructor(onShow, onPlay) {
    this.#onShow = onShow;
    this.#onPlay = onPlay;
  }

  get shown() {
    return this.#shown;
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  /** Opens a line of `moves` moves and shows the position after the first `shown` of them. */
  open(moves, shown = 0) {
    this.#moves = moves;
    this.show(shown);
  }

  /** Shows the position after a number of moves, and stops the timer. */
  show(shown) {
    this.pause();
    this.#show(shown);
  }

  /** Steps forward at this interval up to the last move; from the start if that one is shown. */
  play(milliseconds) {
    const from = this.#shown < this.#moves ? this.#shown : 0;
    this.show(from);
    if (!this.#moves) return;
    this.#timer = setInterval(() => {
      this.#show(this.#shown + 1);
      if (this.#shown === this.#moves) this.pause();
    }, milliseconds);
    this.#onPlay(true);
  }

  pause() {
    if (!this.isPlaying) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#onPlay(false);
  }

  #show(shown) {
    // An address that was typed by hand may have no number.
    this.#shown = Math.min(Math.max(Math.trunc(shown) || 0, 0), this.#moves);
    this.#onShow(this.#shown);
  }
}

/** Copies a text to the clipboard, and returns a sentence that reports the result. */
export const copy = async (what, text) => {
  try {
    await navigator.clipboard.writeText(text);
    return `Copied the ${what}.`;
  } catch {
    return `The browser does not allow copying the ${what}.`;
  }
};

/** Offers a text as a file to download. */
export const download = (name, text) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  // Firefox still reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
