// Games in files on the server. A game is saved after every move; saves run one at a time.
import * as api from "./api.js";
import { counted, element } from "./board.js";
import { complain, tell } from "./page.js";

/** The maximum number of games in the list of the page. */
const MAX_LISTED = 50;

let saving = Promise.resolve();

/** Saves a game once earlier saves are done; resolves to whether it got a new file. */
export function save(game) {
  const saved = saving.then(() => store(game));
  saving = saved.catch(() => undefined);
  return saved;
}

async function store(game) {
  // The server does not save games.
  if (game.name === null) return false;
  const record = game.record;
  const { isClosed } = game;
  game.isClosed = record.result !== undefined;
  // A finished game stays in its file.
  const isNew = !game.name || (isClosed && !game.isClosed);
  if (isNew) return putNew(game, record);
  try {
    await put(game, game.name, record);
    return false;
  } catch (error) {
    // Another program may have changed the file, or somebody may have removed it.
    if (![404, 409].includes(error.status)) throw error;
    if (error.status === 409) {
      complain("This game was also continued in another tab or program. Yours is saved as a game of its own.");
    }
  }
  return putNew(game, record);
}

async function putNew(game, record) {
  game.version = undefined;
  await put(game, newName(), record);
  return game.name !== null;
}

/**
 * The page names its games, so that it can repeat a save whose answer was lost without creating
 * a second file.
 */
function newName() {
  const random = crypto.getRandomValues(new Uint32Array(2));
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "");
  return `${time}Z-${[...random].map((number) => number.toString(36)).join("")}.kgn`;
}

/** Saves a record, in place of the version of the file that the page has last seen. */
async function put(game, name, record) {
  const seen = game.version ? `?seen=${game.version}` : "";
  const saved = await api.patiently(() => api.put(pathOf(name) + seen, record));
  game.name = saved.name;
  game.version = saved.version;
  tell("saved");
}

const pathOf = (name) => `saved/${encodeURIComponent(name)}`;

export async function load(name) {
  try {
    return await api.patiently(() => api.get(pathOf(name)));
  } catch (error) {
    if (error.status === 404) throw new api.ApiError("This game is no longer saved here.", 404);
    throw error;
  }
}

/** The game in the file of this one, if a different tab or program has changed it. */
export async function changed(game) {
  const { name, version } = game;
  if (!name) return undefined;
  const latest = await api.get(pathOf(name));
  // This page may have saved a move of its own in the meantime.
  await saving;
  return game.version !== version || latest.version === version ? undefined : latest;
}

/** Settles when no save is under way. */
export const settled = () => saving;

/** The name of the latest game if it is unfinished and has more than one move. */
export async function latestUnfinished() {
  const { games: [latest] } = await api.get("saved");
  return latest?.unfinished && !latest.abandoned ? latest.name : undefined;
}

/** The address of a game in the page. */
export const addressOf = ({ name }) => (name ? `#/play/${encodeURIComponent(name)}` : "#/play");

/**
 * Items of a list of the saved games, latest first, and whether one of them is unfinished. Games
 * given up after one move are left out, because they would hide the others; only the latest game is
 * always listed.
 */
export async function list() {
  const { games: all } = await api.get("saved");
  const games = all.filter(({ abandoned }, index) => !index || !abandoned).slice(0, MAX_LISTED);
  const items = games.map((game) => {
    const [south, north] = game.players.map((name, index) => name || ["South", "North"][index]);
    const state = game.unfinished ? "unfinished" : game.result;
    const facts = [counted(game.moves, "move"), state, game.date?.slice(0, 10)].filter(Boolean);
    return element("li", {}, element("a", { href: addressOf(game) }, `${south} - ${north}`),
      element("span", { class: "quiet" }, ` ${facts.join(", ")}`));
  });
  return { items, hasUnfinished: games.some(({ unfinished }) => unfinished) };
}
