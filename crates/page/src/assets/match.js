// The game that is being played: its record, and the events that were taken back. The server
// interprets the record: `game` has its positions, legal moves, players and clocks.
import { patiently, post } from "./api.js";
import { otherOf } from "./board.js";

/** A game in play. Its events are moves and swaps of sides. */
export class Match {
  /** The server's description of the record. */
  game;
  /** The events that were taken back, the next one last. */
  undone = [];
  /** Settles when `game` describes `record`. */
  updated = Promise.resolve();

  /** The name of the file is undefined until the game has been saved. */
  constructor(game, name) {
    this.game = game;
    this.record = game.record;
    this.name = name;
    /** The version of the file that this page has last seen. */
    this.version = game.version;
    /** Whether the game in the file is finished. */
    this.isClosed = name !== undefined && game.over;
  }

  /** Asks the server to describe the record. */
  update() {
    this.updated = this.#update();
    return this.updated;
  }

  async #update() {
    this.game = await patiently(() => post("game", this.record));
    this.record = this.game.record;
  }

  get side() {
    return this.game.position.side;
  }

  /** Who plays a side now; people continue games from other programs. */
  seat(side) {
    return this.game.seats?.[side] ?? { name: "human", person: true };
  }

  isPerson(side) {
    return this.seat(side).person;
  }

  /** The side of the only person. */
  get onlyPerson() {
    const people = ["S", "N"].filter((side) => this.isPerson(side));
    return people.length === 1 ? people[0] : undefined;
  }

  get hasCoach() {
    return this.record.tags?.Coach === "yes";
  }

  set hasCoach(hasCoach) {
    this.record = { ...this.record, tags: { ...this.record.tags, Coach: hasCoach ? "yes" : undefined } };
  }

  /** Adds a move. If it repeats the next event taken back, the others can still be redone. */
  play(move) {
    this.#follow(this.undone.at(-1)?.move?.pit === move.pit);
    this.record = { ...this.record, moves: [...this.record.moves, move] };
  }

  /** Exchanges the sides of the players, as the pie rule allows. */
  swap() {
    this.#follow(this.undone.at(-1)?.isSwap);
    this.record = { ...this.game.swapped, variations: this.record.variations };
  }

  /** Ends the game: `side` resigned ("resignation") or ran out of time ("time"). */
  lose(side, reason) {
    this.record = { ...this.record, result: side === "S" ? "0-1" : "1-0", reason };
  }

  /** Whether there is a decision of a person, or a loss, to take back. */
  get canTakeBack() {
    const { steps, swapped_after: swapped } = this.game;
    const isOfPerson = ({ side }, index) => this.isPerson(this.#sideNow(side, index));
    return this.isLost || steps.some(isOfPerson) || (swapped !== null && this.onlyPerson !== undefined);
  }

  /** The side that the player of a move has now. */
  #sideNow(side, index) {
    const swapped = this.game.swapped_after ?? 0;
    return index < swapped ? otherOf(side) : side;
  }

  /** Whether the game ended by resignation or on time before it was played out. */
  get isLost() {
    return (this.record.reason ?? "normal") !== "normal";
  }

  /** Goes back to the last decision of a person, or takes back a loss. */
  takeBack() {
    const { result, reason, margin, detail, ...record } = this.record;
    const wasLost = this.isLost;
    this.record = record;
    while (!wasLost && this.#back());
  }

  /** Goes forward to the next decision of a person, or to the last event. */
  redo() {
    do {
      const { move, after } = this.undone.pop();
      this.record = after ?? { ...this.record, moves: [...this.record.moves, move] };
    } while (this.undone.length && !this.undone.at(-1).isDecision);
  }

  /** Goes back by one event; returns true to continue if no person decided the event. */
  #back() {
    const { moves, tags = {}, variations = [], ...rest } = this.record;
    const count = moves.length;
    const { SwappedAfter: swapped, ...others } = tags;
    const isSwap = Number(swapped ?? -1) === count;
    if (!isSwap && !count) return false;
    if (isSwap) {
      const side = this.game.steps[count]?.side ?? this.side;
      const isDecision = this.isPerson(otherOf(side));
      const seats = others.Seats?.split(", ").reverse().join(", ");
      const [south, north] = [rest.north, rest.south];
      this.undone.push({ isSwap, isDecision, after: this.record });
      this.record = { ...rest, south, north, moves, variations, tags: { ...others, Seats: seats } };
      return !isDecision;
    }
    const isDecision = this.isPerson(this.#sideNow(this.game.steps[count - 1].side, count - 1));
    const [move] = moves.slice(-1);
    this.undone.push({ move, isDecision });
    const lines = variations.map((line) =>
      line.after < count ? line : { ...line, after: count - 1, moves: [move, ...line.moves] });
    this.record = { ...rest, tags, moves: moves.slice(0, -1), variations: lines };
    return !isDecision;
  }

  /** Drops the next event taken back if it is repeated; otherwise keeps all as a variation. */
  #follow(isNext) {
    if (isNext) {
      this.undone.pop();
    } else {
      this.record = this.whole();
      this.undone = [];
    }
  }

  /** The record as it is saved: what was taken back is a variation. */
  whole() {
    const { moves, tags, variations = [] } = this.record;
    const events = this.undone.toReversed();
    const undone = events.flatMap(({ move }) => move ?? []);
    if (!undone.length) return this.record;
    const line = { after: moves.length, moves: undone };
    const swap = events.findIndex(({ isSwap }) => isSwap);
    const swapped = swap < 0 ? Number(tags?.SwappedAfter) : moves.length + swap;
    if (!Number.isNaN(swapped)) line.swapped_after = swapped;
    return { ...this.record, variations: [...variations, line] };
  }
}
