// Shows the games of a single-file page, which contains them as JSON. The fragment of its
// address holds the number of the game and the number of moves.
import { add, begin, open } from "./games.js";

const { games, ...about } = JSON.parse(document.getElementById("games-data").textContent);

function openLink() {
  const [, number, moves] = /^#game-(\w+?)(?:-(\d+))?$/.exec(location.hash) ?? [];
  if (!games.some((one) => one.number === number)) return;
  open(number, Number(moves ?? 0));
  document.getElementById("games").scrollIntoView({ block: "nearest" });
}

if (games.length) {
  begin(document, {
    ...about,
    count: games.length,
    load: (number) => games.filter((one) => one.number.split("v")[0] === number),
    linkOf: (number, moves) => `#game-${number}-${moves}`,
  });
  add(games);
  open(games[0].number);
  openLink();
  addEventListener("hashchange", openLink);
}
