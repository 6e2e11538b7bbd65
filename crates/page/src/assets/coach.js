// The full engine's judgements of the moves of a game, made by the server.
import { post } from "./api.js";

/** The key of the latest game's judgements, which the browser keeps until the page is closed. */
const KEPT = "kalah.coach";

const lettersTo = ({ steps }, index) => steps.slice(0, index + 1).map(({ pit }) => pit).join("");

/** What was kept about a game; it survives a reload. */
function kept(start) {
  try {
    const known = JSON.parse(sessionStorage.getItem(KEPT));
    return known?.start === start ? known.judgements : [];
  } catch {
    return [];
  }
}

/** The judgements of one game, including moves that were taken back. */
export class Coach {
  #start;
  /** By the letters of all moves up to the judged one. */
  #judgements;

  constructor({ start: { text, capture } }) {
    this.#start = `${text} ${capture}`;
    this.#judgements = new Map(kept(this.#start));
  }

  /** The judgement of a move of the game, by its index, if there is one. */
  of(game, index) {
    return this.#judgements.get(lettersTo(game, index));
  }

  /** Judges a move; undefined if the server is busy or cannot be reached. */
  async judge(game, index) {
    const known = this.of(game, index);
    if (known) return known;
    const { text, capture } = game.steps[index - 1]?.after ?? game.start;
    const { pit } = game.steps[index];
    const judgement = await post("judge", { position: text, capture, pit }).catch(() => undefined);
    if (judgement) this.#judgements.set(lettersTo(game, index), judgement);
    try {
      const kept = { start: this.#start, judgements: [...this.#judgements] };
      sessionStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // Without storage, a reload forgets the judgements.
    }
    return judgement;
  }

  /**
   * The index of the last move by which the loser gave away a win or a draw; -1 if there is
   * none, undefined if a move cannot be judged. Stops when `isStale`.
   */
  async decisive(game, loser, isStale) {
    for (let index = game.steps.length - 1; index >= 0; index -= 1) {
      if (game.steps[index].side !== loser) continue;
      const judgement = isStale() ? undefined : await this.judge(game, index);
      if (!judgement) return undefined;
      // A margin of less than half a seed counts as a draw, as in crates/record/src/mark.rs.
      const gaveAway = judgement.best_margin > -0.5 && judgement.margin <= -0.5;
      if (judgement.mark && gaveAway) return index;
    }
    return -1;
  }
}
