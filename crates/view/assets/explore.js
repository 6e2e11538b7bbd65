// The view for openings with exact margins. It shows what is proved about each move of a position,
// and how the move did in the games named on the command line.
import { get, post, report } from "./api.js";
import { Board, SIDES, counted, element } from "./board.js";
import { engine } from "./engine.js";
import { icon, iconButton } from "./icons.js";
import { actionOf, offerLetters, pressedKey } from "./keys.js";
import { LEGEND, bestOf, chip, known, notesOf } from "./margins.js";
import { moveIn } from "./moves.js";
import { style } from "./page.js";
import { DEFAULTS } from "./settings.js";
import { showFlag } from "./sowing.js";
import { thinkingOptions, valueOf } from "./thinking.js";
import { positionIn, recordOf } from "./tree.js";

/** The time for an estimate, in milliseconds. */
const ESTIMATE_TIME = 2000;

const TEMPLATE = `
  <div class="desk">
    <div>
      <div class="board" role="group" aria-label="Board"></div>
      <div class="row steps">
        <select aria-label="Opening board"></select>
        <button type="button" data-do="back" title="Left arrow" aria-label="Back">‹</button>
        ${iconButton("flip", "flip", "Flip", 'title="y"')}
        <a class="button" data-of="analyse">${icon("analyse")}<span>Analyse</span></a>
        <a class="button" data-of="play">${icon("play")}<span>Play from here</span></a>
      </div>
      <p class="moves" role="group" aria-label="Moves so far"></p>
      <p data-of="said" aria-live="polite"></p>
      <p class="keys">Keys: letters sow, <kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd>
      step through the line, <kbd>y</kbd> flips the board, <kbd>x</kbd> with a letter marks a pit.</p>
    </div>
    <div class="beside">
      <section class="card" aria-label="Moves">
        <h2>Moves, with South’s margin</h2>
        <table></table>
        <div class="row">
          <button type="button" data-do="estimate">Estimate the others</button>
        </div>
        <p class="quiet" data-of="source"></p>
        <p class="quiet" data-of="legend" hidden></p>
      </section>
    </div>
  </div>`;

let view;

const lettersOf = ({ record }) => record.moves.map(({ pit }) => pit);

class Explorer {
  #root;
  #board;
  #pits;
  #boards;
  /** The server's description of the start and the moves so far. */
  #game;
  /** The letters of the longest line shown that begins with these moves. */
  #line = [];
  #explored;
  /** The engine's estimates of moves without a proved margin, by their pit. */
  #estimates;
  #left = new AbortController();

  constructor(root, boards) {
    this.#root = root;
    this.#boards = boards;
    root.innerHTML = TEMPLATE;
    this.#of("legend").textContent = LEGEND;
    const place = root.querySelector(".board");
    this.#board = new Board(place, {
      onPit: (pit) => this.#play(pit), onRefuse: (reason, side) => showFlag(place, side, reason),
    });
    const select = root.querySelector("select");
    select.append(...boards.map((board) => element("option", { value: board.position }, titleOf(board))));
    select.addEventListener("change", () => {
      this.go(select.value, []);
    });
    root.querySelector(".desk").addEventListener("click", ({ target }) => {
      const { do: action, play, to } = target.closest("button")?.dataset ?? {};
      if (action) this.#actions[action]();
      if (play) this.#play(play);
      if (to) this.go(this.#game.start.text, lettersOf(this.#game).slice(0, Number(to)));
    });
    offerLetters(root);
    const { signal } = this.#left;
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
  }

  leave() {
    this.#left.abort();
    engine.drop();
  }

  #of(name) {
    return this.#root.querySelector(`[data-of=${name}]`);
  }

  get #actions() {
    const { length } = this.#game.steps;
    return {
      first: () => this.#step(0),
      back: () => this.#step(length - 1),
      next: () => this.#step(length + 1),
      last: () => this.#step(this.#line.length),
      flip: () => this.#board.flip(),
      estimate: () => this.#estimate(),
    };
  }

  #onKey(event) {
    const key = pressedKey(event);
    if (!key || !this.#game) return;
    const action = actionOf(key, this.#actions);
    if (action) this.#actions[action]();
    if (action || this.#board.press(key)) event.preventDefault();
  }

  /** Shows the position after a number of moves of the line, if it has that many. */
  #step(moves) {
    if (moves < 0 || moves > this.#line.length || moves === this.#game.steps.length) return;
    this.go(this.#game.start.text, this.#line.slice(0, moves));
  }

  #play(pit) {
    this.go(this.#game.start.text, [...lettersOf(this.#game), pit]);
  }

  /** Shows the position after some moves from a start, and adds it to the browser's history. */
  async go(start, letters) {
    try {
      await this.open(start, letters);
      history.pushState(null, "", this.#address("explore"));
    } catch (error) {
      report(error);
    }
  }

  async open(start, letters) {
    engine.drop();
    const { signal } = this.#left;
    const game = await post("game", recordOf(start, letters), signal);
    const explored = await get(`openings?${new URLSearchParams({ position: game.position.text })}`, signal);
    const isEarlier = this.#game?.start.text === game.start.text
      && this.#line.join("").startsWith(lettersOf(game).join(""));
    if (!isEarlier) this.#line = lettersOf(game);
    [this.#game, this.#explored, this.#estimates] = [game, explored, new Map()];
    this.#draw();
  }

  #address(view) {
    const { start } = this.#game;
    const query = { position: start.text, moves: lettersOf(this.#game).join("") };
    return `#/${view}?${new URLSearchParams(query)}`;
  }

  #draw() {
    const { start, steps, position, legal, over } = this.#game;
    const select = this.#root.querySelector("select");
    select.selectedIndex = this.#boards.findIndex((board) => board.position === start.text);
    // The same board is not laid out again, so that a focused pit keeps the focus.
    if (position.pits !== this.#pits) this.#board.layOut(position.pits);
    this.#pits = position.pits;
    const before = steps.at(-2)?.after ?? start;
    this.#board.show(position, { S: "South", N: "North" }, { before, sown: steps.at(-1)?.pit, isOver: over });
    this.#board.allow(legal);
    this.#drawLine(steps);
    const value = known(this.#explored);
    const said = [steps.at(-1)?.sentence ?? `${SIDES[position.side].name} to move.`];
    this.#of("said").replaceChildren(...said, ...(value ? [" The position is worth ", chip(value, position.side), "."] : []));
    this.#of("analyse").href = this.#address("analyse");
    this.#of("play").href = `#/play?${new URLSearchParams({ position: position.text })}`;
    this.#drawMoves();
  }

  // The moves so far: each leads back to the position after it.
  #drawLine(steps) {
    const place = this.#root.querySelector("p.moves");
    place.replaceChildren(element("button", { type: "button", "data-to": 0, class: "small" }, "Start"));
    steps.forEach(({ pit }, index) => {
      const current = index === steps.length - 1 ? { "aria-current": "step" } : {};
      place.append(" ", moveIn("button", pit, undefined, { type: "button", "data-to": index + 1, ...current }));
    });
  }

  /** The exact margin of a move; otherwise the engine's estimate, or proved bounds. */
  #valueOf(move) {
    const proved = known(move);
    return proved?.proved ? proved : this.#estimates.get(move.pit) ?? proved;
  }

  #drawMoves() {
    const { moves, games } = this.#explored;
    const { side } = this.#game.position;
    const values = moves.map((move) => [move, this.#valueOf(move)]);
    const ranked = values.toSorted(([, one], [, other]) => rank(other) - rank(one));
    const heads = ["Move", "Margin", ...(games ? ["Games", "Points"] : [])];
    const shown = new Map(values.filter(([, value]) => value).map(([{ pit }, value]) => [pit, value]));
    const bests = bestOf(shown);
    const rows = ranked.map(([{ pit, best, games: played, points }, value]) => {
      const button = moveIn("button", pit, undefined, { type: "button", "data-play": pit });
      const margin = element("td", {}, value ? chip(value, side) : "not proved");
      if (best || bests.has(pit)) margin.append(element("strong", { class: "star" }, " ★ best"));
      const cells = [element("td", {}, button), margin];
      if (games) {
        const share = played ? `${Math.round((100 * points) / played)} %` : "";
        cells.push(element("td", { class: "number" }, played || ""), element("td", { class: "number" }, share));
      }
      return element("tr", {}, ...cells);
    });
    const head = element("tr", {}, ...heads.map((words) => element("th", { scope: "col" }, words)));
    this.#root.querySelector("table").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
    this.#board.annotate(notesOf(shown, side));
    this.#of("legend").hidden = !shown.size;
    this.#root.querySelector("[data-do=estimate]").hidden = moves.every((move) => known(move)?.proved);
    const board = this.#boards[this.#root.querySelector("select").selectedIndex];
    const source = board ? `Source of the margin at the start: ${board.source}.` : "";
    this.#of("source").textContent = moves.length ? source : "The game is over.";
  }

  /** Has the engine search the moves of the position briefly. */
  #estimate() {
    const game = this.#game;
    const search = engine.search({
      position: game.position.text, go: `movetime ${ESTIMATE_TIME}`, options: { ...thinkingOptions(), MultiPV: 16 },
      onInfo: (info) => {
        const value = valueOf(info);
        if (game !== this.#game || !value) return;
        this.#estimates.set(info.pv[0], value);
        this.#drawMoves();
      },
    });
    this.#of("source").textContent = "The engine is thinking.";
    search.best.then(() => game === this.#game && this.#drawMoves());
  }
}

// Moves of unknown value come last.
const rank = (value) => value?.margin ?? value?.lower ?? value?.upper ?? -Infinity;

const titleOf = ({ pits, seeds, capture, margin, positions }) => {
  const rules = capture === DEFAULTS.capture ? "" : `, ${capture.replace("-", " ")}`;
  const worth = margin > 0 ? `South wins by ${margin}` : margin < 0 ? `North wins by ${-margin}` : "a draw";
  return `(${pits},${seeds})${rules}: ${worth}${positions ? `, ${counted(positions, "opening")}` : ""}`;
};

export async function show(root, { query }, signal) {
  const [{ boards }] = await Promise.all([get("boards"), style("analyse.css")]);
  signal.throwIfAborted();
  const sorted = boards.toSorted((one, other) => (other.positions > 0) - (one.positions > 0));
  view = new Explorer(root, sorted);
  await view.open(positionIn(query), query.get("moves") ?? "");
}

export function leave() {
  view?.leave();
  view = undefined;
}
