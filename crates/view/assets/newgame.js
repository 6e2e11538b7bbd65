// The dialogue that changes the settings of a new game; it is loaded when it is first opened.
import { keep } from "./store.js";
import { DEFAULTS, PERSON, settings } from "./settings.js";

const FORM = `
<form>
<h1>New game</h1>
<fieldset><legend>You play</legend>
<label><input type="radio" name="side" value="S"> South, who begins</label>
<label><input type="radio" name="side" value="N"> North</label>
<label><input type="radio" name="side" value="random"> a random side</label>
</fieldset>
<fieldset><legend>Opponent</legend>
<label>Strength <select name="opponent"></select></label>
<label data-is="elo">Elo <input type="range" name="elo" step="10"> <output></output></label>
<p class="quiet" data-is="about"></p>
</fieldset>
<fieldset><legend>Board</legend>
<label>Pits per row <input type="number" name="pits" min="1" max="16" required></label>
<label>Seeds per pit <input type="number" name="seeds" min="1" max="16" required></label>
<label>Captures <select name="capture"></select></label>
</fieldset>
<fieldset><legend>Time</legend>
<label><input type="checkbox" name="clock"> Play with clocks</label>
<span data-is="clock">
<label>Minutes <input type="number" name="minutes" min="0.1" max="180" step="any" required></label>
<label>Seconds added per move <input type="number" name="increment" min="0" max="600" step="any" required></label>
<label><input type="checkbox" name="flag"> A player who runs out of time loses</label>
</span>
</fieldset>
<fieldset><legend>Help and fairness</legend>
<label><input type="checkbox" name="coach"> A coach points out mistakes</label>
<label><input type="checkbox" name="pie"> Pie rule: the second player may swap sides instead of making the first reply</label>
</fieldset>
<p class="row actions"><button class="main">Start</button><button type="button" value="cancel">Cancel</button></p>
</form>`;

const ABOUT = {
  elo: "Any strength in between: 0 plays random moves, 1450 plays nearly as well as the full engine.",
  [PERSON]: "Two people take turns at this screen.",
};

const option = (value, text) => new Option(text, value);

/** A dialogue for the settings; `onStart` is called once they are accepted and saved. */
export function dialogue({ levels, elo, captures, default: first }, onStart) {
  const dialog = document.createElement("dialog");
  dialog.innerHTML = FORM;
  const form = dialog.querySelector("form");
  const fields = form.elements;
  /** The settings when the dialogue was opened. */
  let shown;
  const part = (name) => form.querySelector(`[data-is=${name}]`);
  fields.opponent.append(...levels.map(({ name }) => option(name, name)),
    option("elo", "an Elo rating"), option(PERSON, "a second person"));
  fields.capture.append(...captures.map(({ name, about }) => option(name, about)));
  [fields.elo.min, fields.elo.max] = elo;

  function read() {
    const values = Object.entries(DEFAULTS).map(([name, standard]) => {
      const field = fields[name];
      if (typeof standard === "boolean") return [name, field.checked];
      return [name, typeof standard === "number" ? Number(field.value) : field.value];
    });
    return Object.fromEntries(values);
  }

  function explain() {
    const { opponent, clock, elo } = read();
    part("about").textContent =
      ABOUT[opponent] ?? `${levels.find(({ name }) => name === opponent)?.about}.`;
    part("elo").hidden = opponent !== "elo";
    part("elo").querySelector("output").textContent = elo;
    part("clock").hidden = !clock;
    part("clock").querySelectorAll("input").forEach((input) => { input.disabled = !clock; });
  }

  function open() {
    for (const [name, value] of Object.entries(settings())) {
      if (typeof value === "boolean") fields[name].checked = value;
      else fields[name].value = value;
    }
    if (!settings().opponent) fields.opponent.value = first;
    shown = read();
    explain();
    dialog.showModal();
  }

  form.addEventListener("input", explain);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // Only what was changed here: a second page may have changed the rest in the meantime.
    keep("game", Object.fromEntries(Object.entries(read()).filter(([name, value]) => value !== shown[name])));
    dialog.close();
    onStart();
  });
  form.querySelector("[value=cancel]").addEventListener("click", () => dialog.close());
  return { dialog, open };
}
