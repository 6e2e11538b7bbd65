// The review of a game that is over, loaded at its end: the curve, both sides' mistakes, and the move
// that decided it, from the point of view of the only person, if there is one.
import { SIDES, counted, element } from "./board.js";
import { Curve } from "./curve.js";
import { southern } from "./margins.js";
import { moveIn, turnNumbers } from "./moves.js";

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

  /** Draws what is known so far, if not all moves are judged, with the position after `shown` moves on the board. */
  draw(shown, isOngoing) {
    const { start, steps, position } = this.#game;
    const judged = steps.map(({ side }, index) => ({ side, index, ...this.#coach.of(this.#game, index) })).filter(({ best }) => best);
    const marked = judged.filter(({ mark }) => mark);
    const sign = this.#person === "N" ? -1 : 1;
    const leads = [start, ...steps.map(({ after }) => after)].map(({ stores }, move) => [move, sign * (stores.S - stores.N)]);
    const expected = judged.map(({ side, index, best_margin: margin }) => [index, sign * southern(margin, side)]);
    this.#curve.draw(steps.length, [
      { kind: "engine", words: "green: the margin expected at the end", points: [...expected, ...(position.over ? leads.slice(-1) : [])],
        circled: expected.filter(([move]) => marked.some(({ index }) => index === move)) },
      { kind: "lead", words: "grey: the current lead", points: leads },
    ], this.#person ? "you" : "South");
    this.#curve.show(shown);
    this.#root.querySelector(".mistakes").replaceChildren(...["S", "N"].map((side) =>
      this.#mistakesOf(side, marked.filter((one) => one.side === side), isOngoing)));
  }

  #mistakesOf(side, marked, isOngoing) {
    const moves = marked.map(({ index, pit, mark, lost }) => {
      const words = `Turn ${this.#numbers[index]}: ${pit} lost ${counted(Math.round(lost), "seed")}`;
      const move = moveIn("button", pit, mark, { type: "button", "data-look": index + 1, title: words, "aria-label": words });
      move.prepend(element("span", { class: "quiet" }, `${this.#numbers[index]}. `));
      return move;
    });
    const name = side === this.#person ? "You" : SIDES[side].name;
    return element("li", {}, element("span", { class: `of-${SIDES[side].kind}` }, name),
      moves.length ? `: ${counted(moves.length, "mistake")} ` : isOngoing ? ": …" : ": no mistakes", ...moves);
  }
}
