// The board of a page. It draws the positions that it is given and steps through lines of
// moves; it does not know the rules.
//
// A position is { side, stores: { S, N }, rows: { S: [...], N: [...] } }: the side to move,
// and the seeds in the stores and in the pits, in sowing order. A place is named by the letter
// of a pit, or "south" or "north" for a store.

/** The sides: their names, their CSS classes, and the code of the letter of their first pit. */
export const SIDES = {
  S: { name: "South", kind: "south", first: 65 },
  N: { name: "North", kind: "north", first: 97 },
};

export const otherOf = (side) => (side === "S" ? "N" : "S");

export const sideOf = (letter) => (letter < "a" ? "S" : "N");

export const letterOf = (side, index) => String.fromCharCode(SIDES[side].first + index);

/** A count and its noun: 1 seed, 2 seeds. */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** An element with attributes, and strings or elements inside. */
export const element = (name, attributes = {}, ...inside) => {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...inside);
  return made;
};

const SVG = "http://www.w3.org/2000/svg";
/** More seeds than this in a pile cannot be told apart. */
const MAX_DRAWN = 169;
/** The distance between neighbours in a pile, in radii of a seed. */
const SPACING = 2.05;

/** An empty drawing of seeds, for `drawPile`. */
export const emptyPile = () => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "pile");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(SVG, "path"));
  return svg;
};

const ringOf = (index) => Math.ceil((Math.sqrt(9 + 12 * Math.max(index, 0)) - 3) / 6);

/** The place of a seed in a pile: rings of 6, 12, 18... around the first one. */
const seedAt = (index) => {
  const ring = ringOf(index);
  const nth = index - 1 - 3 * ring * (ring - 1);
  // Each ring grows at three places, so that it is balanced.
  const turn = ring ? ((nth % 3) * 2 * ring + Math.floor(nth / 3)) / (6 * ring) - 1 / 12 : 0;
  const [x, y] = [Math.cos, Math.sin].map((part) => SPACING * ring * part(2 * Math.PI * turn));
  return `M${x.toFixed(2)} ${y.toFixed(2)}h0`;
};

/** Draws a number of seeds. An additional seed never moves those already drawn. */
export const drawPile = (svg, seeds) => {
  const drawn = Math.min(seeds, MAX_DRAWN);
  // Piles of up to two rings are drawn at the same scale.
  const radius = SPACING * Math.max(2, ringOf(drawn - 1)) + 1;
  svg.setAttribute("viewBox", `${-radius} ${-radius} ${2 * radius} ${2 * radius}`);
  svg.firstChild.setAttribute("d", Array.from({ length: drawn }, (_, index) => seedAt(index)).join(""));
};

/** Where a move ends and what it earns, in a few words. */
const outcome = ({ sown, capture, again }) => {
  const last = sown.at(-1);
  const ends = last.length > 1 ? "ends in the store" : `ends in ${last}`;
  return [ends, again && "extra turn", capture && `captures ${capture.seeds}`]
    .filter(Boolean).join(", ");
};

/** The list that was opened with a pointer and still has the focus, if there is one. */
let pointed;
addEventListener("pointerdown", ({ target }) => {
  pointed = target.closest?.("select");
}, { capture: true });
addEventListener("keydown", ({ key }) => {
  if (key === "Tab") pointed = undefined;
}, { capture: true });

/**
 * Whether a key press is for the view, rather than for the element that has the focus. A list or a
 * check box in which something was chosen with the mouse keeps the focus, but not the keys. That
 * `:focus-visible` can match such a list, too, is up to the browser.
 */
export const isKeyOfView = ({ ctrlKey, altKey, metaKey, key, target }) => {
  const takers = "input:not([type=checkbox]), textarea, select, dialog";
  const isPressed = [" ", "Enter"].includes(key) && target.closest("button, a, summary, input, select");
  const isTaken = target.closest(takers) && (target !== pointed || target.closest("dialog"));
  return !ctrlKey && !altKey && !metaKey && !isTaken && !isPressed;
};

/** A board in an element of the page. */
export class Board {
  #root;
  #onPit;
  #onEmpty;
  #pits = 0;
  /** The side whose row is at the bottom. */
  #bottom = "S";
  #shown;
  /** The moves that can be chosen, by the letter of their pit. */
  #allowed = new Map();
  #notes = {};
  #hinted;

  /**
   * With `onPit`, pits are buttons, and `onPit` is called with the letter of a chosen pit.
   * `onEmpty` is called with that of an empty pit of the player who may choose one.
   */
  constructor(root, { onPit, onEmpty } = {}) {
    this.#root = root;
    this.#onPit = onPit;
    this.#onEmpty = onEmpty;
    if (!onPit) return;
    const letterAt = ({ target }) => target.closest("[data-pit]")?.dataset.pit;
    root.addEventListener("click", (event) => this.press(letterAt(event) ?? ""));
    const preview = (event) => this.#preview(letterAt(event));
    ["pointerover", "focusin"].forEach((kind) => root.addEventListener(kind, preview));
    ["pointerleave", "focusout"].forEach((kind) =>
      root.addEventListener(kind, () => this.#preview()));
  }

  get bottom() {
    return this.#bottom;
  }

  /** Draws an empty board with `pits` pits per row. */
  layOut(pits) {
    if (pits !== this.#pits) this.#forget();
    this.#pits = pits;
    this.#root.style.setProperty("--pits", pits);
    // On phones, which are too narrow for such a board, it is drawn upright.
    this.#root.classList.toggle("wide", pits > 8);
    const top = otherOf(this.#bottom);
    // The upper row runs from right to left. Screen readers read the board in this order.
    this.#root.replaceChildren(
      this.#name(top, "top"), this.#store(top, "top"), ...this.#row(top, "top").reverse(),
      this.#store(this.#bottom, "bottom"), ...this.#row(this.#bottom, "bottom"),
      this.#name(this.#bottom, "bottom"));
  }

  /**
   * Shows a position with the names of the players (texts or elements), the changes since the
   * position `before`, and the pit that was sown, by its letter. If the game is over, no side is
   * shown as being to move.
   */
  show(position, names, { before = position, sown, isOver = false } = {}) {
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
      place.replaceChildren(names[side]);
      place.classList.toggle("moves", side === position.side && !isOver);
    }
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
    const hovered = this.#root.querySelector("[data-pit]:is(:hover, :focus-visible)");
    this.#preview(hovered?.dataset.pit);
  }

  /** Chooses a pit by its letter in either case; false if it is not allowed. */
  press(letter) {
    const allowed = [...this.#allowed.keys()];
    const pit = allowed.find((pit) => pit.toLowerCase() === letter.toLowerCase());
    if (pit) this.#onPit(pit);
    else if (allowed.length) this.#pressEmpty(letter, sideOf(allowed[0]));
    return pit !== undefined;
  }

  #pressEmpty(letter, side) {
    const named = side === "S" ? letter.toUpperCase() : letter.toLowerCase();
    const isPit = [...this.#root.querySelectorAll("[data-pit]")].some(({ dataset }) => dataset.pit === named);
    if (isPit && this.seedsIn(named) === 0) this.#onEmpty?.(named);
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
    drawPile(place.querySelector(".pile"), seeds);
    place.setAttribute("aria-label", this.#label(name));
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
      const inside = [
        element("span", { class: "letter" }, letter), element("span", { class: "note" })];
      return this.#place(this.#onPit ? "button" : "div", attributes, ...inside);
    });
  }

  #place(kind, attributes, ...inside) {
    const role = kind === "button" ? { type: kind, "aria-disabled": true } : { role: "img" };
    const seeds = [element("span", { class: "seeds" }), emptyPile()];
    return element(kind, { ...attributes, ...role }, ...inside, ...seeds);
  }

  #label(name) {
    const isStore = name.length > 1;
    const side = isStore ? (name === "south" ? "S" : "N") : sideOf(name);
    const place = `${SIDES[side].name}’s ${isStore ? "store" : `pit ${name}`}`;
    const label = `${place}: ${counted(this.seedsIn(name), "seed")}`;
    const note = this.#notes[name]?.label;
    return note ? `${label}, ${note}` : label;
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
    this.#shown = Math.min(Math.max(shown, 0), this.#moves);
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
