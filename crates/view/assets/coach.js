// The full engine's judgements of the moves of a game, made by the server.
import { post } from "./api.js";
import { recalled, remember } from "./store.js";

/** The key of the latest game's judgements, which the browser keeps until the page is closed. */
const KEPT = "kalah.coach";

/** Milliseconds for the review of a whole game. */
const REVIEW = 8000;

const lettersTo = ({ steps }, index) => steps.slice(0, index + 1).map(({ pit }) => pit).join("");

/** The judgements of one game, including moves that were taken back. */
export class Coach {
  #start;
  #reader;
  /** By the letters of all moves up to the judged one. */
  #judgements;

  /** `reader` is the side of the only person, if there is one. */
  constructor({ start }, reader) {
    this.#start = `${start.text} ${reader}`;
    this.#reader = reader;
    const kept = recalled(KEPT);
    this.#judgements = new Map(kept.start === this.#start ? kept.judgements : []);
  }

  /** The judgement of a move of the game, by its index, if there is one. */
  of(game, index) {
    return this.#judgements.get(lettersTo(game, index));
  }

  /** Judges a move, in at most this time; undefined if the server is busy or cannot be reached. */
  async judge(game, index, time) {
    const known = this.of(game, index);
    if (known) return known;
    const { text } = game.steps[index - 1]?.after ?? game.start;
    const { pit } = game.steps[index];
    const judgement = await post("judge", { position: text, pit, reader: this.#reader, time }).catch(() => undefined);
    if (judgement) this.keep(game, index, judgement);
    return judgement;
  }

  keep(game, index, judgement) {
    this.#judgements.set(lettersTo(game, index), judgement);
    remember(KEPT, { start: this.#start, judgements: [...this.#judgements] });
  }

  /**
   * Judges all moves, the last ones first: what follows a position is known by then. Calls
   * `onJudged` after each. Stops when `isStale`, or if a move cannot be judged; returns whether all were.
   */
  async review(game, isStale, onJudged) {
    const count = game.steps.length;
    const time = Math.round(Math.min(300, Math.max(30, REVIEW / count)));
    for (let index = count - 1; index >= 0; index -= 1) {
      const judgement = await this.judge(game, index, time);
      if (isStale() || !judgement) return false;
      onJudged(index);
    }
    return true;
  }

  /** The index of the last move by which the loser gave away a win or a draw; -1 if none is known. */
  decisive(game, loser) {
    return game.steps.findLastIndex(({ side }, index) => side === loser && this.of(game, index)?.turning_point);
  }
}
