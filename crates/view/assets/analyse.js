// The views for analysis and openings, which begin with different tabs: a board and a game as a tree of
// moves, with the engine, the solver and the opening book. The address holds the position shown: the
// start and the moves to it.
import { get, patiently, post, report } from "./api.js";
import { Board, SIDES, copy, counted, sideOf } from "./board.js";
import { Curve } from "./curve.js";
import { Evaluation } from "./evaluation.js";
import { Exact, mergedValues } from "./exact.js";
import { Files } from "./files.js";
import { LEGEND, notesOf, southern } from "./margins.js";
import { STEPS, icon, iconButton } from "./icons.js";
import { actionOf, offerLetters, pressedKey } from "./keys.js";
import { showMove } from "./moves.js";
import { Openings } from "./openings.js";
import { storePlace, style } from "./page.js";
import { latestAddress } from "./play.js";
import { expectedLine, leadLine } from "./review.js";
import { load } from "./saved.js";
import { showFlag } from "./sowing.js";
import { recalled, remember } from "./store.js";
import { Thinking } from "./thinking.js";
import { START, Tree, drawTree, positionIn, recordOf } from "./tree.js";
import { WholeGame } from "./wholegame.js";

/** Milliseconds without a change before the server is queried. */
const SETTLED = 250;
/** The maximum number of positions whose legal moves are kept. */
const MAX_KEPT = 1000;
/** The key under which the browser keeps the last analysis until the page is closed. */
const KEPT = "kalah.analysis";

const TEMPLATE = `
  <div class="desk">
    <div>
      <h1></h1>
      <div class="evaluated"><div class="evaluation" data-of="evaluation"></div>
      <div class="board" role="group" aria-label="Board"></div></div>
      <div class="row steps">
        ${STEPS}
        ${iconButton("flip", "flip", "Flip", 'title="y"')}
        ${iconButton("edit", "edit", "Set up")}
        ${iconButton("fresh", "fresh", "New")}
        ${iconButton("copyLink", "link", "Copy link")}
        <a class="button" data-of="play">${icon("play")}<span>Play from here</span></a>
      </div>
      <div class="spoken"><p data-of="step" aria-live="polite"></p>
      <p data-of="why"><button type="button" data-do="why">Why?</button> <span></span></p></div>
      <p class="quiet" data-of="legend" hidden></p>
    </div>
    <div class="beside">
      <div class="tabs" role="tablist" aria-label="Beside the board">
        <button type="button" role="tab" data-tab="analysis" aria-controls="analysis-panel">Analysis</button>
        <button type="button" role="tab" data-tab="openings" aria-controls="openings-panel">Openings</button>
        <button type="button" role="tab" data-tab="files" aria-controls="files-panel">Files</button>
      </div>
      <div id="analysis-panel" data-panel="analysis" role="tabpanel" aria-label="Analysis">
      <section class="card" aria-label="Engine"><h2>Engine</h2><div data-of="thinking"></div></section>
      <section class="card" aria-label="Moves"><h2>Moves</h2>
        <div class="tree" tabindex="0" role="group" aria-label="Moves"></div>
        <p data-of="latest" hidden><a class="button">${icon("analyse")}<span>Analyse the current game</span></a></p>
        <div class="row" data-of="tools">
          <button type="button" data-do="promote">Make this the main line</button>
          <button type="button" data-do="remove">Delete from here</button>
        </div>
        <textarea rows="2" maxlength="2000" aria-label="Comment on this move" placeholder="Comment on this move"></textarea>
      </section>
      <section class="card" aria-label="Whole game"><h2>Whole game</h2><div data-of="review"></div></section>
      <section class="card" aria-label="Solver"><h2>Solver</h2><div data-of="exact"></div></section>
      </div>
      <section id="openings-panel" class="card" data-panel="openings" role="tabpanel" aria-label="Openings" data-of="openings"></section>
      <section id="files-panel" class="card" data-panel="files" role="tabpanel" aria-label="Files" data-of="files"></section>
    </div>
    <div class="below">
      <figure class="curve"></figure>
      <p class="keys">Keys: letters sow, <kbd>←</kbd> <kbd>→</kbd> step, <kbd>↑</kbd> <kbd>↓</kbd> choose a variation,
        <kbd>Home</kbd> <kbd>End</kbd> jump to the ends, <kbd>Space</kbd> starts and stops the
        engine, <kbd>m</kbd> <kbd>Shift</kbd>+<kbd>m</kbd> jump to the next and the previous
        mistake, <kbd>y</kbd> flips the board, <kbd>x</kbd> with a letter marks a pit.</p>
    </div>
  </div>`;

/** The names of the views in their addresses, with their headings and the tabs that they open. */
const VIEWS = {
  analyse: { heading: "Analysis", tab: "analysis" },
  explore: { heading: "Openings", tab: "openings" },
};

/** The view that is open. */
let view;

class Analysis {
  #root;
  /** One of `VIEWS`. */
  #name;
  #tree;
  #node;
  #names;
  #buttons = new Map();
  #board;
  #curve;
  #evaluation;
  #thinking;
  #exact;
  #openings;
  #review;
  #files;
  /** The latest judgement of the whole record, and the number of changes to the tree. */
  #judged;
  #changes = 0;
  #timer;
  /** An address, followed by the only record that it describes completely. */
  #linked;
  /** The legal moves of positions, by their text. */
  #legal = new Map();
  /** South's margin at the position shown, as the curve was last drawn. */
  #drawn;
  #isPreview = false;
  #left = new AbortController();

  constructor(root, name) {
    this.#root = root;
    this.#name = name;
    root.innerHTML = TEMPLATE;
    const place = root.querySelector(".board");
    this.#board = new Board(place, {
      onPit: (pit) => this.#sow(pit), onRefuse: (reason, side) => showFlag(place, side, reason),
    });
    this.#curve = new Curve(root.querySelector(".curve"), (move) =>
      this.#show([this.#tree.root, ...this.#node.line][move]));
    this.#evaluation = new Evaluation(this.#of("evaluation"));
    this.#thinking = new Thinking(this.#of("thinking"), {
      onStart: () => this.#review.stop(),
      onValues: (node) => this.#showValues(node),
      onPreview: (step) => this.#preview(step),
      onPlay: (node, steps) => this.#playAll(node, steps),
    });
    this.#exact = new Exact(this.#of("exact"), (node) => this.#showValues(node));
    this.#openings = new Openings(this.#of("openings"), {
      signal: this.#left.signal,
      onPosition: (position) => this.#begin(position).catch(report),
      onPlay: (pit) => this.#sow(pit),
      onValues: (node) => this.#showValues(node),
    });
    this.#review = new WholeGame(this.#of("review"), {
      onStart: () => {
        this.#thinking.stop();
        return { tree: this.#tree, line: this.#node.line };
      },
      onValue: () => this.#drawCurve(),
      onEnd: () => this.#change(),
      onLook: (number) => this.#show(this.#tree.main[number - 1]),
    });
    this.#files = new Files(this.#of("files"), {
      onOpen: (game) => this.#openNew(game),
      shown: () => ({
        position: this.#node?.position ?? { text: START }, letters: this.#letters(), game: () => this.#judge(),
      }),
    });
    this.#of("legend").textContent = LEGEND;
    offerLetters(root);
    this.#listen();
  }

  /** Opens the games of a file that was dropped on the page. */
  drop(file) {
    this.#openTab("files");
    this.#files.drop(file);
  }

  #of(name) {
    return this.#root.querySelector(`[data-of=${name}]`);
  }

  #listen() {
    const { signal } = this.#left;
    this.#root.querySelector(".desk").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      this.#do(button?.dataset.do);
      if (button?.dataset.tab) this.#openTab(button.dataset.tab);
      const node = [...this.#buttons].find(([, other]) => other === button)?.[0];
      if (node) this.#show(node);
    });
    this.#root.querySelector(".tabs").addEventListener("keydown", (event) => this.#onTabKey(event));
    this.#openTab(VIEWS[this.#name].tab);
    let pause;
    this.#field.addEventListener("input", () => {
      clearTimeout(pause);
      // Browsers limit how often the address changes.
      pause = setTimeout(() => !signal.aborted && this.#takeComment(), SETTLED);
    });
    this.#field.addEventListener("change", () => this.#takeComment());
    addEventListener("pagehide", () => this.#takeComment(), { signal });
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    let width = innerWidth;
    addEventListener("resize", () => {
      if (width !== innerWidth) this.#drawCurve();
      width = innerWidth;
    }, { signal });
  }

  #openTab(name) {
    for (const tab of this.#root.querySelectorAll("[data-tab]")) {
      tab.setAttribute("aria-selected", tab.dataset.tab === name);
      tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
    }
    for (const panel of this.#root.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
    if (this.isOpen) this.#showOpenings();
  }

  // On the tabs, arrow keys choose a tab, not a move.
  #onTabKey(event) {
    const tabs = [...this.#root.querySelectorAll("[data-tab]")];
    const at = tabs.indexOf(event.target);
    const next = { ArrowLeft: tabs.at(at - 1), ArrowRight: tabs[(at + 1) % tabs.length], Home: tabs[0], End: tabs.at(-1) }[event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    this.#openTab(next.dataset.tab);
    next.focus();
  }

  leave() {
    // The address already belongs to the next view.
    if (this.#setComment()) this.#keep(this.#tree.record());
    this.#left.abort();
    clearTimeout(this.#timer);
    this.#thinking.stop();
    this.#exact.stop();
    this.#review.stop();
  }

  /**
   * Opens a game as the server describes it, at the position after `letters`. Without them, a
   * finished game opens at its start, and an unfinished one at its end. `isLinked` means that the
   * address alone describes all of it.
   */
  open(game, letters, isLinked = false) {
    this.#review.clear();
    this.#files.clear();
    this.#tree = new Tree(game);
    this.#linked = isLinked && location.hash + JSON.stringify(this.#tree.record());
    this.#names = game.names;
    this.#judged = game;
    this.#board.layOut(game.start.pits);
    this.#drawTree();
    const end = game.over ? "" : game.record.moves.map(({ pit }) => pit).join("");
    this.#show(this.#tree.find(letters ?? end));
    this.#review.show(this.#tree, this.#namesAt(this.#end));
  }

  async #begin(position) {
    this.#openNew(await post("game", recordOf(position)));
  }

  // The back button returns to what was shown before.
  #openNew(game) {
    if (this.isOpen) {
      this.#setComment();
      this.#link();
    }
    history.pushState(null, "", `#/${this.#name}`);
    this.open(game);
  }

  /** Whether there is a game to show, from the address or from the reader. */
  get isOpen() {
    return this.#node !== undefined;
  }

  #letters() {
    return this.#node?.path.map(({ move }) => move.pit).join("") ?? "";
  }

  // The record names the players as they sit at the end of the main line.
  #namesAt({ isSwapped }) {
    const { S, N } = this.#names;
    const [south, north] = isSwapped === this.#end.isSwapped ? [S, N] : [N, S];
    return { S: south || "South", N: north || "North" };
  }

  get #end() {
    return this.#tree.main.at(-1) ?? this.#tree.root;
  }

  #show(node) {
    if (this.#tree.has(this.#node)) this.#takeComment();
    this.#node = node;
    this.#setPreview(false);
    const { position, parent, step, move } = node;
    const names = this.#namesAt(node);
    this.#board.show(position, names, {
      before: parent?.position, sown: move?.pit, isOver: position.over,
    });
    const isNamed = this.#names.S || this.#names.N;
    this.#root.querySelector("h1").textContent = isNamed ? `${names.S} - ${names.N}` : VIEWS[this.#name].heading;
    this.#of("step").textContent = this.#describe(node);
    this.#of("why").hidden = !step?.mark;
    this.#of("why").querySelector("span").textContent = "";
    showMove(this.#root.querySelector(".tree"), this.#buttons.get(node));
    this.#of("tools").hidden = !parent;
    this.#root.querySelector("[data-do=promote]").disabled = node.isMain;
    const about = `Comment on ${parent ? "this move" : "the game"}`;
    Object.assign(this.#field, { value: this.#comment, placeholder: about, ariaLabel: about });
    this.#files.show(position);
    this.#thinking.think(node);
    this.#exact.show(node);
    this.#drawCurve();
    this.#showValues(node);
    this.#settle(node);
  }

  #describe({ turn, step, position, isMain, children }) {
    if (!step) return position.over ? "The game is over." : `${SIDES[position.side].name} to move.`;
    const parts = [`${turn}. ${step.sentence}`];
    if (step.mark) parts.push(`The move (${step.mark}) loses ${counted(step.lost, "seed")}.`);
    if (isMain && !children.length && !position.over && this.#tree.result) parts.push(this.#tree.result);
    return parts.join(" ");
  }

  /** Asks the server what was better than the move shown. */
  async #explain({ parent, move }) {
    const said = this.#of("why").querySelector("span");
    said.textContent = "The engine is comparing the moves.";
    const { sentence } = await post("judge", { position: parent.position.text, pit: move.pit }, this.#left.signal);
    if (this.#node.move === move) said.textContent = sentence ?? "A longer search finds nothing better.";
  }

  // A reader who steps quickly through moves causes no requests or address changes.
  #settle(node) {
    this.#board.allow(this.#legalIn(node) ?? []);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#link();
      if (!this.#legalIn(node)) this.#allow(node);
      this.#showOpenings();
    }, node.children.length ? SETTLED : 0);
  }

  #showOpenings() {
    this.#openings.show(this.#node, this.#tree.root.position.text).catch(report);
  }

  #link() {
    const { text } = this.#tree.root.position;
    const moves = this.#letters();
    const query = new URLSearchParams({ ...(text !== START && { position: text }), ...(moves && { moves }) });
    // The state lets the back button and a reload restore the variations, too.
    const record = this.#tree.record();
    const hash = `#/${this.#name}${query.size ? `?${query}` : ""}`;
    try {
      storePlace(hash, hash + JSON.stringify(record) === this.#linked ? null : { record });
    } catch {
      // The record may be too large for the browser, or the address may have changed too often.
    }
    const { position } = this.#node;
    this.#of("play").href = `#/play?${new URLSearchParams({ position: position.text })}`;
    this.#of("play").hidden = position.over;
    this.#keep(record);
  }

  #keep(record) {
    remember(KEPT, { record, start: this.#tree.root.position.text, moves: this.#letters() });
  }

  #legalIn({ position }) {
    return this.#legal.get(position.text);
  }

  async #allow(node) {
    const { text } = node.position;
    try {
      const { legal } = await patiently(() => {
        if (node !== this.#node) throw new DOMException("a different position is shown", "AbortError");
        return post("game", recordOf(text), this.#left.signal);
      });
      if (this.#legal.size > MAX_KEPT) this.#legal.clear();
      this.#legal.set(text, legal);
      if (node === this.#node) this.#board.allow(legal);
    } catch (error) {
      report(error);
    }
  }

  #showValues(node) {
    if (node !== this.#node || this.#isPreview) return;
    const { side } = node.position;
    const values = mergedValues(node);
    this.#board.annotate(notesOf(values, side));
    this.#openings.draw(node);
    this.#of("legend").hidden = !values.size;
    // The opening book may lack the best move.
    const known = [...mergedValues({ values: node.values, proved: node.proved }).values()].filter(({ margin }) => margin !== undefined);
    if (known.length) node.value = known.reduce((best, value) => (value.margin > best.margin ? value : best));
    this.#evaluation.show(node.value ?? this.#endOf(node), side);
    if (!known.length) return;
    const best = node.value;
    const margin = southern(best.margin, side).toFixed(1);
    if (margin !== this.#drawn) this.#drawCurve();
    this.#drawn = margin;
  }

  /** The value of a position in which the game is over. */
  #endOf({ position: { over, stores, side } }) {
    return over ? { margin: southern(stores.S - stores.N, side), proved: true } : undefined;
  }

  #setPreview(isPreview) {
    this.#isPreview = isPreview;
    this.#root.querySelector(".board").classList.toggle("preview", isPreview);
  }

  /** Shows the position after a step of a pv; without a step, shows the node's again. */
  #preview(step) {
    if (!step && !this.#isPreview) return;
    this.#setPreview(Boolean(step));
    const [node, names] = [this.#node, this.#namesAt(this.#node)];
    if (step) {
      this.#board.annotate({});
      this.#board.allow([]);
      this.#board.show(step.after, names, { sown: step.pit, isOver: step.after.over });
    } else {
      this.#board.show(node.position, names, { isOver: node.position.over });
      this.#board.allow(this.#legalIn(node) ?? []);
      this.#showValues(node);
    }
  }

  #sow(pit) {
    this.#playAll(this.#node, (this.#legalIn(this.#node) ?? []).filter((move) => move.pit === pit));
  }

  #playAll(from, steps) {
    let [node, isNew] = [from, false];
    for (const step of steps) {
      isNew ||= !node.children.some(({ move }) => move.pit === step.pit);
      node = this.#tree.play(node, step);
    }
    if (isNew) this.#change();
    this.#show(node);
  }

  get #field() {
    return this.#root.querySelector(".beside textarea");
  }

  /** The comment on the move shown, or on the game before its first move. */
  get #comment() {
    return (this.#node.parent ? this.#node.move : this.#tree.head).comment ?? "";
  }

  /** Stores what was typed; returns whether it has changed. */
  #setComment() {
    const text = this.#field.value.trim();
    if (!this.isOpen || text === this.#comment.trim()) return false;
    const comment = text || undefined;
    if (!this.#node.parent) {
      this.#tree.head = { ...this.#tree.head, comment };
      this.#tree.comment = comment;
      return true;
    }
    this.#node.move = { ...this.#node.move, comment };
    this.#node.step = { ...this.#node.step, comment };
    return true;
  }

  #takeComment() {
    if (this.#setComment()) this.#change();
  }

  #drawTree() {
    const latest = latestAddress();
    this.#of("latest").hidden = !latest || this.#tree.main.length > 0;
    if (latest) this.#of("latest").querySelector("a").href = latest;
    this.#buttons = drawTree(this.#root.querySelector(".tree"), this.#tree);
    this.#buttons.get(this.#node)?.setAttribute("aria-current", "step");
  }

  /** Draws and stores a changed tree, and has the server judge it once it stops changing. */
  #change() {
    this.#changes += 1;
    this.#judged = undefined;
    this.#drawTree();
    this.#link();
    const changes = this.#changes;
    setTimeout(() => changes === this.#changes && this.#judge().catch(report), SETTLED);
  }

  /** The server's description of the whole record. */
  async #judge() {
    if (this.#judged) return this.#judged;
    const [changes, tree] = [this.#changes, this.#tree];
    const game = await post("game", tree.record());
    if (changes !== this.#changes || tree !== this.#tree) return game;
    this.#judged = game;
    tree.update(game);
    this.#drawTree();
    this.#drawCurve();
    this.#review.show(tree, this.#namesAt(this.#end));
    return game;
  }

  #drawCurve() {
    const line = this.#node.line;
    const nodes = [this.#tree.root, ...line];
    const names = this.#namesAt(this.#node);
    const { isAnnotated } = this.#tree;
    const circled = (points) => points.filter(([index]) => line[index]?.step.mark);
    const recorded = (side) => line.flatMap(({ move, number }) =>
      move.value !== undefined && sideOf(move.pit) === side
        ? [[number - 1, southern(move.value / 100, side)]] : []);
    const valued = nodes.flatMap(({ value, position, children, number }) => {
      const { side, over, stores } = position;
      if (over) return [[number, stores.S - stores.N]];
      const noted = isAnnotated ? children[0]?.move.value : undefined;
      const margin = value?.margin ?? (noted === undefined ? undefined : noted / 100);
      return margin === undefined ? [] : [[number, southern(margin, side)]];
    });
    const lines = [expectedLine(valued.length > 1 ? valued : [], (index) => isAnnotated && line[index]?.step.mark)];
    if (!isAnnotated) {
      for (const [side, colour] of [["S", "blue"], ["N", "orange, dashed"]]) {
        const points = recorded(side);
        lines.push({ kind: SIDES[side].kind, words: `${colour}: what ${names[side]} expects`, points, circled: circled(points) });
      }
    }
    const lead = nodes.map(({ number, position: { stores } }) => [number, stores.S - stores.N]);
    this.#curve.draw(line.length, [...lines, leadLine(lead)]);
    this.#curve.show(this.#node.number);
  }

  // Goes to the nearest marked move of the line after (1) or before (-1) the one shown.
  #jump(direction) {
    const { number, line } = this.#node;
    const marked = line.filter((node) => node.step.mark && (node.number - number) * direction > 0);
    const node = direction > 0 ? marked[0] : marked.at(-1);
    if (node) this.#show(node);
  }

  // Goes to the next (1) or the previous (-1) variation of the move shown.
  #turn(direction) {
    const siblings = this.#node.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.#node) + direction];
    if (next) this.#show(next);
  }

  get #actions() {
    const node = this.#node;
    return {
      first: () => this.#show(this.#tree.root),
      back: () => node.parent && this.#show(node.parent),
      next: () => node.children.length && this.#show(node.children[0]),
      last: () => this.#show(node.line.at(-1) ?? node),
      up: () => this.#turn(-1),
      down: () => this.#turn(1),
      flip: () => this.#board.flip(),
      copyLink: async () => {
        this.#link();
        this.#of("step").textContent = await copy("link", location.href);
      },
      think: () => this.#thinking.toggle(),
      nextMistake: () => this.#jump(1),
      previousMistake: () => this.#jump(-1),
      why: () => this.#explain(node),
      edit: async () => {
        const { edit } = await import("./editor.js");
        const game = await edit(node.position, this.#left.signal);
        if (game) this.#openNew(game);
      },
      fresh: () => this.#begin(START),
      promote: () => {
        this.#tree.promote(node);
        this.#change();
        this.#show(node);
      },
      remove: () => {
        const parent = this.#tree.remove(node);
        this.#change();
        this.#show(parent);
      },
    };
  }

  /** Performs the action of a button or a key, if it has one here. */
  async #do(name) {
    if (!this.isOpen) return;
    try {
      await this.#actions[name]?.();
    } catch (error) {
      report(error);
    }
  }

  #onKey(event) {
    const key = pressedKey(event);
    if (!key || !this.isOpen) return;
    // A pit comes first: on a wide board, `m` is one.
    if (this.#board.press(key)) {
      event.preventDefault();
      return;
    }
    const action = actionOf(key, this.#actions);
    if (!action) return;
    event.preventDefault();
    this.#do(action);
  }
}

/** A game from a match named on the command line. */
async function ofMatch(match, number) {
  const { games: [main] } = await get(["matches", match, "games", number].map(encodeURIComponent).join("/"));
  const { games: [game] } = await post("read", { text: main.kgn });
  return game;
}

/** Whether a record has a line that begins with these letters. */
function hasLine({ moves, variations = [] }, letters) {
  const lettersOf = (line) => line.map(({ pit }) => pit).join("");
  const main = lettersOf(moves);
  const lines = variations.map(({ after, moves }) => main.slice(0, after) + lettersOf(moves));
  return [main, ...lines].some((line) => line.toLowerCase().startsWith(letters.toLowerCase()));
}

/** The game that an address names, and the letters of the moves to the position to show. */
async function linked(query) {
  const { saved, match, game, moves = "" } = Object.fromEntries(query);
  const start = positionIn(query);
  if (saved) return [await load(saved)];
  if (match) return [await ofMatch(match, game)];
  const last = recalled(KEPT);
  const isLast = last.record && (!query.size || (last.start === start && hasLine(last.record, moves)));
  const known = history.state?.record ? { ...history.state, moves } : isLast ? last : {};
  if (known.record) return [await post("game", known.record), query.size ? moves : known.moves];
  return [await post("game", recordOf(start, moves)), moves, true];
}

export async function show(root, { view: name, query }, signal) {
  await style("analyse.css");
  signal.throwIfAborted();
  root.classList.add("view-analyse");
  const opened = new Analysis(root, name);
  view = opened;
  const open = (shown) => view === opened && !opened.isOpen && opened.open(...shown);
  try {
    open(await linked(query));
  } catch (error) {
    report(error);
    open([await post("game", recordOf(START))]);
  }
}

export const drop = (file) => view?.drop(file);

export function leave() {
  view?.leave();
  view = undefined;
}
