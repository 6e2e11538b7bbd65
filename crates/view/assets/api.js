// Requests and answers in JSON. Errors are sentences for the page; `patiently` waits for a server that does not
// answer.
import { complain, isReached, wait } from "./page.js";
import { send } from "./transport.js";

/** The maximum time between two attempts to reach the server, in milliseconds. */
const MAX_PAUSE = 5000;

/** The status of a server that has too much to do. */
const BUSY = 503;

/** A refusal by the server; the status is 0 if it did not answer. */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Shows what went wrong, unless the server is unreachable, which the page shows already, or the reader has left. */
export function report(error) {
  const isKnown = error.name === "AbortError" || (error instanceof ApiError && error.status === 0);
  // The server's refusals begin in lower case and have no full stop.
  const [first, ...rest] = error.message.replace(/([^.!?])$/, "$1.");
  if (!isKnown) complain(first.toUpperCase() + rest.join(""));
}

async function request(method, path, body, signal) {
  let status, text;
  try {
    ({ status, text } = await send(method, path, body && JSON.stringify(body), signal));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    isReached("the server", false);
    throw new ApiError("The server is not responding.", 0);
  }
  isReached("the server", true);
  if (status < 300) return JSON.parse(text);
  throw new ApiError(reasonIn(text) ?? `The server answered ${status}.`, status);
}

/** The reason for a refusal; one that did not come from the API itself has none. */
function reasonIn(text) {
  try {
    return JSON.parse(text).error;
  } catch {
    return undefined;
  }
}

export const get = (path, signal) => request("GET", path, undefined, signal);
export const post = (path, body, signal) => request("POST", path, body, signal);

/** Repeats a request until the server answers it and is not busy; other refusals are still errors. */
export async function patiently(send) {
  for (let pause = 250; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
    try {
      const answer = await send();
      isReached("an engine", true);
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || ![0, BUSY].includes(error.status)) throw error;
      if (error.status === BUSY) isReached("an engine", false);
      await wait(pause);
    }
  }
}
