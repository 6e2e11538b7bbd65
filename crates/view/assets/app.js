// The address of the page names a view. The module of a view is loaded when it is first opened.
//
// A view exports `show(root, address, signal)`, which draws it into an element unless the signal
// was aborted because the reader has left the view, `leave()`, which stops its activities, and, if it
// opens files, `drop(file)`. An
// address is { view, path, query }: #/learn/puzzles/12?x=1 is the view "learn" with the path
// ["puzzles", "12"]. A view that changes its own address uses `history.replaceState`, which does
// not open it again.
import { get } from "./api.js";
import { complain, forgiveAll, onTold } from "./page.js";
import { refresh } from "./store.js";
import { applyTheme } from "./theme.js";

const VIEWS = {
  play: { title: "Play", load: () => import("./play.js") },
  analyse: { title: "Analyse", load: () => import("./analyse.js") },
  explore: { title: "Explore", load: () => import("./analyse.js") },
  learn: { title: "Learn", load: () => import("./learn.js") },
  watch: { title: "Watch", load: () => import("./watch.js") },
};

const root = document.getElementById("view");
/** The module of the view that is shown. */
let shown;
/** Aborted when a different view is opened: a slow view must not draw over it. */
let leaving = new AbortController();
/** A file that was dropped on a view that cannot open it, for the one that is being opened. */
let dropped;

/** Decodes part of an address; one typed by hand may not be encoded. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function addressOf(hash) {
  const [place, ...query] = hash.replace(/^#\/?/, "").split("?");
  const [name, ...path] = place.split("/").map(decoded);
  // The page without a server has no games to watch, and no link to that view.
  const isKnown = Object.hasOwn(VIEWS, name) && document.querySelector(`nav [data-view=${name}]`);
  const view = isKnown ? name : "play";
  return { view, path, query: new URLSearchParams(query.join("?")), unknown: isKnown ? "" : name };
}

async function open(hash) {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const address = addressOf(hash);
  const { title, load } = VIEWS[address.view];
  shown?.leave();
  shown = undefined;
  root.replaceChildren();
  forgiveAll();
  if (address.unknown) complain(`There is no view ${address.unknown}.`);
  document.title = `${title} - Kalah`;
  for (const link of document.querySelectorAll("nav [data-view]")) {
    if (link.dataset.view === address.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const view = await load();
    signal.throwIfAborted();
    shown = view;
    root.className = `view-${address.view}`;
    await view.show(root, address, signal);
    if (signal.aborted || !dropped || !view.drop) return;
    view.drop(dropped);
    dropped = undefined;
  } catch (error) {
    if (!signal.aborted) complain(`This view cannot be shown: ${error.message}`);
  }
}

for (const button of document.querySelectorAll(".notice button")) {
  button.addEventListener("click", () => { button.parentElement.hidden = true; });
}

function follow({ newURL }) {
  const { hash } = new URL(newURL);
  // The view that is being left may have changed its own address since.
  if (hash !== location.hash) history.replaceState(null, "", hash);
  open(hash);
}

/** Whether something is dragged that the element below would take, such as a word into a field. */
const isTaken = ({ target, dataTransfer }) =>
  target.closest?.("input, textarea") && !dataTransfer.types.includes("Files");

// Wherever a file is dropped, the browser must not leave the page for it.
document.addEventListener("dragover", (event) => isTaken(event) || event.preventDefault());
document.addEventListener("drop", (event) => {
  if (isTaken(event)) return;
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file && shown?.drop) shown.drop(file);
  else if (file) {
    dropped = file;
    location.hash = "#/analyse";
  }
});

/** Without a view in the address, a match named on the command line is shown. */
async function begin() {
  await refresh();
  applyTheme();
  if (!location.hash) {
    const { matches } = await get("matches").catch(() => ({ matches: [] }));
    if (matches.length) history.replaceState(null, "", "#/watch");
  }
  // Added only now: an address that changed while the settings were fetched must not open a view
  // twice.
  addEventListener("hashchange", follow);
  open(location.hash);
}

// A second page may have changed settings in the meantime.
onTold("settings", () => refresh().then(applyTheme));
document.addEventListener("visibilitychange", () => document.hidden || refresh().then(applyTheme));
begin();
