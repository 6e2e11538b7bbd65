// The analysis of a whole line: the engine evaluates each position, the values go into the
// record, and the server judges the moves by them.
import { get } from "./api.js";
import { SIDES, counted, element } from "./board.js";
import { engine } from "./engine.js";
import { known } from "./margins.js";
import { mistakesOf } from "./review.js";
import { keep, setting } from "./store.js";
import { thinkingOptions, valueOf } from "./thinking.js";

const SECONDS = [0.1, 0.3, 1, 3, 10];

/** The value of a position in seeds for its mover; undefined if the search was dropped. */
async function valued({ text }, milliseconds) {
  const listed = known(await get(`openings?${new URLSearchParams({ position: text })}`));
  if (listed?.proved) return listed;
  // Not a limited search: it would end immediately where there is only one move.
  const search = engine.search({
    position: text, go: "infinite", options: thinkingOptions(),
    onInfo: (info) => valueOf(info)?.proved && engine.stop(),
  });
  // Stops repeatedly: if the connection is lost, the search restarts and must be stopped again.
  const timer = setInterval(() => engine.stop(), milliseconds);
  const best = await search.best;
  clearInterval(timer);
  const info = best?.lines[0];
  return info && { margin: info.margin, depth: info.depth, nodes: info.nodes, ...valueOf(info) };
}

export class WholeGame {
  #root;
  #hooks;
  /** A token for the running analysis, which ends when the token is replaced. */
  #run;

  /**
   * `onStart` ends other searches and returns the tree and the nodes of the line to analyse.
   * `onValue` is called after each value, and `onEnd` once all values are in the tree. `onLook`
   * gets the number of a move of the main line to show.
   */
  constructor(root, hooks) {
    this.#root = root;
    this.#hooks = hooks;
    root.innerHTML = `
      <div class="row">
        <button type="button" data-do="review" disabled></button>
        <label>Per position <select></select></label>
        <progress hidden></progress>
      </div>
      <p class="quiet" role="status"></p>
      <ul class="mistakes"></ul>
      <p data-of="decisive"></p>`;
    const [select] = root.getElementsByTagName("select");
    const chosen = setting("review", { seconds: 0.3 }).seconds;
    select.append(...SECONDS.map((seconds) => {
      const option = element("option", { value: seconds }, `${seconds} s`);
      option.selected = seconds === chosen;
      return option;
    }));
    select.addEventListener("change", () => keep("review", { seconds: Number(select.value) }));
    this.#button.addEventListener("click", () => (this.#run ? this.stop() : this.#review()));
    root.addEventListener("click", ({ target }) => {
      const number = target.closest("[data-look]")?.dataset.look;
      if (number) this.#hooks.onLook(Number(number));
    });
    this.#label();
  }

  get #button() {
    return this.#root.querySelector("[data-do=review]");
  }

  #label() {
    this.#button.textContent = this.#run ? "Stop the analysis" : "Analyse the whole game";
  }

  #say(sentence) {
    this.#root.querySelector("[role=status]").textContent = sentence;
  }

  /** Forgets what was said about a different game. */
  clear() {
    this.stop();
    this.#say("");
  }

  stop() {
    if (!this.#run) return;
    this.#run = undefined;
    engine.drop();
    this.#say("Stopped.");
    this.#end();
  }

  #end() {
    this.#run = undefined;
    this.#root.querySelector("progress").hidden = true;
    this.#label();
  }

  // Works from the end to the start, so that the transposition table already covers what follows a
  // position.
  async #review() {
    const run = {};
    const { tree, line } = this.#hooks.onStart();
    const nodes = [tree.root, ...line].filter(({ position }) => !position.over);
    this.#run = run;
    this.#label();
    const progress = this.#root.querySelector("progress");
    Object.assign(progress, { hidden: false, max: nodes.length, value: 0 });
    const milliseconds = 1000 * setting("review", { seconds: 0.3 }).seconds;
    try {
      for (const node of nodes.toReversed()) {
        this.#say(`Position ${progress.value + 1} of ${nodes.length}.`);
        node.value = await valued(node.position, milliseconds) ?? node.value;
        if (this.#run !== run) return;
        progress.value += 1;
        this.#hooks.onValue();
      }
      tree.annotate(nodes);
      this.#say(`${counted(nodes.length, "position")} analysed.`);
      this.#hooks.onEnd();
    } catch (error) {
      this.#say(error.message);
    }
    if (this.#run === run) this.#end();
  }

  /** Shows the judgement of the main line: counts, the decisive move, the marked moves. */
  show(tree, names) {
    const { judged, main } = tree;
    this.#button.disabled = !this.#run && !tree.main.length;
    const counts = judged?.counts ?? [];
    this.#root.querySelector(".mistakes").replaceChildren(...counts.map((words, index) => {
      const side = "SN"[index];
      const marked = main.filter(({ step }) => step.mark && step.side === side);
      return mistakesOf(side, names[side], words, marked.map(({ number, turn, step }) => ({ number, turn, ...step })));
    }));
    const decisive = main[(judged?.decisive ?? 0) - 1];
    this.#root.querySelector("[data-of=decisive]").textContent = decisive
      ? `Turn ${decisive.turn} decided the game: ${SIDES[decisive.step.side].name} sowed `
        + `${decisive.step.pit} and lost ${counted(decisive.step.lost, "seed")}.`
      : "";
  }
}
