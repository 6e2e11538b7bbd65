// Shows the games of a page, one move at a time. Each game has its positions with it:
// the rules are not needed here.
"use strict";
(() => {
  const { players, games } = JSON.parse(document.getElementById("games-data").textContent);
  const at = (id) => document.getElementById(id);
  const SIDES = { S: "south", N: "north" };
  let game;
  let shown = 0;

  const element = (name, attributes, text = "") => {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.textContent = text;
    return made;
  };

  const signed = (seeds, digits) => (seeds < 0 ? "" : "+") + seeds.toFixed(digits);

  const letterOf = (side, index) => String.fromCharCode((side === "S" ? 65 : 97) + index);

  const pits = () => (game.positions.length / (game.moves.length + 1) - 3) / 2;

  // The position after a number of moves: a letter for the side, then a character a count.
  const position = (moves) => {
    const size = 3 + 2 * pits();
    const [side, ...counts] = game.positions.slice(size * moves, size * (moves + 1));
    const seeds = counts.map((character) => character.charCodeAt(0) - 48);
    return {
      side,
      seeds,
      stores: { S: seeds[0], N: seeds[1] },
      rows: { S: seeds.slice(2, 2 + pits()), N: seeds.slice(2 + pits()) },
    };
  };

  // The names of the players, South first, after a number of moves.
  const names = (moves) => {
    const [south, north] = game.players.map((player) => players[player]);
    return game.swapped !== undefined && moves < game.swapped ? [north, south] : [south, north];
  };

  // A name that both players have already ends with its side.
  const withSide = (name, side) => (name.endsWith(` (${side})`) ? name : `${name} (${side})`);

  const title = ({ number, players: [south, north], result }) =>
    `${number}. ${players[south]} - ${players[north]}: ${result}`;

  // An empty board of the game's size: North's row runs from right to left.
  const layOut = () => {
    const board = at("board");
    board.style.setProperty("--pits", pits());
    const place = (attributes, ...parts) => {
      const made = element("div", attributes);
      made.append(...parts, element("span", { class: "seeds" }), element("span", { class: "dots" }));
      return made;
    };
    const pit = (side) => (_, index) => {
      const letter = letterOf(side, index);
      const attributes = { class: `pit ${SIDES[side]}`, "data-pit": letter };
      return place(attributes, element("span", { class: "letter" }, letter));
    };
    const store = (side) => place({ class: `store ${SIDES[side]}`, "data-store": side });
    const name = (side) => element("div", { class: `name ${SIDES[side]}` });
    const row = (side) => Array.from({ length: pits() }, pit(side));
    board.replaceChildren(
      name("N"), store("N"), ...row("N").reverse(), store("S"), ...row("S"), name("S"));
  };

  // The other lines of the game, each with its number of moves in common with this one.
  const branches = () => {
    const lines = games.filter((one) => one !== game && mainOf(one) === mainOf(game));
    return lines.map((line) => {
      const parted = [...line.moves].findIndex((letter, index) => letter !== game.moves[index]);
      return { line, shared: parted < 0 ? line.moves.length : parted };
    });
  };
  const mainOf = ({ number }) => number.split("v")[0];

  // A button that continues with another line, after the move that it replaces.
  const branch = ({ line, shared }) => {
    const rest = line.moves.slice(shared);
    const text = `(${line.number}: ${rest.slice(0, 12)}${rest.length > 12 ? "…" : ""})`;
    return element("button", { class: "branch", "data-line": line.number, "data-from": shared + 1 }, text);
  };

  // The letters of the moves, a turn at a time, with the number of each of South's, and
  // where other lines branch off.
  const listMoves = () => {
    const turns = [];
    const others = branches();
    [...game.moves].forEach((letter, index) => {
      const side = letter < "a" ? "S" : "N";
      if (!index || turns.at(-1).side !== side) {
        const turn = element("span", { class: "turn" });
        turns.push({ side, turn });
        const souths = turns.filter((other) => other.side === "S").length;
        turn.append(side === "S" ? `${souths}. ` : turns.length === 1 ? "… " : "");
      }
      const book = index < game.book ? " book" : "";
      const move = element("button", { class: `of-${SIDES[side]}${book}`, "data-move": index + 1 }, letter);
      const here = others.filter(({ shared }) => Math.min(shared, game.moves.length - 1) === index);
      turns.at(-1).turn.append(move, ...here.map(branch));
    });
    at("moves").replaceChildren(...turns.map(({ turn }) => turn));
  };

  // What both players expected and the seeds in the stores, as South's margin.
  const HEIGHT = 240, LEFT = 44, RIGHT = 12, TOP = 12, BOTTOM = 44;
  let width;
  const across = (move) => LEFT + ((width - LEFT - RIGHT) * move) / Math.max(1, game.moves.length);
  const drawCurve = () => {
    width = Math.max(320, at("curve").clientWidth);
    const expected = (isSide) => game.values.flatMap((value, index) =>
      value !== null && isSide(game.moves[index]) ? [[index, value / 100]] : []);
    const lines = [
      ["lead", [...game.moves, ""].map((_, move) => {
        const { S, N } = position(move).stores;
        return [move, S - N];
      })],
      ["south", expected((letter) => letter < "a")],
      ["north", expected((letter) => letter >= "a")],
    ];
    const largest = Math.max(4, ...lines.flatMap(([, points]) => points.map(([, y]) => Math.abs(y))));
    const step = [2, 5, 10, 20, 50, 100].find((step) => largest / step <= 3) ?? largest;
    const top = Math.ceil(largest / step) * step;
    const up = (seeds) => TOP + ((HEIGHT - TOP - BOTTOM) * (top - seeds)) / (2 * top);
    let svg = "";
    for (let seeds = -top; seeds <= top; seeds += step) {
      svg += `<line class="${seeds ? "grid" : "zero"}" x1="${LEFT}" x2="${width - RIGHT}" y1="${up(seeds)}" y2="${up(seeds)}"/>`;
      svg += `<text x="${LEFT - 6}" y="${up(seeds) + 4}" text-anchor="end">${seeds ? signed(seeds, 0) : 0}</text>`;
    }
    for (const [kind, points] of lines) {
      const path = points.map(([move, seeds]) => `${across(move).toFixed(1)},${up(seeds).toFixed(1)}`);
      svg += `<polyline class="${kind}" points="${path.join(" ")}"/>`;
    }
    const moves = game.moves.length;
    const every = [1, 2, 5, 10, 20, 50, 100].find((every) => moves / every <= width / 50) ?? moves;
    for (let move = 0; move <= moves; move += every) {
      const at = across(move).toFixed(1);
      svg += `<line class="tick" x1="${at}" x2="${at}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM + 5}"/>`;
      svg += `<text x="${at}" y="${HEIGHT - BOTTOM + 19}" text-anchor="middle">${move}</text>`;
    }
    svg += `<line class="now" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`;
    svg += `<text x="${(width + LEFT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">moves</text>`;
    const caption = element("figcaption", {}, "South’s margin at the end: ");
    const [south, north] = names(game.moves.length);
    const parts = [
      ["of-south", `${withSide(south, "South")} expects`, lines[1][1]],
      ["of-north", `${withSide(north, "North")} expects, dashed`, lines[2][1]],
      ["", "seeds in the stores, thin", lines[0][1]],
    ].filter(([, , points]) => points.length);
    parts.forEach(([kind, words], index) =>
      caption.append(index ? "; " : "", element("span", { class: kind }, words)));
    at("curve").innerHTML = `<svg viewBox="0 0 ${width} ${HEIGHT}" role="img">${svg}</svg>`;
    at("curve").append(caption);
  };

  const describe = () => {
    if (!shown) return game.moves.length ? `Before move 1 of ${game.moves.length}.` : "No moves.";
    const letter = game.moves[shown - 1];
    const side = letter < "a" ? 0 : 1;
    const value = game.values[shown - 1];
    const notes = [
      shown <= game.book ? "a move of the opening" : "",
      value === null ? "" : `expects South’s margin to be ${signed(value / 100, 2)}`,
      (game.comments ?? {})[shown] ?? "",
      game.swapped === shown ? "then the players swapped sides" : "",
    ].filter(Boolean);
    const text = `Move ${shown} of ${game.moves.length}: ${names(shown - 1)[side]} sows ${letter}`;
    const end = shown === game.moves.length ? ` Result: ${game.result}.` : "";
    return `${[text, ...notes].join(", ")}.${end}`;
  };

  const show = (moves) => {
    shown = Math.min(Math.max(moves, 0), game.moves.length);
    const { side, seeds, stores, rows } = position(shown);
    const before = position(Math.max(shown - 1, 0));
    const fill = (place, now, then) => {
      const shownSeeds = place.querySelector(".seeds");
      shownSeeds.textContent = now;
      shownSeeds.dataset.seeds = now;
      place.querySelector(".dots").textContent = "●".repeat(Math.min(now, 60));
      place.classList.toggle("changed", now !== then);
    };
    for (const of of "SN") {
      fill(document.querySelector(`[data-store="${of}"]`), stores[of], before.stores[of]);
      rows[of].forEach((count, index) => {
        const letter = letterOf(of, index);
        const place = document.querySelector(`[data-pit="${letter}"]`);
        fill(place, count, before.rows[of][index]);
        place.classList.toggle("sown", letter === game.moves[shown - 1]);
      });
      const name = document.querySelector(`#board .name.${SIDES[of]}`);
      const [index, sideName] = of === "S" ? [0, "South"] : [1, "North"];
      name.textContent = withSide(names(shown)[index], sideName);
      name.classList.toggle("moves", of === side && shown < game.moves.length);
    }
    const link = at("position");
    link.textContent = `<${[pits(), ...seeds].join(",")}> ${side}`;
    link.href = `#game-${game.number}-${shown}`;
    at("step").textContent = describe();
    document.querySelector("#moves [aria-current]")?.removeAttribute("aria-current");
    document.querySelector(`#moves [data-move="${shown}"]`)?.setAttribute("aria-current", "step");
    const now = document.querySelector("#curve .now");
    ["x1", "x2"].forEach((end) => now.setAttribute(end, across(shown)));
  };

  const open = (number, moves) => {
    game = games.find((one) => one.number === number) ?? game;
    at("game").value = game.number;
    at("headline").textContent = title(game);
    at("about").textContent =
      [game.opening && `opening ${game.opening}`, game.rules].filter(Boolean).join("; ");
    layOut();
    listMoves();
    drawCurve();
    show(moves);
  };

  // The games of one pairing, or all.
  const choosePairing = () => {
    const pairing = at("pairing").value;
    const chosen = games.filter((one) => !pairing || pairingOf(one) === pairing);
    at("game").replaceChildren(
      ...chosen.map((one) => element("option", { value: one.number }, title(one))));
    open(chosen[0].number, 0);
  };
  const pairingOf = ({ players }) => [...players].sort((a, b) => a - b).join(" ");

  const openLink = () => {
    const link = /^#game-(\w+?)(?:-(\d+))?$/.exec(location.hash);
    if (!link || !games.some(({ number }) => number === link[1])) return;
    if (![...at("game").options].some(({ value }) => value === link[1])) {
      at("pairing").value = "";
      choosePairing();
    }
    open(link[1], Number(link[2] ?? 0));
    at("games").scrollIntoView({ block: "nearest" });
  };

  const steps = {
    first: () => show(0),
    back: () => show(shown - 1),
    next: () => show(shown + 1),
    last: () => show(game.moves.length),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };

  const start = () => {
    if (!games.length) return;
    // In the order of the tables: the first player of a pairing is the one listed first.
    const pairings = new Set(games.map(pairingOf));
    at("pairing").append(element("option", { value: "" }, "all"));
    for (const pairing of [...pairings].sort()) {
      const [one, other] = pairing.split(" ").map((player) => players[player]);
      at("pairing").append(element("option", { value: pairing }, `${one} - ${other}`));
    }
    at("pairings").hidden = pairings.size < 2;
    at("choice").hidden = games.length < 2;
    at("games").hidden = false;
    at("pairing").addEventListener("change", choosePairing);
    at("game").addEventListener("change", () => open(at("game").value, 0));
    at("games").addEventListener("click", ({ target }) => {
      const { step, move, line, from } = target.closest("button")?.dataset ?? {};
      if (step) steps[step]();
      if (line) open(line, Number(from));
      if (move) show(Number(move));
    });
    at("curve").addEventListener("click", ({ clientX }) => {
      const svg = at("curve").querySelector("svg").getBoundingClientRect();
      const place = ((clientX - svg.left) / svg.width) * width;
      show(Math.round(((place - LEFT) / (width - LEFT - RIGHT)) * game.moves.length));
    });
    document.addEventListener("keydown", (event) => {
      const { top, bottom } = at("games").getBoundingClientRect();
      const isSeen = top < innerHeight && bottom > 0;
      const isTaken = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey
        || event.target.closest("select");
      if (!keys[event.key] || isTaken || !isSeen) return;
      event.preventDefault();
      steps[keys[event.key]]();
    });
    addEventListener("hashchange", openLink);
    // On paper the end of a game tells more than its start.
    addEventListener("beforeprint", () => shown || steps.last());
    choosePairing();
    openLink();
  };
  start();
})();
