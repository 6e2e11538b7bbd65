// The icons of buttons, as SVG text for templates. They are drawn with lines, so that they also show
// with forced colours.
const PATHS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.6.5.9 1 .9 1.7h5.4c0-.7.3-1.2.9-1.7A6 6 0 0 0 12 3z",
  flip: "M7 4v15m0 0-3-3m3 3 3-3M17 20V5m0 0-3 3m3-3 3 3",
  resign: "M5 21V4m0 1c5-3 8 3 14 0v9c-6 3-9-3-14 0",
  fresh: "M12 5v14M5 12h14",
  rematch: "M4 12a8 8 0 0 1 14-5l2 2m0-5v5h-5M20 12a8 8 0 0 1-14 5l-2-2m0 5v-5h5",
  analyse: "M4 20V10m6 10V4m6 16v-7m4 7H3",
  options: "M4 7h10m4 0h2M4 17h2m4 0h10M14 4v6M10 14v6",
  edit: "m4 20 1-5L16 4l4 4L9 19z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  play: "M7 4v16l13-8z",
};

/** An icon as HTML. */
export const icon = (name) =>
  `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;

/** A button with an icon above or beside its label, as HTML. */
export const iconButton = (action, name, label, attributes = "") =>
  `<button type="button" data-do="${action}" ${attributes}>${icon(name)}<span>${label}</span></button>`;

/** Buttons that step through moves, as HTML. */
export const STEPS = [
  ["first", "Home", "To the start", "«&#xfe0e;"], ["back", "Left arrow", "Back", "‹"],
  ["next", "Right arrow", "Next", "›"], ["last", "End", "To the end", "»&#xfe0e;"],
].map(([action, key, label, sign]) =>
  `<button type="button" data-do="${action}" title="${key}" aria-label="${label}">${sign}</button>`).join("\n");
