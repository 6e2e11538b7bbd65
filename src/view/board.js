// The board of a page. It draws the positions that it is given and steps through lines of
// moves; it does not know the rules.
//
// A position is { side, stores: { S, N }, rows: { S: [...], N: [...] } }: the side to move,
// and the seeds in the stores and in the pits, in sowing order.

/** The sides: their names, their CSS classes, and the code of the letter of their first pit. */
export const SIDES = {
  S: { name: "South", kind: "south", first: 65 },
  N: { name: "North", kind: "north", first: 97 },
};

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

/** A board in an element of the page. */
export class Board {
  #root;
  #pits = 0;
  /** The side whose row is at the bottom. */
  #bottom = "S";
  #shown;

  constructor(root) {
    this.#root = root;
  }

  /** Draws an empty board with a number of pits a row. */
  layOut(pits) {
    this.#pits = pits;
    this.#root.style.setProperty("--pits", pits);
    const top = this.#bottom === "S" ? "N" : "S";
    // The upper row runs from right to left. Readers hear the board in this order.
    this.#root.replaceChildren(
      this.#name(top, "top"), this.#store(top, "top"), ...this.#row(top, "top").reverse(),
      this.#store(this.#bottom, "bottom"), ...this.#row(this.#bottom, "bottom"),
      this.#name(this.#bottom, "bottom"));
  }

  /**
   * Shows a position under the names of the players, what changed since the one before it,
   * and the pit that was sown, by its letter. No side is to move in a position that is over.
   */
  show(position, names, { before = position, sown, isOver = false } = {}) {
    this.#shown = [position, names, { before, sown, isOver }];
    for (const side of "SN") {
      const { name, kind } = SIDES[side];
      const store = this.#root.querySelector(`[data-store="${side}"]`);
      this.#fill(store, `${name}’s store`, position.stores[side], before.stores[side]);
      position.rows[side].forEach((seeds, index) => {
        const letter = letterOf(side, index);
        const pit = this.#root.querySelector(`[data-pit="${letter}"]`);
        this.#fill(pit, `${name}’s pit ${letter}`, seeds, before.rows[side][index]);
        pit.classList.toggle("sown", letter === sown);
      });
      const place = this.#root.querySelector(`.name.${kind}`);
      place.textContent = names[side];
      place.classList.toggle("moves", side === position.side && !isOver);
    }
  }

  /** Turns the board around, so that the other player sits at the bottom. */
  flip() {
    this.#bottom = this.#bottom === "S" ? "N" : "S";
    this.layOut(this.#pits);
    if (this.#shown) this.show(...this.#shown);
  }

  #name(side, row) {
    return element("div", { class: `name ${SIDES[side].kind} ${row}` });
  }

  #store(side, row) {
    return this.#place({ class: `store ${SIDES[side].kind} ${row}`, "data-store": side });
  }

  #row(side, row) {
    return Array.from({ length: this.#pits }, (_, index) => {
      const letter = letterOf(side, index);
      const attributes = { class: `pit ${SIDES[side].kind} ${row}`, "data-pit": letter };
      return this.#place(attributes, element("span", { class: "letter" }, letter));
    });
  }

  #place(attributes, ...inside) {
    const seeds = [element("span", { class: "seeds" }), element("span", { class: "dots" })];
    return element("div", { ...attributes, role: "img" }, ...inside, ...seeds);
  }

  #fill(place, name, seeds, before) {
    const number = place.querySelector(".seeds");
    number.textContent = seeds;
    number.dataset.seeds = seeds;
    place.querySelector(".dots").textContent = "●".repeat(Math.min(seeds, 60));
    place.classList.toggle("changed", seeds !== before);
    place.setAttribute("aria-label", `${name}: ${counted(seeds, "seed")}`);
  }
}

/** The place in a line of moves, and the clock that steps on by itself. */
export class Stepper {
  #moves = 0;
  #shown = 0;
  #timer;
  #onShow;
  #onPlay;

  /** `onShow` gets the number of moves to show, `onPlay` whether the clock runs. */
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

  /** Opens a line with a number of moves after the first `shown` of them. */
  open(moves, shown = 0) {
    this.#moves = moves;
    this.show(shown);
  }

  /** Shows the position after a number of moves, and stops the clock. */
  show(shown) {
    this.pause();
    this.#show(shown);
  }

  /** Steps on every few milliseconds until the last move; from the start if it is shown. */
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

/** Copies a text, and returns the sentence that says so. */
export const copy = async (what, text) => {
  try {
    await navigator.clipboard.writeText(text);
    return `Copied the ${what}.`;
  } catch {
    return `The browser does not allow copying the ${what}.`;
  }
};

/** Saves a text as a file of the reader. */
export const download = (name, text) => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  // Firefox still reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
