// The time used in the current turn. The server computes how much time the earlier moves left.

/** A time as clocks show it, rounded up to whole seconds: 4:58, 1:00:00. */
export function shownTime(seconds) {
  // Rounding errors must not add a second.
  const whole = Math.ceil(seconds - 1e-6);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A stopwatch, in seconds. */
export class Stopwatch {
  #began;
  #before = 0;

  get isRunning() {
    return this.#began !== undefined;
  }

  get seconds() {
    return this.#before + (this.isRunning ? (performance.now() - this.#began) / 1000 : 0);
  }

  start() {
    this.#began ??= performance.now();
  }

  hold() {
    this.#before = this.seconds;
    this.#began = undefined;
  }

  /** In the unit of records. */
  get microseconds() {
    return Math.round(1e6 * this.seconds);
  }

  /** Resets to zero; returns the microseconds so far. */
  stop() {
    this.hold();
    const { microseconds } = this;
    this.#before = 0;
    return microseconds;
  }
}
