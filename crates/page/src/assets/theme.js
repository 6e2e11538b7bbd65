// The theme: that of the system, unless the player has chosen the other one.
import { keep, setting } from "./store.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const button = document.getElementById("theme");

const isDark = () => (setting("theme", {}).dark ?? system.matches);

/** Shows the chosen theme. */
export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  button.setAttribute("aria-pressed", isDark());
}

button.addEventListener("click", () => {
  const dark = !isDark();
  // Whoever chooses the system's theme follows the system from then on.
  keep("theme", { dark: dark === system.matches ? null : dark });
  applyTheme();
});
system.addEventListener("change", applyTheme);
