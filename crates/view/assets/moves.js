// The list of the moves of a game, the same in every view: a table with a number for each turn. A
// turn is all that a side sows until the other side moves.
import { SIDES, element, sideOf } from "./board.js";

/** The CSS classes of the marks of moves. */
const MARKS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

/** The turn number of each move, from the letters of all moves. */
export function turnNumbers(letters) {
  let number = 0;
  return [...letters].map((letter, index) => {
    if (!index || sideOf(letters[index - 1]) !== sideOf(letter)) number += 1;
    return number;
  });
}

/** The mark of a move, in its colour. */
const markOf = (mark) => element("span", { class: `mark ${MARKS[mark] ?? ""}` }, mark);

/** A move in a list: its letter and its mark, if it has one, in an element of this kind. */
export function moveIn(tag, letter, mark, { class: kind = "", ...attributes } = {}) {
  const side = SIDES[sideOf(letter)].kind;
  const shown = element(tag, { ...attributes, class: `move of-${side} ${kind}`, "data-letter": letter }, letter);
  if (mark) shown.append(markOf(mark));
  return shown;
}

/**
 * Draws moves as a table: { letter, shown, asides }, where `shown` is the element of the move, and
 * `asides` are elements that follow its row, such as comments and variations.
 */
export function drawMoves(place, moves) {
  const numbers = turnNumbers(moves.map(({ letter }) => letter));
  const rows = [];
  let cells, asides;
  const endRow = () => {
    if (cells) rows.push(element("tr", {}, ...cells.S, ...cells.N));
    if (asides?.length) rows.push(element("tr", { class: "aside" }, element("td", { colspan: 4 }, ...asides)));
  };
  moves.forEach(({ letter, shown, asides: more = [] }, index) => {
    const side = sideOf(letter);
    const isTurn = numbers[index] !== numbers[index - 1];
    if (isTurn && (side === "S" || !index)) {
      endRow();
      const empty = () => [element("th", {}), element("td", {})];
      [cells, asides] = [{ S: empty(), N: empty() }, []];
    }
    const [number, turn] = cells[side];
    if (isTurn) number.textContent = numbers[index];
    turn.append(shown);
    asides.push(...more);
  });
  endRow();
  const heads = Object.values(SIDES).map(({ name, kind }) =>
    element("th", { colspan: 2, scope: "col", class: `of-${kind}` }, name));
  place.replaceChildren(element("table", { class: "turns" },
    element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)));
}

/** Marks the move shown in a list, and scrolls the list to it without moving the page. */
export function showMove(place, shown) {
  place.querySelector("[aria-current]")?.removeAttribute("aria-current");
  shown?.setAttribute("aria-current", "step");
  if (!shown) place.scrollTop = 0;
  else {
    place.scrollTop += shown.getBoundingClientRect().top - place.getBoundingClientRect().top
      - place.clientHeight / 2;
  }
}
