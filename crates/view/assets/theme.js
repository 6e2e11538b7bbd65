// The theme: that of the system, unless the player has chosen the other one.
import { keep, setting } from "./store.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const button = document.getElementById("theme");

const isDark = () => (setting("theme", {}).dark ?? system.matches);

/** Applies the chosen theme, and keeps it for the next page: see first.js. */
export function applyTheme() {
  const theme = isDark() ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  button.setAttribute("aria-pressed", isDark());
  try {
    if (isDark() === system.matches) localStorage.removeItem("kalah.theme");
    else localStorage.setItem("kalah.theme", theme);
  } catch {
    // See first.js.
  }
}

button.addEventListener("click", () => {
  const dark = !isDark();
  // A player who chooses the system's theme follows the system from then on.
  keep("theme", { dark: dark === system.matches ? null : dark });
  applyTheme();
});
system.addEventListener("change", applyTheme);
