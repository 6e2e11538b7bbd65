// The view in which one learns: the lessons of the tutorial and puzzles, one at a time on the
// board. The server judges every answer and keeps the history of the puzzles.
import { ApiError, get, patiently, post } from "./api.js";
import { Board, element } from "./board.js";
import { complain, keep, setting, style } from "./page.js";
import { sow } from "./sowing.js";

const LIST = `
<h1>Learn</h1>
<div class="desk">
<section class="card" aria-labelledby="lessons-heading">
<h2 id="lessons-heading">Lessons</h2>
<p>The game in eight lessons, each with a position to solve.</p>
<ol class="lessons"></ol>
</section>
<section class="card" aria-labelledby="puzzles-heading">
<h2 id="puzzles-heading">Puzzles</h2>
<p>Positions in which exactly one move is best. The first answer to each counts.</p>
<p data-is="summary"></p>
<p><a class="button" data-is="next-puzzle">Solve the next puzzle</a></p>
<details><summary>All puzzles</summary><ol class="puzzles"></ol></details>
</section>
</div>`;

const EXERCISE = `
<p><a href="#/learn">All lessons and puzzles</a></p>
<h1></h1>
<div class="desk">
<section aria-label="Exercise">
<div class="board" role="group" aria-label="Board"></div>
<div class="row controls" role="group" aria-label="Exercise">
<button data-do="back">Back</button>
<button data-do="hint">Hint</button>
<button data-do="solution">Solution</button>
<button data-do="again">Start over</button>
<button data-do="next">Next</button>
</div>
<p class="keys">Keys: <kbd>A</kbd> to <kbd data-is="last"></kbd> sow, <kbd>t</kbd> hint, <kbd>s</kbd>
solution, <kbd>r</kbd> start over, <kbd>←</kbd> <kbd>→</kbd> other exercises.</p>
</section>
<aside class="beside" aria-label="Task">
<section class="card" data-is="task"></section>
<section class="card answer" data-is="answer" aria-live="polite" hidden></section>
</aside>
</div>`;

const ENDS = {
  lessons: `That was the last lesson. Choose the level “starter” and the coach for a good first
game, or solve some puzzles.`,
  puzzles: "That was the last puzzle.",
};

let root, board;
/** How often the view was opened or left: what comes later must not show. */
let opened = 0;
/** Ends the listeners. */
let left;
/** "lessons" or "puzzles", and the number of the exercise. */
let kind, number;
/** The exercise as the server sets it. */
let task;
/** The numbers of the puzzles, in the order in which they were to be set. */
let order;
/** The letters of the right moves, the position after them, and the pits that can be sown. */
let moves, position, legal;
let isSolved;
let sowing;

const part = (name) => root.querySelector(`[data-is=${name}]`);

const lessonsDone = () => setting("lessons", { done: [] }).done;

/** Says what went wrong; without a server, the page has said so. */
function report(error) {
  if (!(error instanceof ApiError && error.status === 0)) complain(error.message);
}

// The list of all exercises.

const stateOf = (isRight) => ({ true: ["✓", "solved"], false: ["✗", "not solved"] })[isRight] ?? ["", ""];

/** A link to an exercise, with a mark for what came of it. */
function entry(address, text, isRight) {
  const [mark, words] = stateOf(isRight);
  const sign = element("span", { class: "mark", ...(words && { "aria-label": words, role: "img" }) }, mark);
  return element("li", {}, element("a", { href: address }, text), " ", sign);
}

function list(lessons, { puzzles, summary, saved }) {
  root.innerHTML = LIST;
  const done = lessonsDone();
  root.querySelector(".lessons").append(...lessons.map(({ number, title }) =>
    entry(`#/learn/lessons/${number}`, title, done.includes(number) || undefined)));
  part("summary").textContent = saved ? summary : `${summary} Answers are not saved.`;
  part("next-puzzle").href = `#/learn/puzzles/${puzzles[0].number}`;
  root.querySelector(".puzzles").append(...puzzles.map(({ number, right, motif, difficulty }) => {
    const about = motif ? `Puzzle ${number}: ${motif}, ${difficulty}` : `Puzzle ${number}`;
    return entry(`#/learn/puzzles/${number}`, about, right ?? undefined);
  }));
}

// One exercise.

const address = () => `${kind}/${number}`;

/** The number of the exercise before (-1) or after (1) this one, if there is one. */
function neighbour(step) {
  return order[order.indexOf(number) + step];
}

function showBoard(before = position, sown = undefined) {
  const { side } = task.position;
  const names = { S: "South", N: "North" };
  names[side] += " (you)";
  board.show(position, names, { before, sown, isOver: isSolved });
}

function begin() {
  sowing?.finish();
  [moves, position, isSolved] = ["", task.position, false];
  part("answer").hidden = true;
  showBoard();
  ({ legal } = task);
  allow();
}

/** Where a move ends is for the learner to find out: only which pits can be sown. */
function allow() {
  board.allow(legal.map((pit) => ({ pit })));
  const next = root.querySelector("[data-do=next]");
  next.classList.toggle("main", isSolved);
  for (const help of ["hint", "solution"]) root.querySelector(`[data-do=${help}]`).disabled = isSolved;
}

/** Shows sentences about an answer; `verdict` gives them their colour. */
function say(verdict, ...sentences) {
  const answer = part("answer");
  answer.hidden = false;
  answer.className = `card answer ${verdict}`;
  answer.replaceChildren(...sentences.filter(Boolean).map((sentence) => element("p", {}, sentence)));
}

async function answer(given) {
  const mine = opened;
  board.allow([]);
  let judged;
  try {
    judged = await patiently(() => post(address(), { moves, answer: given }));
  } catch (error) {
    if (mine === opened) allow();
    throw error;
  }
  if (mine !== opened) return;
  const { verdict, sentence, move, streak, motif, difficulty } = judged;
  if (move) {
    const before = position;
    moves += move.pit;
    isSolved = verdict === "right";
    sowing = sow(board, root.querySelector(".board"), move);
    await sowing.done;
    if (mine !== opened) return;
    position = judged.position;
    showBoard(before, move.pit);
  }
  const about = motif && `A puzzle about ${motif.replace("-", " ")}, ${difficulty}.`;
  say(verdict, move?.sentence, sentence, streak, about);
  ({ legal } = judged);
  allow();
  if (!isSolved) return;
  if (kind === "lessons") keep("lessons", { done: [...new Set([...lessonsDone(), number])] });
  root.querySelector("[data-do=next]").focus({ preventScroll: true });
}

function go(step) {
  const other = neighbour(step);
  if (other) location.hash = `#/learn/${kind}/${other}`;
  else if (step > 0) say("", ENDS[kind]);
}

const actions = {
  hint: () => answer("hint"),
  solution: () => answer("solution"),
  again: begin,
  back: () => go(-1),
  next: () => go(1),
};

const keys = { t: "hint", s: "solution", r: "again", ArrowLeft: "back", ArrowRight: "next" };

function act(action) {
  const button = root.querySelector(`[data-do=${action}]`);
  if (!button.disabled) Promise.resolve(actions[action]()).catch(report);
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
  if (board.press(event.key)) event.preventDefault();
  else if (keys[event.key]) act(keys[event.key]);
}

function exercise() {
  root.innerHTML = EXERCISE;
  const name = kind === "lessons" ? "Lesson" : "Puzzle";
  const title = task.title && ` of ${task.count}: ${task.title}`;
  root.querySelector("h1").textContent = `${name} ${number}${title}`;
  part("task").append(...task.text.map((text) => element("p", {}, text)));
  part("last").textContent = String.fromCharCode(64 + task.position.pits);
  board = new Board(root.querySelector(".board"), { onPit: (pit) => answer(pit).catch(report) });
  board.turn(task.position.side);
  board.layOut(task.position.pits);
  root.querySelector("[data-do=back]").disabled = neighbour(-1) === undefined;
  root.querySelector(".controls").addEventListener("click", ({ target }) => {
    const { do: action } = target.closest("button")?.dataset ?? {};
    if (action) act(action);
  });
  left = new AbortController();
  document.addEventListener("keydown", onKey, { signal: left.signal });
  begin();
}

export async function show(place, { path }) {
  opened += 1;
  const mine = opened;
  const wanted = { kind: path[0], number: Number(path[1]) };
  const isExercise = ["lessons", "puzzles"].includes(wanted.kind) && wanted.number > 0;
  const [{ lessons }, puzzles, set] = await patiently(() => Promise.all([
    get("lessons"), get("puzzles"),
    isExercise ? get(`${wanted.kind}/${wanted.number}`) : undefined, style("learn.css"),
  ]));
  if (mine !== opened) return;
  root = place;
  if (!isExercise) {
    order = undefined;
    list(lessons, puzzles);
    return;
  }
  // The order of the puzzles stays while one works through them.
  if (kind !== wanted.kind || !order?.includes(wanted.number)) {
    order = (wanted.kind === "lessons" ? lessons : puzzles.puzzles).map((one) => one.number);
  }
  ({ kind, number } = wanted);
  task = set;
  exercise();
}

export function leave() {
  opened += 1;
  left?.abort();
  sowing?.finish();
}
