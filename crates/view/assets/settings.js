// The settings of a new game.
import { get, patiently } from "./api.js";
import { setting } from "./store.js";

/** The name of a person's seat in the records of this program. */
export const PERSON = "human";

/** Without an opponent: the server's first level. */
export const DEFAULTS = {
  side: "S", opponent: "", elo: 500, pits: 6, seeds: 4, capture: "standard",
  clock: false, minutes: 5, increment: 3, flag: true, pie: false, coach: true,
};

let known;

/** The players that an engine can be, and the first level; fetched once. */
export async function levels() {
  known ??= await patiently(() => get("levels"));
  return known;
}

export const settings = () => setting("game", DEFAULTS);

/** The request for a new game with these settings; `first` is the name of the first level. */
export function wanted({ side, opponent, elo, clock, minutes, increment, flag, pie, ...board }, first) {
  const other = opponent === "elo" ? `elo=${elo}` : opponent || first;
  const isSouth = side === "random" ? Math.random() < 0.5 : side === "S";
  const { pits, seeds, capture } = board;
  return {
    south: isSouth ? PERSON : other, north: isSouth ? other : PERSON, pits, seeds, capture,
    pie_rule: pie, ...(clock ? { clock: `${minutes}+${increment}`, flag } : {}),
  };
}
