// The game in play. The page sends what players do, its intents, and draws the game that comes back: positions,
// legal moves, players, clocks, and what can be taken back. The server saves each change before it answers.
import { patiently, post } from "./api.js";
import { complain, tell } from "./page.js";
import { orGone } from "./saved.js";

export class GameInPlay {
  /** The latest answer, as drawn. */
  game;
  /** The name of the file: undefined until there is one, null if games are not saved. */
  name;
  /** Settles when all intents so far have been answered. */
  updated = Promise.resolve();
  /** Called when the place of the game changes: its file, or the request that will create one. */
  onPlaced = () => {};
  /** A request that will create a file, until it is answered. */
  creating;
  #latest;
  #version;
  /** The name of the next file: it stays until the file exists, so that a request can be repeated. */
  #next;
  /** Ends the engine's search. */
  #thinking;
  /** The file that a request without an answer may have changed. */
  #uncertain;

  constructor(answer) {
    this.#take(answer);
    this.game = answer;
  }

  /** Continues the game in a file. */
  static opened = (name) => orGone(() => GameInPlay.resumed({ name }));

  /** Continues a game from a request that shows it, or has not been answered. */
  static async resumed(asked) {
    const ask = (request) => patiently(() => post("play", request));
    const { name, record, intent } = asked;
    // A reply may take long. The page asks for it once it has shown the game.
    const isReply = intent === "reply";
    const answer = await ask(isReply ? { name } : asked).catch((error) => {
      if (record && (error.status === 422 || (isReply && error.status === 404))) return ask({ record });
      // The file exists, because an answer was lost.
      if (error.status === 409) return ask({ name });
      throw error;
    });
    const one = new GameInPlay(answer);
    // A terminal may have left it while stepping through it.
    if (one.game.paused && !one.game.over) await one.act("continue");
    return one;
  }

  /** Does what somebody intends, `us` microseconds after the current turn began. */
  act(intent, us = 0) {
    this.updated = this.#after(() => this.#ask(intent, us)).then(() => this.accept());
    return this.updated;
  }

  /** Has the engine move; resolves to the answer, which is not drawn until it is accepted. */
  reply(us) {
    const thinking = new AbortController();
    this.#thinking = thinking;
    const replied = this.#after(() => this.#ask("reply", us, thinking.signal));
    this.updated = replied;
    return replied.then(() => this.#latest);
  }

  /** Draws the latest answer from now on. */
  accept() {
    this.game = this.#latest;
  }

  /** Ends the engine's search. */
  drop() {
    this.#thinking?.abort();
    this.#thinking = undefined;
  }

  /** The game in the file of this one, if a different tab or program has changed it. */
  async changed() {
    const { name } = this;
    const version = this.#version;
    if (!name) return undefined;
    const latest = await post("play", { name });
    // This page may have made a move of its own in the meantime.
    await this.updated.catch(() => undefined);
    return this.#version !== version || latest.version === version ? undefined : GameInPlay.resumed({ name });
  }

  /** The whole game, with what was taken back. */
  get record() {
    return this.#latest.saved;
  }

  get side() {
    return this.game.position.side;
  }

  /** Who plays a side now. */
  seat(side) {
    return this.game.seats[side];
  }

  isPerson(side) {
    return this.seat(side).person;
  }

  /** The side of the only person. */
  get onlyPerson() {
    return this.game.person ?? undefined;
  }

  get hasCoach() {
    return this.record.tags?.Coach === "yes";
  }

  #after(step) {
    return this.updated.catch(() => undefined).then(step);
  }

  #take(answer) {
    this.#latest = answer;
    if (answer.name === undefined) {
      this.onPlaced();
      return;
    }
    const { fault, version } = answer;
    if (fault) complain(`This game cannot be saved: ${fault}`);
    // The next request tries a new file.
    const name = fault ? undefined : answer.name;
    const isMoved = fault || name !== this.name;
    this.name = name;
    this.#version = version;
    this.#next = undefined;
    this.creating = undefined;
    if (isMoved) this.onPlaced();
  }

  async #ask(intent, us, signal) {
    // The engine has moved, although its answer was not heard.
    if (await this.#findOut() && (intent === "reply" || intent === "flag")) return;
    const asked = { ...this.#place(intent), intent, us };
    let attempts = 0;
    const send = () => {
      attempts += 1;
      return post("play", asked, signal);
    };
    try {
      this.#take(await patiently(send));
    } catch (error) {
      if (error.name === "AbortError") this.#uncertain = asked.name;
      if (!asked.name || ![404, 409].includes(error.status)) throw error;
      await this.#part(asked, error.status, attempts > 1, signal);
    }
    if (asked.name) tell("saved");
  }

  /** The game of a request: its file, or its record and the name of a new file. */
  #place(intent) {
    if (this.name) return { name: this.name, seen: this.#version };
    if (this.name === null || intent.coach !== undefined) return { record: this.record };
    return this.#placeInNewFile(intent);
  }

  /** The page may be left before the server has answered. */
  #placeInNewFile(intent) {
    const { record } = this;
    this.#next ??= newName();
    this.creating = { name: this.#next, record, intent };
    this.onPlaced();
    return { name: this.#next, record };
  }

  /** Asks for the game, if it is unknown whether the last intent was carried out; returns whether it was. */
  async #findOut() {
    const name = this.#uncertain;
    this.#uncertain = undefined;
    if (!name) return false;
    const latest = await patiently(() => post("play", { name })).catch((error) => {
      if (error.status !== 404) throw error;
    });
    if (!latest || (name === this.name && latest.version === this.#version)) return false;
    this.#take(latest);
    return true;
  }

  /**
   * The server refuses to change the file: it is gone or has changed, or its game is finished or not alone. This
   * page has changed it if the answer to the first of several requests was lost; otherwise, the games part.
   */
  async #part({ name, seen, intent, us }, status, isRepeated, signal) {
    const latest = status === 409 ? await patiently(() => post("play", { name })) : undefined;
    if (isRepeated && latest && hasDone(intent, lineOf(this.#latest), lineOf(latest))) {
      this.#take(latest);
      return;
    }
    if (latest && latest.version !== seen) {
      complain("This game was also continued in another tab or program. Yours is saved as a game of its own.");
    }
    this.#next = undefined;
    const asked = { ...this.#placeInNewFile(intent), intent, us };
    this.#take(await patiently(() => post("play", asked, signal)));
  }
}

const lineOf = ({ steps }) => steps.map(({ pit }) => pit).join("");

/** Whether the line after an intent may have become the latest one. */
function hasDone({ sow }, before, latest) {
  return latest.startsWith(before + (sow ?? "")) || (!sow && before.startsWith(latest));
}

/** The page names its games, so that it can repeat a request whose answer was lost without creating a second file. */
function newName() {
  const random = crypto.getRandomValues(new Uint32Array(2));
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "");
  return `${time}Z-${[...random].map((number) => number.toString(36)).join("")}.kgn`;
}
