// The view for learning: the lessons of the tutorial and the puzzles, one at a time on the board.
// The server judges every answer and keeps the history of the puzzles.
import { ApiError, get, patiently, post } from "./api.js";
import { Board, element, isKeyOfView } from "./board.js";
import { complain, keep, setting, style } from "./page.js";
import { sow } from "./sowing.js";

const PAGE = `
<div class="desk">
<section data-is="exercise" aria-label="Exercise"></section>
<aside class="beside" aria-label="All exercises">
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
<details data-is="all"><summary>All puzzles</summary><ol class="puzzles"></ol></details>
</section>
</aside>
</div>`;

const EXERCISE = `
<h1></h1>
<div data-is="task"></div>
<div class="board" role="group" aria-label="Board"></div>
<div class="card answer" data-is="answer" aria-live="polite"></div>
<div class="row controls" role="group" aria-label="Help">
<button data-do="back">Back</button>
<button data-do="hint">Hint</button>
<button data-do="solution">Solution</button>
<button data-do="again">Start over</button>
<button data-do="next">Next</button>
</div>
<p class="keys">Keys: <kbd>A</kbd> to <kbd data-is="last"></kbd> sow, <kbd>t</kbd> hint, <kbd>s</kbd>
solution, <kbd>r</kbd> start over, <kbd>←</kbd> <kbd>→</kbd> other exercises.</p>`;

const MOTIFS = {
  capture: "a capture", "extra-turns": "extra turns", defence: "defence", endgame: "the endgame",
};

const ENDS = {
  lessons: `That was the last lesson. Choose the level “starter” and the coach for a good first
game, or solve some puzzles.`,
  puzzles: "That was the last puzzle.",
};

let root, board;
/** Counts how often the view was opened or left: an answer from before must not be shown. */
let opened = 0;
/** Removes the listeners of an exercise. */
let left;
/** "lessons" or "puzzles", and the number of the exercise. */
let kind, number;
/** The lessons and puzzles to choose from, as the server lists them. */
let lessons, puzzles;
/** The exercise as the server sets it. */
let task;
/** The numbers of the exercises of this kind, in the order in which they are set. */
let order;
/** The letters of the right moves, the position after them, and the pits that can be sown. */
let moves, position, legal;
let isSolved;
let sowing;

const part = (name) => root.querySelector(`[data-is=${name}]`);

const lessonsDone = () => setting("lessons", { done: [] }).done;

/** Shows what went wrong, unless the server is not there, which the page shows already. */
function report(error) {
  if (!(error instanceof ApiError && error.status === 0)) complain(error.message);
}

// The list of all exercises.

const stateOf = (isRight) => ({ true: ["✓", "solved"], false: ["✗", "not solved"] })[isRight] ?? ["", ""];

/** A link to an exercise, with a mark for its result. */
function entry(address, text, isRight) {
  const [mark, words] = stateOf(isRight);
  const sign = element("span", { class: "mark", ...(words && { "aria-label": words, role: "img" }) }, mark);
  return element("li", {}, element("a", { href: address }, text), " ", sign);
}

/** Lists all exercises with their results, and marks the one that is shown. */
function list() {
  const done = lessonsDone();
  const listed = lessons.map(({ number, title }) =>
    entry(`#/learn/lessons/${number}`, title, done.includes(number) || undefined));
  root.querySelector(".lessons").replaceChildren(...listed);
  const { summary, saved } = puzzles;
  part("summary").textContent = saved ? summary : `${summary} Answers are not saved.`;
  const [first] = puzzles.puzzles;
  part("next-puzzle").href = `#/learn/puzzles/${first.number}`;
  root.querySelector(".puzzles").replaceChildren(...puzzles.puzzles.map((puzzle) => {
    const { number, right, motif, difficulty } = puzzle;
    const about = `Puzzle ${number}${motif ? ` about ${MOTIFS[motif]}, ${difficulty}` : ""}`;
    return entry(`#/learn/puzzles/${number}`, about, right ?? undefined);
  }));
  // An address can hold anything: it is compared, not made part of a selector.
  const shown = [...root.querySelectorAll("aside a")].find(({ hash }) => hash === location.hash);
  shown?.setAttribute("aria-current", "page");
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
  say("", "Which pit do you sow?");
  showBoard();
  ({ legal } = task);
  allow();
}

/** Enables the legal pits without their moves: the learner must find out where a move ends. */
function allow() {
  board.allow(legal.map((pit) => ({ pit })));
  const next = root.querySelector("[data-do=next]");
  next.classList.toggle("main", isSolved);
  for (const help of ["hint", "solution"]) root.querySelector(`[data-do=${help}]`).disabled = isSolved;
}

/** Shows sentences about an answer; `verdict` gives them their colour. */
function say(verdict, ...sentences) {
  const answer = part("answer");
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
  if (streak || isSolved) refresh().catch(report);
  const about = motif && `The puzzle is about ${MOTIFS[motif]}; its difficulty is ${difficulty}.`;
  say(verdict, move?.sentence, sentence, streak, about);
  ({ legal } = judged);
  allow();
  if (!isSolved) return;
  if (kind === "lessons") keep("lessons", { done: [...new Set([...lessonsDone(), number])] });
  root.querySelector("[data-do=next]").focus({ preventScroll: true });
}

/** Fetches the results of the puzzles. */
async function refresh() {
  const mine = opened;
  const listed = await get("puzzles");
  if (mine !== opened) return;
  puzzles = listed;
  list();
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
  if (!isKeyOfView(event)) return;
  if (board.press(event.key)) event.preventDefault();
  else if (keys[event.key]) act(keys[event.key]);
}

function exercise() {
  part("exercise").innerHTML = EXERCISE;
  const name = kind === "lessons" ? "Lesson" : "Puzzle";
  const title = task.title && ` of ${task.count}: ${task.title}`;
  root.querySelector("h1").textContent = `${name} ${number}${title}`;
  part("task").append(...task.text.map((text) => element("p", {}, text)));
  part("last").textContent = String.fromCharCode(64 + task.position.pits);
  board = new Board(root.querySelector(".board"), {
    onPit: (pit) => answer(pit).catch(report), onEmpty: (pit) => say("", `Pit ${pit} is empty.`),
  });
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

export async function show(place, { path: [wantedKind, wantedNumber] }) {
  opened += 1;
  const mine = opened;
  const isExercise = ["lessons", "puzzles"].includes(wantedKind);
  const [all, listed, set] = await patiently(() => Promise.all([
    get("lessons"), get("puzzles"),
    isExercise && get(`${wantedKind}/${encodeURIComponent(wantedNumber)}`), style("learn.css"),
  ]));
  if (mine !== opened) return;
  [root, lessons, puzzles, task] = [place, all.lessons, listed, set];
  root.innerHTML = PAGE;
  root.querySelector(".desk").classList.toggle("overview", !isExercise);
  part("all").open = !isExercise;
  list();
  if (!isExercise) {
    part("exercise").append(element("h1", {}, "Learn"));
    order = undefined;
    return;
  }
  // The order of the puzzles stays the same while the learner works through them.
  if (kind !== wantedKind || !order?.includes(task.number)) {
    order = (wantedKind === "lessons" ? lessons : puzzles.puzzles).map((one) => one.number);
  }
  [kind, number] = [wantedKind, task.number];
  exercise();
}

export function leave() {
  opened += 1;
  left?.abort();
  sowing?.finish();
}
