// The page: shows the view that the hash of the address names.

import { Board, element } from "/board.js";

/** The start position of (6,4). */
const START = {
  side: "S",
  stores: { S: 0, N: 0 },
  rows: { S: [4, 4, 4, 4, 4, 4], N: [4, 4, 4, 4, 4, 4] },
};

const view = document.getElementById("view");
const root = element("div", { class: "board", role: "group", "aria-label": "Board" });
view.replaceChildren(root);
const board = new Board(root);
board.layOut(START.rows.S.length);
board.show(START, { S: "South", N: "North" });
