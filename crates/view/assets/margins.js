// Margins in words, in figures and as notes on the pits. A value is { margin, lower, upper, proved }:
// an estimate, a proved margin or proved bounds, in seeds, from the point of view of the player to
// move, as the engine reports them. The page shows South's margin everywhere.
import { SIDES, counted, element } from "./board.js";
import { signed } from "./curve.js";

/** How to read the figures. */
export const LEGEND = "All margins are South’s, in seeds: with +, South wins by that many; with -, North wins; 0 is a draw. "
  + `★ marks the best move. A ${matchMedia("(forced-colors: active)").matches ? "figure in a double frame" : "filled figure"} is proved; the others are estimates.`;

/** Converts a margin from the mover's to South's point of view, or back. */
export const southern = (margin, side) => (side === "S" ? margin : 0 - margin);

/** Who wins by a value, as a CSS class; less than half a seed is a draw. */
function kindOf({ margin, lower, upper }, side) {
  const other = side === "S" ? "N" : "S";
  if ((margin ?? lower) >= 0.5) return SIDES[side].kind;
  if ((margin ?? upper) <= -0.5) return SIDES[other].kind;
  return margin === undefined ? "open" : "draw";
}

/** South's margin: +4 if it is proved, +3.2 if estimated, ≥ +4 as a bound. */
export function textOf({ margin, lower, upper, proved }, side) {
  if (margin !== undefined) return signed(southern(margin, side), proved ? 0 : 1);
  const bounds = [[lower, side === "S" ? "≥" : "≤"], [upper, side === "S" ? "≤" : "≥"]]
    .filter(([bound]) => bound !== undefined)
    .map(([bound, sign]) => `${sign}${signed(southern(bound, side), 0)}`);
  return bounds.join(" ");
}

/** A value in words. */
export function labelOf(value, side) {
  const winner = { south: ": South wins", north: ": North wins", draw: ": a draw", open: "" }[kindOf(value, side)];
  return `South’s margin ${textOf(value, side)}, ${isProved(value) ? "proved" : "estimated"}${winner}`;
}

const isProved = ({ margin, proved }) => Boolean(proved) || margin === undefined;

const classOf = (value, side) => `${kindOf(value, side)}${isProved(value) ? " proved" : ""}`;

/** A value in a line of text. */
export const chip = (value, side) =>
  element("span", { class: `chip ${classOf(value, side)}`, title: labelOf(value, side) }, textOf(value, side));

/** The pits of the best moves among values by pit; those without a margin are not compared. */
export function bestOf(values) {
  const known = [...values].filter(([, value]) => value?.margin !== undefined);
  const most = Math.max(...known.map(([, { margin }]) => margin));
  return new Set(known.length > 1 ? known.filter(([, { margin }]) => margin === most).map(([pit]) => pit) : []);
}

/** The values of moves, by pit, as notes on their pits. */
export function notesOf(values, side) {
  const best = bestOf(values);
  return Object.fromEntries([...values].map(([pit, value]) => {
    const [star, words] = best.has(pit) ? ["★", ", the best move"] : ["", ""];
    const kind = `${classOf(value, side)}${star && " best"}`;
    return [pit, { text: star + textOf(value, side), kind, label: labelOf(value, side) + words }];
  }));
}

/** The value of the server's bounds of a margin, in which unknown numbers are null. */
export function known({ margin, lower, upper }) {
  if (margin !== null) return { margin, proved: true };
  if (lower === null && upper === null) return undefined;
  return { lower: lower ?? undefined, upper: upper ?? undefined };
}

/** A large number: 45.3 M. */
export function large(count) {
  const [size, unit] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]].find(([size]) => count >= size) ?? [1, ""];
  return `${(count / size).toFixed(size > 1 ? 1 : 0)}${unit}`;
}

export const nodesOf = (count) => counted(count, "node", large(count));
