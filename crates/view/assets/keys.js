// The keys of all views, in one map. A letter that is a pit sows it wherever pits can be sown;
// none of the letters below is a pit on boards with up to twelve pits per row.
import { element } from "./board.js";

/** The action of each key: a view has at most one of them. */
const ACTIONS = {
  t: ["hint"], s: ["solution"], u: ["takeBack"], r: ["redo", "again"], w: ["swap"], y: ["flip"],
  m: ["nextMistake"], M: ["previousMistake"], " ": ["think", "play"],
  Home: ["first"], ArrowLeft: ["back"], ArrowRight: ["next"], End: ["last"],
  ArrowUp: ["up"], ArrowDown: ["down"],
};

/** The name of the action of a key among the `actions` of a view, if it has one. */
export const actionOf = (key, actions) =>
  (ACTIONS[key] ?? ACTIONS[key?.toLowerCase()])?.find((name) => name in actions);

/** The list that was opened with a pointer and still has the focus, if there is one. */
let pointed;
addEventListener("pointerdown", ({ target }) => {
  pointed = target.closest?.("select");
}, { capture: true });
addEventListener("keydown", ({ key }) => {
  if (key === "Tab") pointed = undefined;
}, { capture: true });

/**
 * The key that was pressed for the view; undefined if it is for the element that has the focus. A
 * list or a check box in which something was chosen with the mouse keeps the focus, but not the
 * keys. Whether `:focus-visible` also matches such a list depends on the browser.
 */
export function pressedKey(event) {
  const { ctrlKey, altKey, metaKey, shiftKey, key, target } = event;
  const takers = "input:not([type=checkbox]), textarea, select, dialog";
  const isPressed = [" ", "Enter"].includes(key) && target.closest("button, a, summary, input, select");
  const isTaken = target.closest(takers) && (target !== pointed || target.closest("dialog"));
  if (ctrlKey || altKey || metaKey || isTaken || isPressed) return undefined;
  if (key.length > 1) return shiftKey ? undefined : key;
  return areLettersOn() || key === " " ? latinLetter(event) : undefined;
}

/** A letter that is not Latin, as on a Russian or Greek keyboard, counts by its place. */
function latinLetter({ key, code, shiftKey }) {
  const [, place] = /^Key([A-Z])$/.exec(code) ?? [];
  const letter = place && /^(?!\p{Script=Latin})\p{L}$/u.test(key) ? place : key;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

/** The key under which the browser keeps that letters do nothing. */
const KEPT = "kalah.letters";
/** The choice in a browser that keeps nothing. */
let chosen = "on";

function areLettersOn() {
  try {
    return (localStorage.getItem(KEPT) ?? chosen) === "on";
  } catch {
    return chosen === "on";
  }
}

/**
 * Adds a check box to the paragraph that names the keys: speech input and slips of the fingers
 * type letters that nobody has meant (WCAG 2.1.4).
 */
export function offerLetters(root) {
  const box = element("input", { type: "checkbox" });
  box.checked = areLettersOn();
  box.addEventListener("change", () => {
    chosen = box.checked ? "on" : "off";
    try {
      localStorage.setItem(KEPT, chosen);
    } catch {
      // The choice holds until the page is closed.
    }
  });
  root.querySelector(".keys").append(" ", element("label", {}, box, " Letter shortcuts"));
}
