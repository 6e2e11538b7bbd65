// The review of a game: its curve, both sides' mistakes, and the move that decided it. Play loads it
// when a game has ended, and adds the coach's words; Analyse draws parts of it.
import { SIDES, counted, element } from "./board.js";
import { Curve } from "./curve.js";
import { southern } from "./margins.js";
import { moveIn, turnNumbers } from "./moves.js";

/** The curve of the margins that an engine expects, with a circle at each number of moves that a mistake follows. */
export const expectedLine = (points, isMistake) => ({
  kind: "engine", words: "green: the margin expected at the end", points,
  circled: points.filter(([move]) => isMistake(move)),
});

/** The curve of the margins of the stores. */
export const leadLine = (points) => ({ kind: "lead", words: "grey: the current lead", points });

/** A side's mistakes, { number, turn, pit, mark, lost }: each is a button for the position after that number of moves. */
export function mistakesOf(side, name, words, mistakes) {
  const moves = mistakes.map(({ number, turn, pit, mark, lost }) => {
    const about = `Turn ${turn}: ${pit} lost ${counted(Math.round(lost), "seed")}`;
    const move = moveIn("button", pit, mark, { type: "button", "data-look": number, title: about, "aria-label": about });
    move.prepend(element("span", { class: "quiet" }, `${turn}. `));
    return move;
  });
  return element("li", {}, element("span", { class: `of-${SIDES[side].kind}` }, name), `: ${words} `, ...moves);
}

/** How a review that is ongoing, complete, or could not be completed describes a side without mistakes. */
const NONE = { ongoing: "…", complete: "no mistakes", incomplete: "no mistakes found, but not all moves were judged" };

export class Review {
  #root;
  #game;
  #person;
  #coach;
  #curve;
  #numbers;

  /** `onLook` is called with the number of moves after which a position is to be shown. */
  constructor(root, { game, onlyPerson }, coach, onLook) {
    this.#root = root;
    this.#game = game;
    this.#person = onlyPerson;
    this.#coach = coach;
    this.#numbers = turnNumbers(game.steps.map(({ pit }) => pit));
    root.innerHTML = "<h2>Review</h2><figure class=curve></figure><ul class=mistakes></ul>";
    this.#curve = new Curve(root.querySelector(".curve"), onLook);
  }

  /** The sentence about the move that decided the game; `onShow` gets its index and the best move in its place. */
  turningPoint(index, onShow) {
    const { best, turning_point: why } = this.#coach.of(this.#game, index);
    const { side } = this.#game.steps[index];
    const whose = side === this.#person ? "Your" : `${SIDES[side].name}’s`;
    const link = element("button", { type: "button", class: "linked" }, `${whose} turn ${this.#numbers[index]} decided the game: ${why}`);
    link.addEventListener("click", () => onShow(index, best));
    return link;
  }

  /** Draws what has been judged so far; `state` is one of `NONE`. */
  draw(state) {
    const { start, steps, position } = this.#game;
    const judged = steps.map(({ side }, index) => ({ side, index, ...this.#coach.of(this.#game, index) })).filter(({ best }) => best);
    const marked = judged.filter(({ mark }) => mark);
    const sign = this.#person === "N" ? -1 : 1;
    const leads = [start, ...steps.map(({ after }) => after)].map(({ stores }, move) => [move, sign * (stores.S - stores.N)]);
    const expected = judged.map(({ side, index, best_margin: margin }) => [index, sign * southern(margin, side)]);
    this.#curve.draw(steps.length, [
      expectedLine([...expected, ...(position.over ? leads.slice(-1) : [])], (move) => marked.some(({ index }) => index === move)),
      leadLine(leads),
    ], this.#person ? "you" : "South");
    this.#root.querySelector(".mistakes").replaceChildren(...["S", "N"].map((side) => {
      const mistakes = marked.filter((one) => one.side === side)
        .map((one) => ({ number: one.index + 1, turn: this.#numbers[one.index], ...one }));
      const words = mistakes.length ? counted(mistakes.length, "mistake") : NONE[state];
      return mistakesOf(side, side === this.#person ? "You" : SIDES[side].name, words, mistakes);
    }));
  }

  /** Shows on the curve that the board shows the position after a number of moves. */
  show(moves) {
    this.#curve.show(moves);
  }
}
