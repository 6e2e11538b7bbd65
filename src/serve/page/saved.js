// Games in the files of the server: each is saved after every move, one save after the other.
import * as api from "./api.js";
import { counted, element } from "./board.js";

/** Games in the list of the page. */
const MAX_LISTED = 50;

let saving = Promise.resolve();

/** Saves a match after what is being saved; resolves to whether it got a file of its own. */
export function save(match) {
  const saved = saving.then(() => store(match));
  saving = saved.catch(() => undefined);
  return saved;
}

async function store(match) {
  // The server saves no games.
  if (match.name === null) return false;
  const record = match.whole();
  const { isClosed } = match;
  match.isClosed = record.result !== undefined;
  // A finished game stays in its file.
  const isNew = !match.name || (isClosed && !match.isClosed);
  try {
    match.name = await put(isNew ? newName() : match.name, record);
    return isNew && match.name !== null;
  } catch (error) {
    // Another page may have finished the game, or somebody has removed the file.
    if (![404, 409].includes(error.status)) throw error;
  }
  match.name = await put(newName(), record);
  return match.name !== null;
}

/**
 * The page names its games, so that a save whose answer is lost with the server can be
 * repeated without a second file.
 */
function newName() {
  const random = crypto.getRandomValues(new Uint32Array(2));
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "");
  return `${time}Z-${[...random].map((number) => number.toString(36)).join("")}.kgn`;
}

async function put(name, record) {
  return (await api.patiently(() => api.put(pathOf(name), record))).name;
}

const pathOf = (name) => `saved/${encodeURIComponent(name)}`;

export const load = (name) => api.patiently(() => api.get(pathOf(name)));

/** The address of a game in the page. */
export const addressOf = ({ name }) => (name ? `#/play/${encodeURIComponent(name)}` : "#/play");

/** Items of a list of the saved games, latest first, and whether one of them can go on. */
export async function list() {
  const games = (await api.get("saved")).games.slice(0, MAX_LISTED);
  const items = games.map((game) => {
    const [south, north] = game.players;
    const state = game.unfinished ? "unfinished" : game.result;
    const facts = [counted(game.moves, "move"), state, game.date?.slice(0, 10)].filter(Boolean);
    return element("li", {}, element("a", { href: addressOf(game) }, `${south} - ${north}`),
      element("span", { class: "quiet" }, ` ${facts.join(", ")}`));
  });
  return { items, hasUnfinished: games.some(({ unfinished }) => unfinished) };
}
