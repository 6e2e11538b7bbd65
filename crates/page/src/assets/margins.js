// Margins in words, signs and notes on the pits. A value is { margin, lower, upper, proved }:
// an estimate, a proved margin or proved bounds, in seeds, from the point of view of the player
// to move. The page shows South's margin, as its curve does, with a sign that tells what the value
// means for the player to move.
import { SIDES, element } from "./board.js";
import { signed } from "./curve.js";

const SIGNS = { win: "▲", draw: "=", loss: "▼", open: "" };
const VERBS = { win: "wins", draw: "draws", loss: "loses", open: "" };

/** How to read the signs. */
export const LEGEND = "Margins are South’s, in seeds. ▲ the player to move wins, = draws, ▼ loses. "
  + "A filled sign is proved (with forced colours, one in a double frame); the others are estimates.";

/** Converts a margin from the mover's to South's point of view, or back. */
export const southern = (margin, side) => (side === "S" ? margin : 0 - margin);

/** What a value means for the player to move; less than half a seed is a draw. */
export function kindOf({ margin, lower, upper }) {
  if ((margin ?? lower) >= 0.5) return "win";
  if ((margin ?? upper) <= -0.5) return "loss";
  return margin === undefined ? "open" : "draw";
}

const signedMargin = (margin, digits) => (margin === 0 ? "0" : signed(margin, digits));

/** South's margin: +4 if it is proved, +3.2 if estimated, ≥ +4 as a bound. */
export function textOf({ margin, lower, upper, proved }, side) {
  if (margin !== undefined) return signedMargin(southern(margin, side), proved ? 0 : 1);
  const bounds = [[lower, side === "S" ? "≥" : "≤"], [upper, side === "S" ? "≤" : "≥"]]
    .filter(([bound]) => bound !== undefined)
    .map(([bound, sign]) => `${sign}${signedMargin(southern(bound, side), 0)}`);
  return bounds.join(" ");
}

/** A value in words. */
export function labelOf(value, side) {
  const verb = VERBS[kindOf(value)];
  const proved = value.proved || value.margin === undefined ? "proved" : "estimated";
  const meaning = verb && `: ${SIDES[side].name} ${verb}`;
  return `South’s margin ${textOf(value, side)}, ${proved}${meaning}`;
}

const classOf = (value) =>
  `${kindOf(value)}${value.proved || value.margin === undefined ? " proved" : ""}`;

const shownOf = (value, side) => SIGNS[kindOf(value)] + textOf(value, side);

/** A value in a line of text. */
export const chip = (value, side) =>
  element("span", { class: `chip ${classOf(value)}`, title: labelOf(value, side) }, shownOf(value, side));

/** A value as a note on its pit. */
export const noteOf = (value, side) =>
  ({ text: shownOf(value, side), kind: classOf(value), label: labelOf(value, side) });

/** The value of the server's bounds of a margin, in which unknown numbers are null. */
export function known({ margin, lower, upper }) {
  if (margin !== null) return { margin, proved: true };
  if (lower === null && upper === null) return undefined;
  return { lower: lower ?? undefined, upper: upper ?? undefined };
}

/** A number of nodes: 45.3 M. */
export function large(count) {
  const [size, unit] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]].find(([size]) => count >= size) ?? [1, ""];
  return `${(count / size).toFixed(size > 1 ? 1 : 0)}${unit}`;
}
