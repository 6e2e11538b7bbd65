// Shows games one move at a time, in the elements of games.html. Each game comes with its
// positions and marks, so that neither the rules nor the judgement of moves are needed here.
import { Board, SIDES, Stepper, copy, counted, download, element, sideOf } from "./board.js";
import { Curve, signed } from "./curve.js";
import { actionOf, offerLetters, pressedKey } from "./keys.js";
import { drawMoves, moveIn, showMove, turnNumbers } from "./moves.js";

/** Maximum number of games in the list: browsers are slow to lay out thousands. */
const MAX_LISTED = 400;

let root, board, stepper, curve;
/** The source of the games: see `begin`. */
let source;
/** The games to choose from, in numerical order. */
let titles;
/** All lines of the game on the board, the main line first, and the line on the board. */
let lines, game;
/** The number of the line that was requested last. */
let wanted;
/** Aborts the listeners on the document and the window. */
let left;

const at = (id) => root.querySelector(`#${id}`);

/** A loss in hundredths of a seed as seeds, unrounded: 1.98 is below the threshold of 2. */
const inSeeds = (hundredths) => String(hundredths / 100);

const nameOf = (mark) => source.marks.find((one) => one.mark === mark).name;

const seedsOf = (hundredths) =>
  ({ 50: "half a seed", 100: "1 seed" })[hundredths] ?? `${inSeeds(hundredths)} seeds`;

const pits = () => (game.positions.length / (game.moves.length + 1) - 3) / 2;

// The position after a number of moves: a letter for the side to move, then one character per
// store and pit.
function position(moves) {
  const size = 3 + 2 * pits();
  const [side, ...counts] = game.positions.slice(size * moves, size * (moves + 1));
  const seeds = counts.map((character) => character.charCodeAt(0) - 48);
  return {
    side,
    stores: { S: seeds[0], N: seeds[1] },
    rows: { S: seeds.slice(2, 2 + pits()), N: seeds.slice(2 + pits()) },
  };
}

const textOf = ({ side, stores, rows }) =>
  `<${[pits(), stores.S, stores.N, ...rows.S, ...rows.N].join(",")}> ${side}`;

// The names of the players with their sides, after a number of moves. If both players have the
// same name, the names already end with their sides.
function names(moves) {
  const [south, north] = game.players.map((player) => source.players[player]);
  const isBeforeSwap = game.swapped !== undefined && moves < game.swapped;
  const [S, N] = isBeforeSwap ? [north, south] : [south, north];
  const withSide = (name, side) => (name.endsWith(` (${side})`) ? name : `${name} (${side})`);
  return { S: withSide(S, "South"), N: withSide(N, "North") };
}

function title({ number, players: [south, north], result }) {
  const versus = `${source.players[south]} - ${source.players[north]}: ${result}`;
  return source.count > 1 ? `${number}. ${versus}` : versus;
}

// The other lines of the game, each with the number of moves that it shares with this one.
function branches() {
  return lines.filter((line) => line !== game).map((line) => {
    const parted = [...line.moves].findIndex((letter, index) => letter !== game.moves[index]);
    return { line, shared: parted < 0 ? line.moves.length : parted };
  });
}

// A button that switches to a different line, after its first move that differs.
function branch({ line, shared }) {
  const rest = line.moves.slice(shared);
  const text = `(${line.number}: ${rest.slice(0, 12)}${rest.length > 12 ? "…" : ""})`;
  return element("button", { class: "branch", "data-line": line.number, "data-from": shared + 1 }, text);
}

// The turn numbers of all moves.
const turns = () => turnNumbers(game.moves);

// A button for a move, with its mark.
function moveButton(number, kind = "", isMarked = true) {
  const letter = game.moves[number - 1];
  const side = SIDES[sideOf(letter)];
  const [mark] = game.marks?.[number] ?? [];
  const label = `Turn ${turns()[number - 1]}: ${side.name} sows ${letter}${mark ? `, ${nameOf(mark)}` : ""}`;
  const attributes = { class: kind, "data-move": number, "aria-label": label, title: label };
  return moveIn("button", letter, isMarked ? mark : undefined, mark ? { ...attributes, "data-mark": mark } : attributes);
}

// Other lines are listed after the turn in which they branch off.
function listMoves() {
  const others = branches();
  const last = game.moves.length - 1;
  drawMoves(at("moves"), [...game.moves].map((letter, index) => ({
    letter,
    shown: moveButton(index + 1, index < game.book ? "book" : ""),
    asides: others.filter(({ shared }) => Math.min(shared, last) === index).map(branch),
  })));
}

// The marked moves as buttons to jump to, their counts, and the move that decided the game.
function listMistakes() {
  const isJudged = game.counts !== undefined;
  at("mistakes").hidden = at("mistake-keys").hidden = !isJudged;
  if (!isJudged) return;
  const last = names(game.moves.length);
  at("counts").replaceChildren(...["S", "N"].map((side, index) =>
    element("li", {}, element("span", { class: `of-${SIDES[side].kind}` }, last[side]),
      `: ${game.counts[index]}.`)));
  const item = ([number, [, lost]]) =>
    element("li", {}, `${turns()[number - 1]}. `, moveButton(Number(number)), ` -${inSeeds(lost)}`);
  at("marked").replaceChildren(...Object.entries(game.marks).map(item));
  const decisive = game.decisive;
  at("decisive").replaceChildren(...(decisive
    ? [`Turn ${turns()[decisive - 1]} decided the game: ${names(decisive - 1)[sideOf(game.moves[decisive - 1])]} sowed `,
      moveButton(decisive, "", false), ` and lost ${seedsOf(game.marks[decisive][1])}.`]
    : []));
}

const explainMarks = () => source.marks.map(({ mark, name, from }) =>
  `${mark} is an ${name}`.replace(/an (?![aeiou])/, "a ") + `, a loss of ${seedsOf(from)} or more`);

// The expectations of both players and the seeds in the stores, as South's margin.
function drawCurve() {
  const { S, N } = names(game.moves.length);
  const expected = (of) => game.values.flatMap((value, index) =>
    value !== null && sideOf(game.moves[index]) === of ? [[index, value / 100]] : []);
  const line = (kind, words, points) =>
    ({ kind, words, points, circled: points.filter(([index]) => game.marks?.[index + 1]) });
  const lead = [...game.moves, ""].map((_, move) => {
    const { S, N } = position(move).stores;
    return [move, S - N];
  });
  curve.draw(game.moves.length, [
    line("south", `blue: what ${S} expects`, expected("S")),
    line("north", `orange, dashed: what ${N} expects`, expected("N")),
    { kind: "lead", words: "grey: the current lead", points: lead },
  ]);
}

// The last move in words. All numbers are from South's point of view, as in the curve.
function describe(shown) {
  const moves = game.moves.length;
  const numbers = turns();
  if (!shown) return moves ? `Before turn 1 of ${numbers.at(-1)}.` : "No moves.";
  const letter = game.moves[shown - 1];
  const side = sideOf(letter);
  const [before, after] = [position(shown - 1), position(shown)];
  const isLast = shown === moves;
  const banked = after.stores[side] - before.stores[side];
  const value = game.values[shown - 1];
  const [mark, lost] = game.marks?.[shown] ?? [];
  const sown = before.rows[side][letter.charCodeAt(0) - SIDES[side].first];
  const notes = [
    shown <= game.book && "a move of the opening",
    banked && `banks ${banked}`,
    !isLast && game.swapped !== shown && after.side === side && "moves again",
    value !== null && `expects South’s margin to be ${signed(value / 100, 2)}`,
    game.comments?.[shown],
    game.swapped === shown && "then the players swapped sides",
  ].filter(Boolean);
  const text = `Turn ${numbers[shown - 1]} of ${numbers.at(-1)}: ${names(shown - 1)[side]} sows ${letter} (${counted(sown, "seed")})`;
  const more = [
    mark && ` This ${nameOf(mark)} (${mark}) loses ${seedsOf(lost)}.`,
    isLast && ` Result: ${game.result}.`,
  ].filter(Boolean);
  return `${[text, ...notes].join(", ")}.${more.join("")}`;
}

function show(shown) {
  const [now, before] = [position(shown), position(Math.max(shown - 1, 0))];
  const isOver = shown === game.moves.length;
  board.show(now, names(shown), { before, sown: game.moves[shown - 1], isOver });
  at("position").textContent = textOf(now);
  const link = source.linkOf(game.number, shown);
  at("position").href = link;
  source.onShow?.(link);
  at("step").textContent = describe(shown);
  at("said").textContent = "";
  showMove(at("moves"), at("moves").querySelector(`[data-move="${shown}"]`));
  curve.show(shown);
}

function showPlaying(isPlaying) {
  root.querySelector("[data-do=play] span").textContent = isPlaying ? "Pause" : "Play";
}

/** Shows the line with a number, after some of its moves. */
export async function open(number, shown = 0) {
  wanted = number;
  const loaded = await source.load(number.split("v")[0]);
  // A different game may have been requested in the meantime.
  if (!loaded || wanted !== number) return;
  lines = loaded;
  game = lines.find((line) => line.number === number) ?? lines[0];
  if (!isChosen(game)) at("pairing").value = "";
  listGames();
  at("headline").textContent = title(game);
  at("about").textContent =
    [game.opening && `opening ${game.opening}`, game.rules].filter(Boolean).join("; ");
  board.layOut(pits());
  listMoves();
  listMistakes();
  drawCurve();
  stepper.open(game.moves.length, shown);
  source.onOpen?.(game.number);
}

const orderOf = (number) => Number(number.split("v")[0]);

const pairingOf = ({ players }) => [...players].sort((a, b) => a - b).join(" ");

const isChosen = (one) => ["", pairingOf(one)].includes(at("pairing").value);

const optionOf = (one) => element("option", { value: one.number }, title(one));

// Lists the games of one pairing, or all; if there are too many, those around the one that is
// shown. Only options that differ are changed, because the list may be open.
function listGames() {
  const select = at("game");
  const fitting = titles.filter(isChosen);
  const place = fitting.findIndex(({ number }) => number === game?.number);
  const from = Math.max(0, Math.min(place - MAX_LISTED / 2, fitting.length - MAX_LISTED));
  const known = new Map([...select.options].map((option) => [option.value, option]));
  fitting.slice(from, from + MAX_LISTED).forEach((one, index) => {
    const option = known.get(one.number) ?? optionOf(one);
    known.delete(one.number);
    if (select.options[index] !== option) select.insertBefore(option, select.options[index] ?? null);
  });
  known.forEach((option) => option.remove());
  if (game) select.value = game.number;
  at("direct").hidden = fitting.length <= MAX_LISTED;
}

// The pairings in the order of the tables: the first player of a pairing is the one listed
// first.
function listPairings() {
  const pairings = new Set(titles.map(pairingOf));
  if (pairings.size + 1 === at("pairing").options.length) return;
  const { value } = at("pairing");
  at("pairing").replaceChildren(element("option", { value: "" }, "all"));
  for (const pairing of [...pairings].sort()) {
    const [one, other] = pairing.split(" ").map((player) => source.players[player]);
    at("pairing").append(element("option", { value: pairing }, `${one} - ${other}`));
  }
  at("pairing").value = value;
  at("pairings").hidden = pairings.size < 2;
}

/** Adds games to choose from; the game on the board stays. */
export function add(more) {
  titles = [...titles, ...more].sort((one, other) => orderOf(one.number) - orderOf(other.number));
  listPairings();
  listGames();
  at("choice").hidden = titles.length < 2;
  at("games").hidden = !titles.length;
}

// The nearest marked move after (1) or before (-1) the one that is shown.
function jump(direction) {
  const numbers = Object.keys(game.marks ?? {}).map(Number);
  const beyond = numbers.filter((number) => (number - stepper.shown) * direction > 0);
  if (beyond.length) stepper.show(direction > 0 ? Math.min(...beyond) : Math.max(...beyond));
}

const tell = async (copied) => {
  at("said").textContent = await copied;
};

const actions = {
  first: () => stepper.show(0),
  back: () => stepper.show(stepper.shown - 1),
  next: () => stepper.show(stepper.shown + 1),
  last: () => stepper.show(game.moves.length),
  play: () => (stepper.isPlaying ? stepper.pause() : stepper.play(Number(at("speed").value))),
  flip: () => board.flip(),
  nextMistake: () => jump(1),
  previousMistake: () => jump(-1),
  copyPosition: () => tell(copy("position", textOf(position(stepper.shown)))),
  copyMoves: () => tell(copy("moves", game.moves)),
  copyGame: () => tell(copy("game", lines[0].kgn)),
  download: () => download(`game-${lines[0].number}.kgn`, lines[0].kgn),
};

function onKey(event) {
  const { top, bottom } = at("games").getBoundingClientRect();
  const isSeen = top < innerHeight && bottom > 0;
  const action = actionOf(pressedKey(event), actions);
  if (!game || !action || !isSeen) return;
  event.preventDefault();
  actions[action]();
}

function listen() {
  const { signal } = left;
  at("pairing").addEventListener("change", () => open(titles.find(isChosen).number));
  at("number").addEventListener("change", ({ target: { value } }) => {
    if (titles.some(({ number }) => number === value)) open(value);
  });
  at("game").addEventListener("change", () => open(at("game").value));
  at("speed").addEventListener("change", () => {
    if (stepper.isPlaying) stepper.play(Number(at("speed").value));
  });
  at("games").addEventListener("click", ({ target }) => {
    const { do: action, move, line, from } = target.closest("button")?.dataset ?? {};
    if (action) actions[action]();
    if (line) open(line, Number(from));
    if (move) stepper.show(Number(move));
  });
  document.addEventListener("keydown", onKey, { signal });
  // On paper, the end of a game is more informative than its start.
  addEventListener("beforeprint", () => stepper.shown || actions.last(), { signal });
}

/**
 * Begins to show games in an element that contains those of games.html. The source has the
 * names of the `players`, the meanings of the `marks`, and the expected `count` of games.
 * `load` takes the number of a game and returns its lines, a promise of them, or nothing;
 * `linkOf` returns the address of a line after some moves; `onShow` is called with each address
 * that is shown, and `onOpen` with the number of each line that is opened.
 */
export function begin(place, origin) {
  [root, source, titles, game] = [place, origin, [], undefined];
  left = new AbortController();
  board = new Board(at("board"));
  stepper = new Stepper(show, showPlaying);
  curve = new Curve(at("curve"), (moves) => stepper.show(moves));
  offerLetters(at("games"));
  at("marks").textContent = `${explainMarks().join("; ")}.`;
  listen();
}

/** The number of moves that have been played on the board. */
export const shownMoves = () => stepper.shown;

/** Drops all games, to start a new list; the game on the board stays until one is opened. */
export function forget({ players, marks, scheduled }) {
  Object.assign(source, { players, marks, count: scheduled });
  [titles, wanted] = [[], undefined];
  at("game").replaceChildren();
  at("pairing").replaceChildren();
}

/** Stops what `begin` began. */
export function end() {
  wanted = undefined;
  stepper?.pause();
  left?.abort();
}
