// The editor of positions: a dialogue with a number for each pit and store. The server decides
// whether they form a valid position.
import { post } from "./api.js";
import { SIDES, counted, element, letterOf } from "./board.js";
import { levels } from "./settings.js";
import { recordOf } from "./tree.js";

/** Milliseconds without a change before the server is queried. */
const SETTLED = 200;

const TEMPLATE = `
  <form method="dialog">
    <h2>Set up a position</h2>
    <div class="row">
      <label>Pits per row <input name="pits" type="number" min="1" max="16" required></label>
      <label>Seeds per pit <input name="seeds" type="number" min="0" max="16383" value="4" required></label>
      <button type="button" data-do="fill">Fill the pits</button>
    </div>
    <div class="scroll"><div class="places"></div></div>
    <p class="quiet">Type numbers, or click a letter to add a seed; Shift-click removes one.</p>
    <div class="row">
      <label>To move <select name="side"><option value="S">South</option><option value="N">North</option></select></label>
      <label>Captures <select name="capture"></select></label>
    </div>
    <p data-of="text"></p>
    <p data-of="said" role="status"></p>
    <div class="row">
      <button class="main" value="done">Analyse this position</button>
      <button value="cancel" formnovalidate>Cancel</button>
    </div>
  </form>`;

/**
 * Asks for a position; resolves to the server's description of it, or to undefined if the
 * dialogue was cancelled or the signal was aborted.
 */
export async function edit(position, signal) {
  const { captures } = await levels();
  signal.throwIfAborted();
  const dialog = element("dialog", { class: "editor" });
  dialog.innerHTML = TEMPLATE;
  document.body.append(dialog);
  const form = dialog.querySelector("form");
  const fields = form.elements;
  const of = (name) => dialog.querySelector(`[data-of=${name}]`);
  let game;
  let timer;

  const counts = () => [...dialog.querySelectorAll(".places input")].map(({ value }) => Number(value));

  // South's store, North's store, South's row, North's row: the order of the text.
  const text = () => `<${[fields.pits.value, ...counts()].join(",")}> ${fields.side.value} ${fields.capture.value}`;

  async function check() {
    const asked = text();
    let said = "";
    let answer;
    try {
      answer = await post("game", recordOf(asked));
      if (answer.over) said = "The game is over in this position.";
    } catch (error) {
      said = error.message;
    }
    if (asked !== text()) return;
    game = answer;
    of("said").textContent = said;
    form.querySelector("[value=done]").disabled = !game;
  }

  function change() {
    game = undefined;
    form.querySelector("[value=done]").disabled = true;
    const seeds = counts().reduce((sum, count) => sum + count, 0);
    of("text").textContent = `${text()}, ${counted(seeds, "seed")} in all`;
    clearTimeout(timer);
    timer = setTimeout(check, SETTLED);
  }

  function place(name, label, seeds, kind) {
    const input = element("input", {
      type: "number", min: 0, max: 32767, value: seeds, inputmode: "numeric", "aria-label": name, required: "",
    });
    const add = element("button", { type: "button", "aria-label": `${name}: add a seed`, tabindex: -1 }, label);
    add.addEventListener("click", ({ shiftKey }) => {
      input.value = Math.max(0, Number(input.value) + (shiftKey ? -1 : 1));
      change();
    });
    return element("div", { class: `place ${kind}` }, add, input);
  }

  function layOut({ pits, stores, rows }) {
    fields.pits.value = pits;
    const places = dialog.querySelector(".places");
    places.style.setProperty("--pits", pits);
    const stored = ["S", "N"].map((side) => {
      const { name, kind } = SIDES[side];
      return place(`${name}’s store`, name, stores[side], `store of-${kind} ${kind}`);
    });
    const pitsOf = (side) => rows[side].map((seeds, index) => {
      const letter = letterOf(side, index);
      const made = place(`${SIDES[side].name}’s pit ${letter}`, letter, seeds, `of-${SIDES[side].kind} ${SIDES[side].kind}`);
      // Columns are numbered along South's row; North's row runs the other way.
      made.style.setProperty("--column", side === "S" ? index + 2 : pits + 1 - index);
      return made;
    });
    places.replaceChildren(...stored, ...pitsOf("S"), ...pitsOf("N"));
    change();
  }

  const filled = (seeds) => {
    const pits = Math.min(Math.max(1, Number(fields.pits.value)), 16);
    const row = Array(pits).fill(seeds);
    return { pits, stores: { S: 0, N: 0 }, rows: { S: row, N: row } };
  };

  fields.capture.append(...captures.map(({ name, about }) => new Option(about, name)));
  fields.side.value = position.side;
  fields.capture.value = position.capture;
  layOut(position);
  form.addEventListener("input", ({ target }) => {
    if (target === fields.pits) layOut(filled(Number(fields.seeds.value)));
    else if (target !== fields.seeds) change();
  });
  dialog.querySelector("[data-do=fill]").addEventListener("click", () =>
    layOut(filled(Number(fields.seeds.value))));
  signal.addEventListener("abort", () => dialog.close());
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    clearTimeout(timer);
    dialog.remove();
    resolve(dialog.returnValue === "done" ? game : undefined);
  }));
}
