// The game in play. The page sends what players and the engine do, its intents, and draws the game
// that comes back: positions, legal moves, players, clocks, and what can be taken back.
import { patiently, post } from "./api.js";

export class GameInPlay {
  /** The latest answer. */
  game;
  /** Settles when all intents so far have been answered. */
  updated = Promise.resolve();

  /** Name and version are those of the file; they are undefined until the game has been saved. */
  constructor(game, name, version) {
    this.game = game;
    this.name = name;
    this.version = version;
    /** Whether the game in the file is finished. */
    this.isClosed = name !== undefined && this.record.result !== undefined;
  }

  /** Continues a game from its record. */
  static async resumed(record, name, version) {
    const one = new GameInPlay(await patiently(() => post("play", { record })), name, version);
    // A terminal may have left it while stepping through it.
    if (one.game.paused && !one.game.over) await one.act("continue");
    return one;
  }

  /** Does what somebody intends, `us` microseconds after the current turn began. */
  act(intent, us = 0) {
    const before = this.updated.catch(() => undefined);
    this.updated = before.then(async () => {
      this.game = await patiently(() => post("play", { record: this.record, intent, us }));
    });
    return this.updated;
  }

  /** The record to save, with what was taken back. */
  get record() {
    return this.game.saved ?? this.game.record;
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
}
