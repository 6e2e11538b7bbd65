// The view for playing: against the engine at a level, or two people at one screen.
//
// A game proceeds in steps: a move is shown and sent to the server, the coach judges it, the
// other player is asked. A step ends silently if the game has changed in the meantime (`isStale`),
// for example because the player took back a move.
import { patiently, post, report } from "./api.js";
import { Board, SIDES, copy, counted, element, letterOf, otherOf, outcome } from "./board.js";
import { Stopwatch, shownTime } from "./clock.js";
import { Coach } from "./coach.js";
import { START, positionIn, recordOf } from "./tree.js";
import { confirmed } from "./dialogs.js";
import { STEPS, icon, iconButton } from "./icons.js";
import { actionOf, offerLetters, pressedKey } from "./keys.js";
import { drawMoves, moveIn, showMove, turnNumbers } from "./moves.js";
import { complain, enable, isAwaitedElsewhere, isEnabled, onTold, storePlace, tell, wait } from "./page.js";
import { GameInPlay } from "./inplay.js";
import { addressOf, latestUnfinished, list } from "./saved.js";
import { DEFAULTS, levels, settings, wanted } from "./settings.js";
import { hasSound, knock } from "./sound.js";
import { PACES, pace, setPace, showFlag, sow } from "./sowing.js";
import { keep, setting } from "./store.js";
import { hasAlgorithms } from "./transport.js";

const PAGE = `
<h1 class="unseen">Play</h1>
<div class="desk">
<div class="board" role="group" aria-label="Board"></div>
<section class="talk" aria-label="Game">
<div class="card message">
<section class="result" data-is="result" aria-live="polite" hidden></section>
<p class="advice" data-is="advice" role="status" hidden></p>
<p data-is="swap" hidden>You may swap sides instead of moving. <button type="button" data-do="swap">Swap sides</button></p>
<div class="said" aria-live="polite" aria-relevant="additions"></div>
</div>
<div class="controls" role="group" aria-label="Your game">
${iconButton("takeBack", "undo", "Take back")}
${iconButton("redo", "redo", "Redo")}
${iconButton("flip", "flip", "Flip")}
${iconButton("hint", "hint", "Hint")}
${iconButton("rematch", "rematch", "Rematch", 'class="main" hidden')}
${iconButton("resign", "resign", "Resign")}
${iconButton("analyse", "analyse", "Analyse", "hidden")}
${iconButton("begin", "fresh", "New game")}
</div>
<section class="card" data-is="first" hidden>
<h2>How to play</h2>
<p>Choose one of your pits: its seeds are sown one by one, anticlockwise, including into your store.
If the last seed falls into your store, you move again. If it falls into an empty pit of your own,
you capture the seeds opposite. The game ends when all pits of one player are empty; the other player
keeps the seeds left in the other row. The player with more seeds wins.</p>
<p class="row"><button data-do="understood">Understood</button> <a href="#/learn">Show me in a tutorial</a></p>
</section>
</section>
<aside class="beside" aria-label="About the game">
<section class="card" data-is="review" aria-label="Review" hidden></section>
<section class="card" aria-label="Moves"><div class="row steps"><h2>Moves</h2>
${STEPS}
</div><div class="move-list" data-is="moves" tabindex="0" role="group" aria-label="Moves"></div></section>
<section class="card" aria-label="This game"><h2>This game</h2><p class="quiet" data-is="about"></p>
<p class="row">${iconButton("options", "options", "New game with options…")}
<a class="button" data-is="analyse">${icon("analyse")}<span>Analyse this game</span></a>
${iconButton("share", "link", "Share")}
${iconButton("standard", "fresh", "Standard board", "hidden")}</p>
<p class="row"><label><input type="checkbox" data-is="coach"> Coach</label>
<label><input type="checkbox" data-is="sound"> Sounds</label>
<label>Sowing <select data-is="pace"></select></label></p></section>
<details class="card" data-is="saved"><summary>Saved games</summary><ul class="plain"></ul></details>
<p class="keys">Keys: <kbd>A</kbd> to <kbd data-is="last"></kbd> sow, <kbd>t</kbd> hint, <kbd>u</kbd> take
back, <kbd>r</kbd> redo, <kbd>y</kbd> flip the board, <kbd>x</kbd> with a letter mark a pit, <kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd> look at other positions.</p>
</aside>
</div>`;

/** Milliseconds from a move to the reply, which is easier to follow if it does not come at once. */
const PAUSE = 350;
/** Milliseconds in which a whole reply should be shown at the normal pace, with its extra turns. */
const REPLY = 3500;
/** Milliseconds for which a move is highlighted before it is played, and its result stays after it. */
const HIGHLIGHT = 900;
/** The number of sentences that stay on the page. */
const SENTENCES = 3;

let root, board, place, newGame;
/** Ends listening to other tabs. */
let left;
/** The game; it outlives the view. */
let current;
/** The move that is being shown. */
let sowing;
/** The number of moves before an earlier position that is shown instead of the current one. */
let earlier;
/** When the last move had been shown, and when the turn of the engine began. */
let landed = 0, replying = 0;
/** Counts the changes to the game, so that a step can detect that it is stale. */
let happened = 0;
/** The time used in the current turn. */
const turn = new Stopwatch();
/** The sides that have run out of time. */
const late = new Set();
let ticking;
/** Whether the pointer was pressed while a move was being shown. */
let isSkipping = false;
let isFlipped = false;
/** Whether an unfinished game of an earlier visit waits for the player. */
let isWaiting = false;
/** The judgements of the game, and the review that shows them at its end. */
let coach, review;
/** Settles when no better move is being demonstrated. */
let demonstration = Promise.resolve();
/** The changes that players asked for; they are applied one after another. */
let changes = Promise.resolve();

const part = (name) => root.querySelector(`[data-is=${name}]`);

/** Interrupts the current step; returns a test for whether the game has changed since. */
function interrupt() {
  happened += 1;
  const number = happened;
  current?.drop();
  sowing?.finish();
  sowing = undefined;
  earlier = undefined;
  return () => number !== happened;
}

// The board and its surroundings.

const nameOf = (side) => {
  const seat = current.seat(side);
  if (!seat.person) return seat.name.replace("elo=", "Elo ");
  return current.onlyPerson ? "you" : current.game.names?.[side];
};

/** A side and who plays it: South (you). */
function sideAndName(side) {
  const name = nameOf(side);
  const isKnown = name && name !== "human";
  return isKnown ? `${SIDES[side].name} (${name})` : SIDES[side].name;
}

/** Who plays a side, with the clock. */
function plate(side) {
  const { person } = current.seat(side);
  const isThinking = !person && side === current.side && !current.game.over;
  const name = nameOf(side);
  const isKnown = name && name !== "human";
  const title = !person ? "Engine" : name === "you" ? "You" : isKnown ? name : SIDES[side].name;
  const more = [!person && name, title !== SIDES[side].name && SIDES[side].name].filter(Boolean).join(", ");
  const clock = current.game.clock
    ? [element("span", { class: "clock", "data-clock": side, role: "timer" }, shownTime(timeLeft(side)))]
    : [];
  return element("span", { class: "plate" }, element("strong", isThinking ? { class: "thinking" } : {}, title),
    element("span", { class: "quiet" }, more), ...clock);
}

/** Shows the current position of the game, or an earlier one. */
function showPosition(position = current.game.position, before = undefined, sown = undefined) {
  board.turn(isFlipped === (current.onlyPerson === "N") ? "S" : "N");
  const isOver = current.game.over && position === current.game.position;
  place.classList.toggle("preview", earlier !== undefined);
  board.show(position, { S: plate("S"), N: plate("N") }, { before, sown, isOver });
}

function say(sentence) {
  const said = root.querySelector(".said");
  said.append(element("p", {}, sentence));
  while (said.children.length > SENTENCES) said.firstChild.remove();
}

/** Shows what the coach or a hint says; `kind` gives it its colour. */
function advise(sentence, kind = "", ...more) {
  if (!root) return;
  const advice = part("advice");
  const hadFocus = advice.contains(document.activeElement);
  advice.hidden = !sentence;
  advice.className = `advice ${kind}`;
  advice.replaceChildren(element("span", {}, sentence));
  if (more.length) advice.append(element("span", { class: "remedies" }, ...more));
  // A button that was pressed here may have made way for others.
  if (hadFocus) (advice.querySelector("button") ?? place.querySelector(".pit.bottom")).focus();
  root.querySelector(".message").scrollTop = 0;
}

/** Whether the opponent is of a level at which the coach encourages a newcomer. */
const isGentle = () => ["S", "N"].some((side) => current.seat(side).gentle);

/** Lists the moves, with the coach's marks; in gentle games, only after their end. */
function listMoves() {
  const { steps, swapped_after: swapped, over } = current.game;
  const list = part("moves");
  if (!steps.length) {
    list.replaceChildren(element("p", { class: "quiet" }, "None yet."));
    showPlace();
    return;
  }
  const isMarked = over || !isGentle();
  drawMoves(list, steps.map(({ pit: letter }, index) => ({
    letter,
    shown: moveIn("button", letter, isMarked ? coach.of(current.game, index)?.mark : undefined,
      { type: "button", tabindex: -1, "data-look": index + 1 }),
    asides: swapped === index + 1 ? ["Sides swapped."] : [],
  })));
  showPlace();
}

/** Shows which of the moves the board shows. */
function showPlace() {
  const count = current.game.steps.length;
  const shown = earlier ?? count;
  showMove(part("moves"), root.querySelector(`[data-look="${shown}"]`));
  for (const action of ["first", "back"]) enable(step(action), shown > 0);
  for (const action of ["next", "last"]) enable(step(action), shown < count);
  review?.show(shown);
}

/** Shows the position after a number of moves; the game continues meanwhile. */
function look(count) {
  const { steps, start } = current.game;
  if (sowing) return;
  earlier = count < steps.length ? count : undefined;
  const [before, last] = [steps[count - 2]?.after ?? start, steps[count - 1]];
  showPosition(last?.after ?? start, last && before, last?.pit);
  showPlace();
  board.hint();
  allow();
}

function about() {
  const { start, clock, record } = current.game;
  const seats = ["S", "N"].map((side) => current.seat(side));
  const parts = [
    ...seats.map(({ name, about: words }) => !/^(human|elo=.*)$/.test(name) && words),
    `${counted(start.pits, "pit")} per row`,
    start.capture !== DEFAULTS.capture && start.capture.replace("-", " "),
    clock && `clock ${clock.base / 60}+${clock.increment}`,
    record.tags?.PieRule === "yes" && "pie rule",
  ];
  const [first, ...rest] = parts.filter(Boolean).join("; ");
  return `${first.toUpperCase()}${rest.join("")}.`;
}

const step = (action) => root.querySelector(`.steps [data-do=${action}]`);
const control = (action) => root.querySelector(`.controls [data-do=${action}]`);

/** A saved game is analysed with its names and comments. */
function analysisAddress() {
  if (current.name) return `#/analyse?saved=${encodeURIComponent(current.name)}`;
  const { start, steps } = current.game;
  const moves = steps.map(({ pit }) => pit).join("");
  return `#/analyse?${new URLSearchParams({ position: start.text, moves })}`;
}

/** The address of the analysis of the current game, which outlives this view. */
export const latestAddress = () => (current?.game.steps.length ? analysisAddress() : undefined);

function render() {
  const { game } = current;
  part("about").textContent = about();
  part("sound").checked = hasSound();
  part("coach").checked = current.hasCoach;
  part("result").hidden = !game.over;
  part("review").hidden = !game.over || !game.steps.length;
  part("last").textContent = String.fromCharCode(64 + game.start.pits);
  part("analyse").href = analysisAddress();
  const { pits, seeds, capture } = settings();
  const isStandard = pits === DEFAULTS.pits && seeds === DEFAULTS.seeds && capture === DEFAULTS.capture;
  root.querySelector("[data-do=standard]").hidden = isStandard;
  const isPersons = !game.over && current.isPerson(current.side);
  const isPlayed = current.isPerson("S") || current.isPerson("N");
  for (const [action, isPossible] of Object.entries({
    takeBack: Boolean(game.may_take_back), redo: game.undone > 0, hint: isPersons,
    resign: !game.over && isPlayed,
  })) enable(control(action), isPossible);
  part("swap").hidden = !(isPersons && game.may_swap);
  // At the end, two buttons make way for those that are needed then.
  for (const action of ["hint", "resign"]) control(action).hidden = game.over;
  for (const action of ["rematch", "analyse"]) control(action).hidden = !game.over;
  listMoves();
}

// The clock.

/** The seconds that a side has left. */
function timeLeft(side) {
  const { clock } = current.game;
  return Math.max(0, clock.left[side] - (side === current.side ? turn.seconds : 0));
}

function tick() {
  if (!current?.game.clock || !turn.isRunning) return;
  const { side } = current;
  const shown = root.querySelector(`[data-clock=${side}]`);
  const text = shownTime(timeLeft(side));
  if (shown && shown.textContent !== text) shown.textContent = text;
  if (timeLeft(side) > 0 || late.has(side)) return;
  late.add(side);
  // A millisecond more, because the page's clock is rounded.
  if (current.game.clock.flag) change("flag", result, Math.ceil(1e6 * turn.seconds) + 1000);
  else say(`${SIDES[side].name} has run out of time; play continues.`);
}

// The course of a game.

/** Shows a new or a loaded game, and continues it, unless it waits for the player. */
function open(next, waits = false) {
  interrupt();
  current = next;
  current.onPlaced = () => onPlaced(next);
  isWaiting = waits;
  coach = new Coach(current.game, current.onlyPerson);
  review = undefined;
  late.clear();
  isFlipped = false;
  turn.stop();
  board.layOut(current.game.start.pits);
  root.querySelector(".said").replaceChildren();
  advise("");
  const last = current.game.steps.at(-1);
  const isFirst = !last && current.side === current.onlyPerson;
  const letters = [0, current.game.start.pits - 1].map((index) => letterOf(current.side, index));
  // Short, because a newcomer should not have to scroll on a small phone.
  say(isFirst ? `Your turn: choose a pit, ${letters.join(" to ")}.` : `${sideAndName("S")} against ${sideAndName("N")}. ${toMove()}`);
  if (isFirst && !setting("first", {}).isOver) {
    advise("New to Kalah?", "", element("a", { class: "button", href: "#/learn/lessons/1" }, "First lesson"));
  }
  if (last) say(last.sentence);
  const rival = ["S", "N"].map((side) => current.seat(side)).find(({ person }) => !person);
  if (rival?.algorithm && !hasAlgorithms) {
    complain(`${rival.name} does not play on this page; the engine takes its place.`);
  }
  goOn();
}

/** Allows a person to move in the current position; returns whether it is a person's turn. */
function allow() {
  const isPersons = !current.game.over && current.isPerson(current.side);
  board.allow(isPersons && earlier === undefined ? current.game.legal : []);
  return isPersons;
}

/** Shows the position, and asks the player to move. */
function goOn() {
  const isStale = interrupt();
  current.accept();
  const last = current.game.steps.at(-1);
  const before = current.game.steps.at(-2)?.after ?? current.game.start;
  showPosition(current.game.position, last ? before : undefined, last?.pit);
  render();
  board.hint();
  const isPersons = allow();
  if (current.game.over) {
    conclude(isStale);
    return;
  }
  if (isWaiting) {
    offerToContinue();
    return;
  }
  // The clock starts after the first move: until then, players may study the board and options.
  if (current.game.clock && last) turn.start();
  if (!isPersons) letEngineMove(isStale).catch(report);
}

/**
 * Neither a clock nor the engine starts until the player takes up the game of an earlier visit. A game in
 * which a different tab awaits the engine's reply is followed instead.
 */
async function offerToContinue() {
  const game = current;
  const isAwaited = game.name && await isAwaitedElsewhere(game.name);
  if (!root || game !== current || !isWaiting) return;
  if (isAwaited) {
    setTimeout(follow, FOLLOW);
    return;
  }
  const proceed = element("button", { type: "button", class: "main" }, "Continue");
  proceed.addEventListener("click", () => {
    isWaiting = false;
    advise("");
    goOn();
  });
  const turnNumber = turnNumbers(current.game.steps.map(({ pit }) => pit)).at(-1);
  advise(`Your unfinished game, after turn ${turnNumber}.`, "", proceed,
    element("button", { type: "button", "data-do": "fresh" }, "New game"));
}

async function letEngineMove(isStale) {
  const { position: before, legal, steps } = current.game;
  if (steps.at(-1)?.side !== current.side) replying = performance.now();
  const replied = await current.reply(current.game.clock ? turn.microseconds : 0);
  if (isStale()) return;
  turn.hold();
  await demonstration;
  // A reply is easier to follow if it does not come immediately.
  // Each of several extra turns takes at most half of the time that is left.
  const remaining = Math.max(0, REPLY - (performance.now() - replying));
  if (steps.length && pace() !== "off") await wait(Math.min(PAUSE, 0.15 * remaining) - (performance.now() - landed));
  if (isStale()) return;
  turn.stop();
  current.accept();
  const isLeft = interrupt();
  const { pit } = replied.steps.at(-1) ?? {};
  const move = legal.find((one) => one.pit === pit);
  // Instead of its move, the engine may have swapped sides.
  if (replied.steps.length === steps.length) say(lastStep());
  else if (move) await sowOnBoard(before, move, isLeft, 0.35 * remaining);
  if (!isLeft()) goOn();
}

/** Makes a person's move: shows it while the server does it, lets the coach speak, and continues the game. */
async function make(move, us) {
  const isElsewhere = earlier !== undefined;
  const isStale = interrupt();
  if (isElsewhere) look(current.game.steps.length);
  isWaiting = false;
  advise("");
  const { position: before } = current.game;
  // A move that fails is taken from the board again.
  const updated = current.act({ sow: move.pit }, us).then(() => true, report);
  await sowOnBoard(before, move, isStale);
  const isDone = await updated;
  if (isStale()) return;
  if (isDone) hearCoach();
  goOn();
}

/** Shows a move, unless it becomes stale. */
async function sowOnBoard(before, move, isStale, limit) {
  root.querySelector(".message").scrollTop = 0;
  board.allow([]);
  board.hint();
  sowing = sow(board, place, move, limit);
  await sowing.done;
  if (isStale()) return;
  sowing = undefined;
  landed = performance.now();
  showPosition(move.after, before, move.pit);
  say(move.sentence);
}

/** Shows what the coach says about the last move. */
function hearCoach() {
  const { game } = current;
  if (!game.judgement) return;
  const index = game.steps.length - 1;
  coach.keep(game, index, game.judgement);
  const undo = element("button", { type: "button", "data-do": "takeBack" }, "Take it back");
  const { mark, sentence } = game.judgement;
  if (isGentle()) encourage(index, game.judgement, undo);
  else if (mark) advise(sentence, mark === "?!" ? "warned" : "bad", undo);
}

/** Encourages a newcomer, who sees the better move only on request. */
function encourage(index, { encouragement, mark, sentence, best }, undo) {
  const show = element("button", { type: "button" }, "Show me");
  show.addEventListener("click", () => {
    advise(sentence, "warned", undo);
    demonstration = demonstrate(index, best).catch(report);
  });
  advise(encouragement, mark ? "warned" : "good", ...(mark ? [show, undo] : []));
}

/** Steps back to a move, highlights a better one in its place and plays it; the game then goes on. */
async function demonstrate(index, best) {
  const { start, steps } = current.game;
  const before = steps[index - 1]?.after ?? start;
  const { legal } = await post("game", recordOf(before.text));
  const move = legal.find(({ pit }) => pit === best);
  if (!root || sowing || !move || steps !== current.game.steps) return;
  showBetter(index, best);
  await wait(HIGHLIGHT);
  if (earlier !== index || sowing || steps !== current.game.steps) return;
  const shown = sow(board, place, move);
  sowing = shown;
  await shown.done;
  if (sowing !== shown) return;
  showPosition(move.after, before, best);
  await wait(HIGHLIGHT);
  if (sowing !== shown) return;
  sowing = undefined;
  look(steps.length);
}

/** Hides the rules of the game, which are shown until a game has been finished. */
function understood() {
  keep("first", { isOver: true });
  part("first").hidden = true;
}

/** Shows how the game ended, and reviews it: both sides' mistakes, and the move that decided it. */
async function conclude(isStale) {
  const { game } = current;
  const { title, kind, winner } = game.ending;
  const decided = element("p", { role: "status" });
  part("result").className = `result ${kind}`;
  part("result").replaceChildren(element("h2", {}, title), element("p", {}, game.result), decided);
  advise("");
  if (game.steps.length) showFlag(place, winner ?? "S", title);
  // The rules stay until the view is opened again: the layout must not jump at this moment.
  keep("first", { isOver: true });
  if (!game.steps.length) return;
  // A loss on time was not decided by a move.
  const loser = game.record.reason === "time" ? undefined : winner && otherOf(winner);
  const { Review } = await import("./review.js");
  if (isStale()) return;
  review = new Review(part("review"), current, coach, look);
  const sentences = {
    ongoing: "Looking for mistakes…", complete: loser ? "No single mistake decided the game." : "",
    incomplete: "The game could not be reviewed completely: the server is busy or does not answer.",
  };
  let shown;
  const show = (state) => {
    review.draw(state);
    review.show(earlier ?? game.steps.length);
    const index = loser ? coach.decisive(game, loser) : -1;
    // Replaced only by something new: it is read aloud, and may have the focus.
    const now = index < 0 ? state : index;
    if (now === shown) return;
    shown = now;
    if (index < 0) decided.textContent = sentences[state];
    else decided.replaceChildren(review.turningPoint(index, showBetter));
  };
  show("ongoing");
  const isWhole = await coach.review(game, isStale, () => show("ongoing"));
  if (isStale()) return;
  listMoves();
  show(isWhole ? "complete" : "incomplete");
}

/** Shows the position before a move, with a better move in its place. */
function showBetter(index, best) {
  look(index);
  board.hint(best);
}

// What a player asks for.

/** Does what a player intends after earlier intents, and continues the game. */
function change(intent, sentence, us) {
  interrupt();
  isWaiting = false;
  changes = changes.then(async () => {
    // The view may have been left in the meantime.
    if (!root) return;
    const isStale = interrupt();
    const isDone = await current.act(intent, us).then(() => true, reportUnlessRefused);
    if (isStale()) return;
    if (isDone) {
      turn.stop();
      late.clear();
      advise("");
      say(sentence() ?? toMove());
    }
    goOn();
  }).catch(report);
}

/** A key may ask for what the game no longer allows: then nothing happens. */
function reportUnlessRefused(error) {
  if (error.status !== 422) report(error);
}

const toMove = () => current.game.sentences.at(-1);

/** What the last move or swap did. */
function lastStep() {
  const { steps, swapped_after: swapped } = current.game;
  if (swapped !== steps.length) return steps.at(-1)?.sentence ?? toMove();
  showFlag(place, current.side, "Sides swapped");
  return `${SIDES[current.side].name} swaps sides. ${toMove()}`;
}

/** Whether the current game may be left: it was not begun, is over, or the player confirms it. */
async function mayLeave() {
  const isBegun = current?.game.steps.length > 0 && !current.game.over;
  return !isBegun || confirmed("Leave this game and start a new one? It will stay in your saved games.", "New game");
}

const result = () => current.game.result;

/** Asks before a game is given up. */
async function resign() {
  const game = current;
  const isSure = await confirmed("Resign this game?", "Resign");
  if (isSure && root && game === current) change("resign", result);
}

/** Begins a game with these settings. */
async function beginWith(choice, more = {}) {
  const first = choice.opponent ? undefined : (await levels()).default;
  await begin({ ...wanted(choice, first), ...more }, choice.coach);
}

const actions = {
  begin: async () => await mayLeave() && beginWith(settings()),
  fresh: () => beginWith(settings()),
  options: async () => await mayLeave() && openOptions(),
  takeBack: () => change("take_back", () => `Taken back. ${toMove()}`),
  redo: () => change("redo", () => `Played again. ${toMove()}`),
  resign,
  analyse: () => { location.hash = analysisAddress(); },
  swap: () => change("swap", lastStep),
  share,
  standard: async () => {
    const { pits, seeds, capture } = DEFAULTS;
    if (!await mayLeave()) return;
    keep("game", { pits, seeds, capture });
    await beginWith(settings());
  },
  hint,
  rematch,
  flip: () => {
    isFlipped = !isFlipped;
    if (earlier === undefined) showPosition();
    else look(earlier);
  },
  first: () => look(0),
  back: () => look((earlier ?? current.game.steps.length) - 1),
  next: () => look(earlier + 1),
  last: () => look(current.game.steps.length),
  understood,
};

/** Shares a link to the game; or the game as text, where others cannot open a link: on this machine, and with `--phone`. */
async function share() {
  const { start, steps, kgn } = current.game;
  const query = new URLSearchParams({ position: start.text, moves: steps.map(({ pit }) => pit).join("") });
  const url = new URL(`#/analyse?${query}`, location.href).href;
  const isPublic = location.protocol === "https:";
  const shared = isPublic ? { title: "Kalah", url } : { title: "Kalah", text: kgn };
  if (navigator.canShare?.(shared)) {
    // The reader may change their mind.
    await navigator.share(shared).catch(() => undefined);
  } else advise(await copy(isPublic ? "link to the game" : "game", shared.text ?? shared.url));
}

async function hint() {
  if (earlier !== undefined) look(current.game.steps.length);
  const { position } = current.game;
  const number = happened;
  advise("Looking for the best move…", "good");
  const found = await post("hint", { position: position.text }).catch((error) => {
    advise("");
    throw error;
  });
  if (number !== happened || current.game.position !== position) return;
  board.hint(found.pit);
  if (!isGentle()) {
    advise(found.sentence, "good");
    return;
  }
  const move = current.game.legal.find(({ pit }) => pit === found.pit);
  const why = element("button", { type: "button" }, "Why?");
  why.addEventListener("click", () => advise(found.sentence, "good"));
  advise(`Hint: ${found.pit} (${outcome(move)}).`, "good", why);
}

async function begin(request, coach) {
  const game = await patiently(() => post("new", { ...request, coach }));
  if (!root) return;
  open(new GameInPlay(game));
  showAddress();
}

/** Starts the same game with the sides exchanged. */
function rematch() {
  const { start, clock, record } = current.game;
  return begin({
    south: current.seat("N").name, north: current.seat("S").name, position: start.text,
    pie_rule: record.tags?.PieRule === "yes",
    ...(clock ? { clock: `${clock.base / 60}+${clock.increment}`, flag: clock.flag } : {}),
  }, current.hasCoach);
}

async function openOptions() {
  if (!newGame) {
    const [{ dialogue }, players] = await Promise.all([import("./newgame.js"), levels()]);
    newGame = dialogue(players, () => beginWith(settings()).catch(report));
  }
  if (!root) return;
  if (!newGame.dialog.isConnected) root.append(newGame.dialog);
  newGame.open();
}

// Files.

/** Shows the new place of a game: its file or, until the server has answered, the request that creates one. */
function onPlaced(game) {
  if (!root || game !== current) return;
  showAddress();
  if (game.name && !game.creating) listSaved().catch(report);
}

/** The browser keeps a game that has not been saved yet until its page is closed. */
function showAddress() {
  const { start } = current.game;
  const query = new URLSearchParams({ position: start.text });
  const address = current.name || start.text === START ? addressOf(current) : `#/play?${query}`;
  const { name, creating } = current;
  storePlace(address, creating ?? (name ? null : { record: current.record }));
}

async function listSaved() {
  const { items, hasUnfinished } = await list();
  if (!root) return;
  part("saved").hidden = items.length === 0;
  // A player who comes back may want to continue a game.
  if (hasUnfinished && !current?.game.steps.length) part("saved").open = true;
  part("saved").querySelector("ul").replaceChildren(...items);
}

// The view.

function onKey(event) {
  const key = pressedKey(event);
  const action = actionOf(key, actions);
  if (event.repeat || (!action && key?.length !== 1)) return;
  if (sowing) sowing.finish();
  if (action) run(action);
  // A focused list would search for the letter.
  if (action || board.press(key)) event.preventDefault();
}

function run(action) {
  const button = control(action) ?? root.querySelector(`[data-do=${action}]`);
  if (button && (!isEnabled(button) || button.closest("[hidden]"))) return;
  Promise.resolve(actions[action]()).catch(report);
}

/** Ends the animation; the click that ends it is not also a move. */
function skipSowing() {
  isSkipping = sowing !== undefined;
  sowing?.finish();
}

function stopIfSkipping(event) {
  if (isSkipping) event.stopPropagation();
  isSkipping = false;
}

function onPit(letter) {
  const move = current.game.legal.find(({ pit }) => pit === letter);
  make(move, current.game.clock ? turn.stop() : 0).catch(report);
}

/** Begins a game at a position, with the reader to move; or one at a level, with the usual rules. */
function beginFrom(query) {
  if (query.has("level")) return beginWith({ ...DEFAULTS, opponent: query.get("level") });
  const position = positionIn(query);
  // A rule may follow the side.
  const side = />\s*N\b/i.test(position) ? "N" : "S";
  return beginWith({ ...settings(), side }, { position, capture: undefined });
}

export async function show(into, { path: [name], query }, signal) {
  root = into;
  root.innerHTML = PAGE;
  place = root.querySelector(".board");
  board = new Board(place, { onPit, onRefuse: (reason) => advise(reason) });
  place.addEventListener("pointerdown", skipSowing);
  place.addEventListener("click", stopIfSkipping, { capture: true });
  root.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", follow);
  addEventListener("focus", follow);
  left = new AbortController();
  onTold("saved", follow, left.signal);
  onTold("awaited?", onAsked, left.signal);
  part("pace").append(...Object.keys(PACES).map((one) => new Option(one, one, false, one === pace())));
  part("pace").addEventListener("change", ({ target }) => setPace(target.value));
  part("coach").addEventListener("change", ({ target }) => {
    current.act({ coach: target.checked }).catch(report);
    keep("game", { coach: target.checked });
  });
  part("sound").addEventListener("change", ({ target }) => {
    keep("sound", { isOn: target.checked });
    knock();
  });
  offerLetters(root);
  part("first").hidden = setting("first", { isOver: false }).isOver;
  ticking = setInterval(tick, 100);
  const kept = history.state;
  if (kept?.record) await openKept(kept, signal);
  else if (query.has("position") || query.has("level")) await beginFrom(query);
  else if (current && (!name || name === current.name)) takeUp();
  else if (name) await openSaved(name, signal);
  else if (!await openLatest(signal)) await beginWith(settings());
  if (root) listSaved().catch(report);
}

/** Opens the latest game if it is unfinished, to be continued; returns whether it is. */
async function openLatest(signal) {
  const name = await latestUnfinished().catch(() => undefined);
  if (!name) return false;
  const game = await GameInPlay.opened(name);
  signal.throwIfAborted();
  open(game, true);
  showAddress();
  return true;
}

/** Continues the game that the browser has kept. */
async function openKept(kept, signal) {
  const game = await GameInPlay.resumed(kept);
  signal.throwIfAborted();
  open(game);
  showAddress();
}

/** Milliseconds after which a tab looks for the engine's reply, which a different tab awaits. */
const FOLLOW = 1500;

/** Shows what was played in a different tab, when the reader comes back to this one. */
async function follow() {
  const game = current;
  await game?.updated.catch(() => undefined);
  if (document.hidden || !root || sowing || game !== current) return;
  const next = await game.changed().catch(() => undefined);
  if (!root || game !== current) return;
  if (!next) {
    if (isWaiting) offerToContinue();
    return;
  }
  // If it is the engine's turn, the tab in which the last move was made has asked it.
  open(next, !next.game.over && !next.isPerson(next.side));
}

/** Tells a different tab that this one awaits the engine's reply in the game of this name. */
function onAsked(name) {
  const { game, side } = current ?? {};
  if (!isWaiting && name === current?.name && !game.over && !current.isPerson(side)) tell("awaited", name);
}

async function openSaved(name, signal) {
  try {
    const game = await GameInPlay.opened(name);
    signal.throwIfAborted();
    open(game);
  } catch (error) {
    signal.throwIfAborted();
    report(error);
    await beginWith(settings());
  }
}

/** Shows the current game again when the reader returns from a different view. */
function takeUp() {
  showAddress();
  board.layOut(current.game.start.pits);
  current.updated.catch(() => undefined).then(() => {
    if (!root) return;
    current.accept();
    say(current.game.steps.at(-1)?.sentence ?? toMove());
    goOn();
  }).catch(report);
}

function onClick({ target }) {
  const { do: action, look: count } = target.closest("[data-do], [data-look]")?.dataset ?? {};
  if (action) run(action);
  if (count) look(Number(count));
}

export function leave() {
  interrupt();
  turn.hold();
  clearInterval(ticking);
  document.removeEventListener("keydown", onKey);
  document.removeEventListener("visibilitychange", follow);
  removeEventListener("focus", follow);
  left.abort();
  root.removeEventListener("click", onClick);
  root = undefined;
  newGame = undefined;
}
