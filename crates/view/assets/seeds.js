// Seeds in the hollows of a board: a deterministic heap for each place, drawn with a few paths.
// Adding a seed never moves those already drawn.

const SVG = "http://www.w3.org/2000/svg";
/** The angle between one seed and the next, which spreads them evenly. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
/** The distance between neighbours, in radii of a seed: those of a layer touch. */
const SPACING = 1.22;
/** Layers of a heap, as shares of the width of its hollow. More seeds cannot be told apart. */
const LAYERS = [1, 0.8, 0.62, 0.45];
const TONES = 4;

/** The inside of a hollow that seeds can lie in, and its drawing, in radii of a seed. */
const HOLLOWS = {
  pit: { width: 3.9, length: 3.9, box: "-5.2 -5.2 10.4 10.4" },
  store: { width: 3, length: 8.8, box: "-4.8 -10.6 9.6 21.2" },
  // The store of an upright board.
  trough: { width: 2.7, length: 23, box: "-4.3 -26 8.6 52" },
};

/** A number from 0 to 1 that depends on two numbers alone. */
const chance = (one, other) => {
  const wave = Math.sin(12.9898 * one + 78.233 * other) * 43758.5453;
  return wave - Math.floor(wave);
};

/** The places of a hollow's seeds, in order. */
function placesIn({ width, length }, key) {
  const places = [];
  LAYERS.forEach((share, layer) => {
    const [wide, long] = [width * share, length - width * (1 - share)];
    const turn = 2 * Math.PI * chance(key, layer);
    const layerPlaces = [];
    for (let index = 0; SPACING * Math.sqrt(index) <= long; index += 1) {
      const [radius, angle] = [SPACING * Math.sqrt(index), turn + index * GOLDEN];
      const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      // A long hollow ends in half circles.
      const beyond = Math.max(0, Math.abs(y) - (long - wide));
      if (Math.hypot(x, beyond) > wide) continue;
      const nth = key + 7 * index + 101 * layer;
      layerPlaces.push({ x: x + 0.4 * (chance(nth, 1) - 0.5), y: y + 0.4 * (chance(nth, 2) - 0.5), nth, layer });
    }
    // Seeds fall anywhere in a store, not in its middle first.
    if (length > width) layerPlaces.sort((one, other) => chance(one.nth, 3) - chance(other.nth, 3));
    places.push(...layerPlaces);
  });
  return places;
}

const known = new Map();

/** The places of the seeds of a hollow of this kind; `key` is a number that varies them. */
function places(kind, key) {
  const name = `${kind} ${key}`;
  if (!known.has(name)) known.set(name, placesIn(HOLLOWS[kind], key));
  return known.get(name);
}

const path = (kind, d) => {
  const made = document.createElementNS(SVG, "path");
  made.setAttribute("class", kind);
  made.setAttribute("d", d);
  return made;
};

/** A seed: a short line with round ends, in any direction. */
function seed({ x, y, nth }, [right, down] = [0, 0]) {
  const angle = Math.PI * chance(nth, 4);
  const [dx, dy] = [0.32 * Math.cos(angle), 0.32 * Math.sin(angle)];
  return `M${(x - dx + right).toFixed(2)} ${(y - dy + down).toFixed(2)}l${(2 * dx).toFixed(2)} ${(2 * dy).toFixed(2)}`;
}

/** The paths of some seeds: their shadows, each tone, and their lights. */
function pathsOf(seeds) {
  const toned = Array.from({ length: TONES }, (_, tone) =>
    path(`seed tone-${tone}`, seeds.filter(({ nth }) => Math.floor(TONES * chance(nth, 5)) === tone).map((one) => seed(one)).join("")));
  return [
    path("seed-shadow", seeds.map((one) => seed(one, [0.14, 0.26])).join("")), ...toned,
    path("seed-light", seeds.map((one) => seed(one, [-0.22, -0.28])).join("")),
  ];
}

/** An empty drawing of the seeds of a hollow. */
export function emptyPile() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "pile");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

/** Draws a number of seeds in a "pit", a "store" or a "trough"; `key` is a number that varies their places. */
export function drawPile(svg, kind, key, count) {
  svg.setAttribute("viewBox", HOLLOWS[kind].box);
  const seeds = places(kind, key).slice(0, count);
  const layers = LAYERS.map((_, layer) => seeds.filter((one) => one.layer === layer));
  svg.replaceChildren(...layers.filter((layer) => layer.length).flatMap(pathsOf));
}

/** Where on the screen the seed with this index lies, or would lie, in a drawing. */
export function seedPlace(svg, kind, key, index) {
  const all = places(kind, key);
  const { x, y } = all[Math.min(index, all.length - 1)];
  const { a, b, c, d, e, f } = svg.getScreenCTM();
  return { x: a * x + c * y + e, y: b * x + d * y + f, size: 2 * Math.hypot(a, b) };
}

/** A drawing of one seed, to be moved. */
export function looseSeed(nth) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-1.6 -1.6 3.2 3.2");
  svg.append(...pathsOf([{ x: 0, y: 0, nth }]));
  return svg;
}
