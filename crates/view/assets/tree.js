// A game as a tree of moves: the main line and its variations, built from the server's
// description of a record, and converted back into one. The first child of a node continues its
// line; the others are variations.
import { SIDES, counted, element, sideOf } from "./board.js";
import { drawMoves, moveIn } from "./moves.js";

const lettersOf = (moves) => moves.map(({ pit }) => pit).join("");

/** The standard starting position. Like every text of a position, it names its rule unless that is the standard one. */
export const START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";

/** The position in the address of a view, which may state its rule in a word of its own. */
export function positionIn(query) {
  const [position = START, capture = ""] = ["position", "capture"].map((name) => query.get(name) ?? undefined);
  // Addresses of earlier versions name the standard rule, too; a position does not.
  const isNamed = capture === "standard" || position.includes(capture);
  return isNamed ? position : `${position} ${capture}`;
}

/** The record of a line of moves without players. */
export const recordOf = (position, letters = []) => ({
  south: { name: "" }, north: { name: "" }, position, moves: [...letters].map((pit) => ({ pit })),
});

/** A position of the tree and the move that led to it. */
class Node {
  children = [];

  constructor(parent, move, step) {
    this.parent = parent;
    /** The move in a record; undefined before the first one. */
    this.move = move;
    /** The move as the server describes it. */
    this.step = step;
    this.number = parent ? parent.number + 1 : 0;
    const isTurn = move && (!parent.move || sideOf(parent.move.pit) !== sideOf(move.pit));
    /** The number of the turn of the move. */
    this.turn = (parent?.turn ?? 0) + (isTurn ? 1 : 0);
    this.position = step?.after;
    /** The value that an engine has found for the position. */
    this.value = undefined;
    /** The number of moves before a swap of sides, if the move came after one. */
    this.swapped = null;
    /** The same, if the line ends with a swap after this move. */
    this.endsSwapped = null;
  }

  /** The nodes from the first move to here. */
  get path() {
    const path = [];
    for (let node = this; node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }

  /** The number of moves before the swap of sides in the line that ends here. */
  get swappedAfter() {
    return this.swapped ?? this.endsSwapped;
  }

  get isSwapped() {
    return this.swappedAfter !== null;
  }

  /** The path, continued to the end of its line. */
  get line() {
    const line = this.path;
    for (let [next] = this.children; next; [next] = next.children) line.push(next);
    return line;
  }

  get isMain() {
    return this.path.every((node) => node.parent.children[0] === node);
  }

  /** Adds the new part of a line of moves, and returns the last node of the line. */
  follow(moves, steps, swapped) {
    let node = this;
    moves.forEach((move, index) => {
      const here = swapped !== null && node.number >= swapped ? swapped : null;
      const known = node.children.find((child) =>
        child.move.pit === move.pit && child.swapped === here);
      node = known ?? node.#add(move, steps[index], here);
    });
    if (swapped === node.number) node.endsSwapped = swapped;
    return node;
  }

  #add(move, step, swapped) {
    const child = new Node(this, move, step);
    child.swapped = swapped;
    this.children.push(child);
    return child;
  }
}

export class Tree {
  /** The letters of the moves to which the result belongs. */
  #ended;

  /** `game` is the server's description of a record. */
  constructor(game) {
    this.root = new Node();
    this.root.position = game.start;
    this.update(game);
  }

  /** Takes over a new judgement of the record, or a whole record. */
  update({ record, steps, swapped_after: swapped, variations, judged, result, comment }) {
    const { moves, variations: lines = [], ...head } = record;
    this.head = head;
    this.judged = judged;
    this.comment = comment;
    this.result = result;
    this.#ended = lettersOf(moves);
    const main = this.root.follow(moves, steps, swapped);
    this.#take(main, moves, steps);
    variations.forEach(({ after, swapped_after: swapped, steps }, index) => {
      const shared = main.path[after - 1] ?? this.root;
      const { moves } = lines[index];
      this.#take(shared.follow(moves, steps, swapped), moves, steps);
    });
  }

  /** Stores moves and their judgement in the nodes that end with `last`. */
  #take(last, moves, steps) {
    const nodes = last.path.slice(last.number - moves.length);
    nodes.forEach((node, index) => Object.assign(node, { move: moves[index], step: steps[index] }));
  }

  get main() {
    return this.root.line;
  }

  /** Whether a node is the root or one of its successors. */
  has(node) {
    return node?.path.every((one) => one.parent.children.includes(one))
      && (node.path[0]?.parent ?? node) === this.root;
  }

  /** The last nodes of all variations. */
  get #leaves() {
    const [leaves, open] = [[], [this.root]];
    while (open.length) {
      const node = open.pop();
      if (node.children.length) open.push(...node.children.toReversed());
      else if (!node.isMain) leaves.push(node);
    }
    return leaves;
  }

  /** The node after these letters, as far as the tree contains them. */
  find(letters) {
    let node = this.root;
    for (const letter of letters.toLowerCase()) {
      const next = node.children.find(({ move }) => move.pit.toLowerCase() === letter);
      if (!next) break;
      node = next;
    }
    return node;
  }

  /** Plays a move, as the server described it, after a node. */
  play(node, step) {
    const known = node.children.find(({ move }) => move.pit === step.pit);
    if (known) return known;
    return node.follow([{ pit: step.pit }], [step], node.swappedAfter);
  }

  /** Writes the value of each node into the record, at all moves from that node. */
  annotate(nodes) {
    for (const { value, children } of nodes.filter((node) => node.value)) {
      const { margin, proved = false, depth, nodes } = value;
      for (const child of children) {
        child.move = { ...child.move, value: Math.round(100 * margin), proved, depth, nodes };
      }
    }
    this.head.tags = { ...this.head.tags, Annotator: "kalah" };
  }

  /** Whether one engine evaluated all positions; otherwise, each player evaluated its own. */
  get isAnnotated() {
    return this.head.tags?.Annotator !== undefined;
  }

  /** Makes the line of a node the first continuation at its nearest branch. */
  promote(node) {
    const branch = node.path.findLast(({ parent }, index, path) =>
      parent.children[0] !== path[index]);
    if (!branch) return;
    const { children } = branch.parent;
    children.splice(children.indexOf(branch), 1);
    children.unshift(branch);
  }

  /** Removes a node with all that follows, and returns the node before it. */
  remove(node) {
    const { children } = node.parent;
    children.splice(children.indexOf(node), 1);
    return node.parent;
  }

  /** The record. A result is left out if the main line no longer has the moves it belongs to. */
  record() {
    const moves = this.main.map(({ move }) => move);
    const { tags: { SwappedAfter: _, ...tags } = {}, ...whole } = this.head;
    const { result, reason, margin, detail, ...head } = whole;
    const isSame = lettersOf(moves) === this.#ended;
    const { swappedAfter } = this.main.at(-1) ?? this.root;
    if (swappedAfter !== null) tags.SwappedAfter = String(swappedAfter);
    const main = new Set(this.main);
    const variations = this.#leaves.map(({ path, swappedAfter }) => {
      const after = path.findIndex((node) => !main.has(node));
      const line = { after, moves: path.slice(after).map(({ move }) => move) };
      return swappedAfter === null ? line : { ...line, swapped_after: swappedAfter };
    });
    return { ...(isSame ? whole : head), tags, moves, variations };
  }
}

const labelOf = ({ turn, move: { pit }, step: { mark, lost } }) => {
  const label = `Turn ${turn}: ${SIDES[sideOf(pit)].name} sows ${pit}`;
  return mark ? `${label} (${mark}, loses ${counted(lost, "seed")})` : label;
};

/**
 * Draws the moves of a tree: the main line as a table, with comments and variations after their
 * turns. Returns the button of each node.
 */
export function drawTree(place, tree) {
  const buttons = new Map();
  const moves = tree.main.map((node) => ({
    letter: node.move.pit, shown: buttonOf(node, buttons), asides: asidesOf(node, buttons),
  }));
  place.replaceChildren();
  if (moves.length) drawMoves(place, moves);
  if (tree.comment) place.prepend(commentOf(tree.comment));
  return buttons;
}

const commentOf = (text) => element("span", { class: "comment" }, text);

function buttonOf(node, buttons) {
  const { move: { pit, book }, step: { mark } } = node;
  const label = labelOf(node);
  const kind = book ? "book" : "";
  const button = moveIn("button", pit, mark, { type: "button", class: kind, "aria-label": label, title: label });
  buttons.set(node, button);
  return button;
}

/** The comment on a move of the main line, and the variations in its place. */
function asidesOf(node, buttons) {
  const { parent, step: { comment } } = node;
  const variations = parent.children.slice(1).map((other) => {
    const variation = element("div", { class: "variation" });
    drawVariation(variation, other, buttons);
    return variation;
  });
  return [...(comment ? [element("div", {}, commentOf(comment))] : []), ...variations];
}

/** Draws a variation in a line of text, with its own variations in parentheses. */
function drawVariation(place, first, buttons) {
  for (let node = first, needsNumber = true; node; [node] = node.children) {
    const { turn, parent, step: { comment } } = node;
    if (needsNumber || turn !== parent.turn) place.append(` ${turn}. `);
    place.append(buttonOf(node, buttons));
    if (comment) place.append(commentOf(comment));
    const others = node === first ? [] : parent.children.slice(1);
    for (const other of others) {
      place.append(" (");
      drawVariation(place, other, buttons);
      place.append(") ");
    }
    needsNumber = Boolean(comment) || others.length > 0;
  }
}
