// The curve of a game: lines of South's margin, in seeds, over the number of moves.
import { element } from "./board.js";

const HEIGHT = 240, LEFT = 44, RIGHT = 12, TOP = 12, BOTTOM = 44;

/** A number with its sign; zero has none. */
export function signed(seeds, digits) {
  const text = seeds.toFixed(digits);
  const isZero = Number(text) === 0;
  return isZero ? text.replace("-", "") : (seeds > 0 ? "+" : "") + text;
}

const horizontal = (kind, y, right) =>
  `<line class="${kind}" x1="${LEFT}" x2="${right}" y1="${y}" y2="${y}"/>`;

/** A curve in a figure of the page. */
export class Curve {
  #figure;
  #moves = 0;
  #width = 0;

  /** `onJump` is called with the number of moves that was clicked on. */
  constructor(figure, onJump) {
    this.#figure = figure;
    figure.addEventListener("click", ({ clientX, target }) => {
      const svg = target.closest("svg")?.getBoundingClientRect();
      if (!svg) return;
      const x = ((clientX - svg.left) / svg.width) * this.#width;
      const move = Math.round(((x - LEFT) / (this.#width - LEFT - RIGHT)) * this.#moves);
      onJump(Math.min(Math.max(move, 0), this.#moves));
    });
  }

  /**
   * Draws lines over a number of moves. A line has a CSS class (`kind`), a description
   * (`words`), `points` [move, seeds] and the points to circle (`circled`); `up` is the player whose
   * margin it is.
   */
  draw(moves, lines, up = "South") {
    this.#figure.hidden = !moves;
    if (!moves) return;
    this.#moves = moves;
    this.#width = Math.max(320, this.#figure.clientWidth);
    const drawn = lines.filter(({ points }) => points.length);
    const circles = drawn.flatMap(({ kind, circled = [] }) => circled.map((at) => [kind, at]));
    const largest = Math.max(4, ...drawn.flatMap(({ points }) => points.map(([, y]) => Math.abs(y))));
    const step = [2, 5, 10, 20, 50, 100].find((step) => largest / step <= 3) ?? largest;
    const top = Math.ceil(largest / step) * step;
    const height = (seeds) => TOP + ((HEIGHT - TOP - BOTTOM) * (top - seeds)) / (2 * top);
    const place = ([move, seeds]) => [this.#across(move), height(seeds).toFixed(1)];
    let svg = this.#grid(top, step, height) + this.#scale();
    for (const { kind, points } of drawn) {
      svg += `<polyline class="${kind}" points="${points.map(place).join(" ")}"/>`;
    }
    for (const [kind, at] of circles) {
      const [x, y] = place(at);
      svg += `<circle class="${kind}" cx="${x}" cy="${y}" r="4"/>`;
    }
    svg += `<line class="now" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`;
    const caption = element("figcaption", {}, `In seeds; up is better for ${up}; `);
    drawn.forEach(({ kind, words }, index) =>
      caption.append(index ? "; " : "", element("span", { class: `of-${kind}` }, words)));
    caption.append(circles.length ? "; circle: a mistake follows." : ".");
    // This HTML consists of numbers and class names. Text from a record is never part of it.
    this.#figure.innerHTML = `<svg viewBox="0 0 ${this.#width} ${HEIGHT}" role="img">${svg}</svg>`;
    this.#figure.querySelector("svg").setAttribute("aria-label", caption.textContent);
    this.#figure.append(caption);
  }

  /** Moves the vertical line to a number of moves. */
  show(move) {
    const now = this.#figure.querySelector(".now");
    if (now) ["x1", "x2"].forEach((end) => now.setAttribute(end, this.#across(move)));
  }

  #across(move) {
    return (LEFT + ((this.#width - LEFT - RIGHT) * move) / this.#moves).toFixed(1);
  }

  #grid(top, step, up) {
    let svg = "";
    for (let seeds = -top; seeds <= top; seeds += step) {
      svg += horizontal(seeds ? "grid" : "zero", up(seeds), this.#width - RIGHT);
      svg += `<text x="${LEFT - 6}" y="${up(seeds) + 4}" text-anchor="end">${signed(seeds, 0)}</text>`;
    }
    return svg;
  }

  #scale() {
    const every = [1, 2, 5, 10, 20, 50, 100].find((every) => this.#moves / every <= this.#width / 50)
      ?? this.#moves;
    let svg = "";
    for (let move = 0; move <= this.#moves; move += every) {
      const x = this.#across(move);
      svg += `<line class="tick" x1="${x}" x2="${x}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM + 5}"/>`;
      svg += `<text x="${x}" y="${HEIGHT - BOTTOM + 19}" text-anchor="middle">${move}</text>`;
    }
    return `${svg}<text x="${(this.#width + LEFT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">moves</text>`;
  }
}
