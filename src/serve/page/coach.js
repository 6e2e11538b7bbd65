// The full engine's judgements of the moves of a game, which the server makes.
import { post } from "./api.js";

/** The judgements of one game, by the index of the move. */
export class Coach {
  #judgements = new Map();

  /** The judgement of a move, if there is one. */
  of(index) {
    return this.#judgements.get(index);
  }

  /** Forgets the moves from this one on. */
  forget(from) {
    for (const index of this.#judgements.keys()) {
      if (index >= from) this.#judgements.delete(index);
    }
  }

  /** Judges a move of a game; undefined if the server is busy or cannot be reached. */
  async judge({ steps, start }, index) {
    if (this.#judgements.has(index)) return this.of(index);
    const { text, capture } = steps[index - 1]?.after ?? start;
    const { pit } = steps[index];
    const judgement = await post("judge", { position: text, capture, pit }).catch(() => undefined);
    if (judgement) this.#judgements.set(index, judgement);
    return judgement;
  }

  /**
   * The index of the last move by which the loser gave a win or a draw away; -1 if there is
   * none, undefined if nobody can tell. Stops when `isStale`.
   */
  async decisive(game, loser, isStale) {
    for (let index = game.steps.length - 1; index >= 0; index -= 1) {
      if (game.steps[index].side !== loser) continue;
      const judgement = isStale() ? undefined : await this.judge(game, index);
      if (!judgement) return undefined;
      if (judgement.mark && judgement.best_margin >= 0 && judgement.margin < 0) return index;
    }
    return -1;
  }
}
