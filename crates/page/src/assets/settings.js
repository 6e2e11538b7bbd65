// The settings of a new game, which the browser keeps.
import { setting } from "./page.js";

/** The name of a person's seat in the records of this program. */
export const PERSON = "human";

export const DEFAULTS = {
  side: "S", opponent: "beginner", elo: 500, pits: 6, seeds: 4, capture: "standard",
  clock: false, minutes: 5, increment: 3, flag: true, pie: false, coach: true,
};

export const settings = () => setting("game", DEFAULTS);

/** The request for a new game with these settings. */
export function wanted({ side, opponent, elo, clock, minutes, increment, flag, pie, ...board }) {
  const other = opponent === "elo" ? `elo=${elo}` : opponent;
  const isSouth = side === "random" ? Math.random() < 0.5 : side === "S";
  const { pits, seeds, capture } = board;
  return {
    south: isSouth ? PERSON : other, north: isSouth ? other : PERSON, pits, seeds, capture,
    pie_rule: pie, ...(clock ? { clock: `${minutes}+${increment}`, flag } : {}),
  };
}
