// The view for learning: the lessons of the tutorial and the puzzles, one at a time on the board.
// The server judges every answer and keeps the history of the puzzles.
import { get, patiently, post, report } from "./api.js";
import { Board, element } from "./board.js";
import { icon, iconButton } from "./icons.js";
import { actionOf, offerLetters, pressedKey } from "./keys.js";
import { enable, isEnabled, style, wait } from "./page.js";
import { levels } from "./settings.js";
import { sow } from "./sowing.js";

const OVERVIEW = `
<h1>Learn</h1>
<section aria-labelledby="lessons-heading">
<h2 id="lessons-heading">Lessons</h2>
<p>The game in eight lessons, each with a position to solve.</p>
<p class="row"><progress data-is="progress"></progress> <span data-is="done"></span>
<a class="button main" data-is="next-lesson"></a></p>
<ol class="lessons cards"></ol>
</section>
<section aria-labelledby="puzzles-heading">
<h2 id="puzzles-heading">Puzzles</h2>
<p>Positions in which exactly one move is best. The first answer to each counts.</p>
<p data-is="summary"></p>
<p><a class="button" data-is="next-puzzle">Solve the next puzzle</a></p>
<div class="puzzles"></div>
</section>`;

const EXERCISE = `
<div class="desk">
<section class="task" aria-label="Exercise"><h1></h1><div data-is="task"></div></section>
<div class="board" role="group" aria-label="Board"></div>
<section class="talk" aria-label="Answer">
<div class="card answer" data-is="answer" aria-live="polite"></div>
<div class="row controls" role="group" aria-label="Help">
<button data-do="back">Back</button>
${iconButton("hint", "hint", "Hint")}
<button data-do="solution">Solution</button>
${iconButton("again", "undo", "Start over")}
<button data-do="next">Next</button>
<a class="button main" data-is="first-game" hidden>${icon("play")}<span>Play your first game</span></a>
</div>
<p class="keys">Keys: <kbd>A</kbd> to <kbd data-is="last"></kbd> sow, <kbd>t</kbd> hint, <kbd>s</kbd>
solution, <kbd>r</kbd> start over, <kbd>x</kbd> with a letter mark a pit, <kbd>←</kbd> <kbd>→</kbd> other exercises.</p>
</section>
<aside class="beside" aria-label="All exercises">
<section class="card"><h2><a href="#/learn">All lessons and puzzles</a></h2>
<p class="quiet" data-is="summary"></p>
<div data-is="list"></div>
</section>
</aside>
</div>`;

const MOTIFS = {
  capture: "a capture", "extra-turns": "extra turns", defence: "defence", endgame: "the endgame",
};

const ENDS = {
  lessons: "That was the last lesson. You now know enough for a first game; the coach will help you.",
  puzzles: "That was the last puzzle.",
};

/** Milliseconds for which a move is highlighted, or a wrong one stays on the board. */
const PAUSE = 1200;

let root, board;
/** Counts how often the view was opened or left: a stale answer must not be shown. */
let opened = 0;
/** Counts the answers: a later one ends what an earlier one still shows. */
let attempt = 0;
/** Removes the listeners of an exercise. */
let left;
/** "lessons" or "puzzles", and the number of the exercise. */
let kind, number;
/** The lessons and puzzles to choose from, as the server lists them, and the first level. */
let lessons, puzzles, level;
/** The exercise as the server sets it. */
let task;
/** The numbers of the exercises of this kind, in the order in which they are set. */
let order;
/** The letters of the right moves, the position after them, and the pits that can be sown. */
let moves, position, legal;
let isSolved;
let sowing;

const part = (name) => root.querySelector(`[data-is=${name}]`);

// The lists of exercises.

const stateOf = (isRight) => ({ true: ["✓", "solved"], false: ["✗", "not solved"] })[isRight] ?? ["", ""];

/** A link to an exercise, with a mark for its result. */
function entry(address, isRight, ...inside) {
  const [mark, words] = stateOf(isRight);
  const sign = element("span", { class: "result-mark", ...(words && { "aria-label": words, role: "img" }) }, mark);
  return element("li", {}, element("a", { href: address, ...(address === location.hash && { "aria-current": "page" }) }, ...inside, sign));
}

/** A picture of a position. */
function picture(position) {
  const place = element("div", { class: "board picture", "aria-hidden": true });
  const drawn = new Board(place);
  drawn.turn(position.side);
  drawn.layOut(position.pits);
  drawn.show(position, { S: "", N: "" });
  return place;
}

const lessonEntry = ({ number, title, solved }, ...inside) =>
  entry(`#/learn/lessons/${number}`, solved || undefined, ...inside, element("span", {}, `${number}. ${title}`));

/** The puzzles by their difficulty. */
function puzzleLists() {
  const byDifficulty = Map.groupBy(puzzles.puzzles, ({ difficulty }) => difficulty);
  return [...byDifficulty].flatMap(([difficulty, all]) => {
    const solved = all.filter(({ right }) => right).length;
    const items = all.map(({ number, right }) =>
      entry(`#/learn/puzzles/${number}`, right ?? undefined, element("span", {}, `Puzzle ${number}`)));
    const heading = `${difficulty[0].toUpperCase()}${difficulty.slice(1)}: ${solved} of ${all.length} solved`;
    return [element("h3", {}, heading), element("ul", { class: "plain-list" }, ...items)];
  });
}

const summary = () => (puzzles.saved ? puzzles.summary : `${puzzles.summary} Answers are not saved.`);

/** Shows all lessons and puzzles with what has been achieved. */
function overview() {
  const done = lessons.filter(({ solved }) => solved).length;
  const next = lessons.find(({ solved }) => !solved);
  Object.assign(part("progress"), { max: lessons.length, value: done });
  part("done").textContent = `${done} of ${lessons.length} lessons solved`;
  part("next-lesson").textContent = done ? `Continue with lesson ${next?.number}` : "Begin with lesson 1";
  part("next-lesson").href = `#/learn/lessons/${next?.number}`;
  part("next-lesson").hidden = !next;
  root.querySelector(".lessons").replaceChildren(...lessons.map((one) => lessonEntry(one, picture(one.position))));
  part("summary").textContent = summary();
  part("next-puzzle").classList.toggle("main", !next);
  part("next-puzzle").href = `#/learn/puzzles/${puzzles.next}`;
  root.querySelector(".puzzles").replaceChildren(...puzzleLists());
}

/** Lists the exercises of the kind that is shown. */
function list() {
  const isLessons = kind === "lessons";
  part("summary").textContent = isLessons ? "" : summary();
  const items = isLessons
    ? [element("ol", { class: "lessons plain-list" }, ...lessons.map((one) => lessonEntry(one)))]
    : [element("div", { class: "puzzles" }, ...puzzleLists())];
  part("list").replaceChildren(...items);
}

// One exercise.

const address = () => `${kind}/${number}`;

/** The number of the exercise before (-1) or after (1) this one, if there is one. */
function neighbour(step) {
  return order[order.indexOf(number) + step];
}

function showBoard(shown, before = shown, sown = undefined) {
  const { side } = task.position;
  const names = { S: "South", N: "North" };
  names[side] += " (you)";
  board.show(shown, names, { before, sown, isOver: isSolved });
}

function begin() {
  interrupt();
  [moves, position, isSolved] = ["", task.position, false];
  say("", "Which pit do you sow?");
  showBoard(position);
  ({ legal } = task);
  allow();
}

/** Enables the legal pits without their moves: the learner must find out where a move ends. */
function allow() {
  board.allow(legal.map((pit) => ({ pit })));
  const next = root.querySelector("[data-do=next]");
  const isEnd = isSolved && kind === "lessons" && !neighbour(1);
  next.classList.toggle("main", isSolved);
  next.hidden = isEnd;
  part("first-game").hidden = !isEnd;
  disableHelp(isSolved);
}

function disableHelp(isDisabled) {
  for (const help of ["hint", "solution"]) enable(root.querySelector(`[data-do=${help}]`), !isDisabled);
}

/** Shows sentences about an answer; `verdict` gives them their colour. */
function say(verdict, ...sentences) {
  const answer = part("answer");
  answer.className = `card answer ${verdict}`;
  answer.replaceChildren(...sentences.filter(Boolean).map((sentence) => element("p", {}, sentence)));
}

/** Sows a move on the board, and then shows the position after it; returns whether that is still wanted. */
async function sown(move, before) {
  const mine = attempt;
  sowing = sow(board, root.querySelector(".board"), move);
  await sowing.done;
  if (mine === attempt) showBoard(move.after, before, move.pit);
  return mine === attempt;
}

/** Plays the solution from the start of the exercise. */
async function demonstrate(solution) {
  const mine = attempt;
  let before = task.position;
  showBoard(before);
  for (const move of solution) {
    board.hint(move.pit);
    await wait(PAUSE);
    if (mine !== attempt) return;
    board.hint();
    if (!await sown(move, before)) return;
    before = move.after;
  }
}

/** Ends what an earlier answer still shows. */
function interrupt() {
  attempt += 1;
  sowing?.finish();
  board.hint();
  return attempt;
}

async function answer(given) {
  const mine = interrupt();
  board.allow([]);
  disableHelp(true);
  let judged;
  try {
    judged = await patiently(() => post(address(), { moves, answer: given }));
  } catch (error) {
    if (mine === attempt) allow();
    throw error;
  }
  if (mine !== attempt) return;
  const { verdict, sentence, move, tried, solution, streak, motif, difficulty } = judged;
  if (move) {
    moves += move.pit;
    isSolved = verdict === "right";
    if (!await sown(move, position)) return;
    position = judged.position;
  }
  if (streak || isSolved) refresh().catch(report);
  const about = motif && `The puzzle is about ${MOTIFS[motif]}; its difficulty is ${difficulty}.`;
  say(verdict, move?.sentence, sentence, streak, about);
  if (tried) await sown(tried, position);
  if (solution) await demonstrate(solution);
  if (tried || solution) {
    await wait(PAUSE);
    if (mine !== attempt) return;
    showBoard(position);
  }
  if (solution) board.hint(solution[moves.length]?.pit);
  ({ legal } = judged);
  allow();
  if (!isSolved) return;
  if (!neighbour(1)) part("answer").append(element("p", {}, ENDS[kind]));
  const next = part("first-game").hidden ? root.querySelector("[data-do=next]") : part("first-game");
  // On a phone, this also brings the button into view.
  next.focus();
}

/** Fetches the results. */
async function refresh() {
  const mine = opened;
  const [all, listed] = await Promise.all([get("lessons"), get("puzzles")]);
  if (mine !== opened) return;
  [lessons, puzzles] = [all.lessons, listed];
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

function act(action) {
  const button = root.querySelector(`[data-do=${action}]`);
  if (!button.disabled && isEnabled(button)) Promise.resolve(actions[action]()).catch(report);
}

function onKey(event) {
  const key = pressedKey(event);
  if (!key) return;
  const action = actionOf(key, actions);
  if (board.press(key)) event.preventDefault();
  else if (action) act(action);
}

function exercise() {
  const name = kind === "lessons" ? "Lesson" : "Puzzle";
  const title = task.title && ` of ${task.count}: ${task.title}`;
  root.querySelector("h1").textContent = `${name} ${number}${title}`;
  part("task").append(...task.text.map((text) => element("p", {}, text)));
  part("last").textContent = String.fromCharCode(64 + task.position.pits);
  board = new Board(root.querySelector(".board"), {
    onPit: (pit) => answer(pit).catch(report), onRefuse: (reason) => say("", reason),
  });
  board.turn(task.position.side);
  board.layOut(task.position.pits);
  root.querySelector("[data-do=back]").disabled = neighbour(-1) === undefined;
  root.querySelector(".controls").addEventListener("click", ({ target }) => {
    const { do: action } = target.closest("button")?.dataset ?? {};
    if (action) act(action);
  });
  part("first-game").href = `#/play?level=${encodeURIComponent(level)}`;
  offerLetters(root);
  left = new AbortController();
  document.addEventListener("keydown", onKey, { signal: left.signal });
  begin();
}

export async function show(place, { path: [wantedKind, wantedNumber] }) {
  opened += 1;
  const mine = opened;
  const isExercise = ["lessons", "puzzles"].includes(wantedKind);
  const [all, listed, players, set] = await patiently(() => Promise.all([
    get("lessons"), get("puzzles"), levels(),
    isExercise && get(`${wantedKind}/${encodeURIComponent(wantedNumber)}`), style("learn.css"),
  ]));
  if (mine !== opened) return;
  [root, lessons, puzzles, level, task] = [place, all.lessons, listed, players.default, set];
  root.innerHTML = isExercise ? EXERCISE : OVERVIEW;
  if (!isExercise) {
    overview();
    return;
  }
  [kind, number] = [wantedKind, task.number];
  order = (kind === "lessons" ? lessons : puzzles.puzzles).map((one) => one.number);
  list();
  exercise();
}

export function leave() {
  opened += 1;
  attempt += 1;
  left?.abort();
  sowing?.finish();
}
