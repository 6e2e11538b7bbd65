// Games in files on the server.
import * as api from "./api.js";
import { counted, element } from "./board.js";

/** The maximum number of games in the list of the page. */
const MAX_LISTED = 50;

const pathOf = (name) => `saved/${encodeURIComponent(name)}`;

export const load = (name) => orGone(() => api.patiently(() => api.get(pathOf(name))));

/** Asks for a saved game; a sentence says if it is gone. */
export async function orGone(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.status === 404) throw new api.ApiError("This game is no longer saved here.", 404);
    throw error;
  }
}

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
