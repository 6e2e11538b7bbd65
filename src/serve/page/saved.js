// Games in the files of the server: each is saved after every move, one save after the other.
import { get, patiently, post, put } from "./api.js";
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
  if (match.name && (match.isClosed || !isClosed)) {
    try {
      await patiently(() => put(pathOf(match.name), record));
      return false;
    } catch (error) {
      // Another page may have finished the game, or somebody has removed the file.
      if (![404, 409].includes(error.status)) throw error;
    }
  }
  ({ name: match.name } = await patiently(() => post("saved", record)));
  return match.name !== null;
}

const pathOf = (name) => `saved/${encodeURIComponent(name)}`;

export const load = (name) => patiently(() => get(pathOf(name)));

/** The address of a game in the page. */
export const addressOf = ({ name }) => (name ? `#/play/${encodeURIComponent(name)}` : "#/play");

/** Items of a list of the saved games, latest first, and whether one of them can go on. */
export async function list() {
  const games = (await get("saved")).games.slice(0, MAX_LISTED);
  const items = games.map((game) => {
    const [south, north] = game.players;
    const state = game.unfinished ? "unfinished" : game.result;
    const facts = [counted(game.moves, "move"), state, game.date?.slice(0, 10)].filter(Boolean);
    return element("li", {}, element("a", { href: addressOf(game) }, `${south} - ${north}`),
      element("span", { class: "quiet" }, ` ${facts.join(", ")}`));
  });
  return { items, hasUnfinished: games.some(({ unfinished }) => unfinished) };
}
