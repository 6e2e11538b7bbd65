// JSON over HTTP. Errors are sentences for the page; `patiently` waits for a server that does not
// answer.
import { isReached, wait } from "./page.js";

/** The maximum time between two attempts to reach the server, in milliseconds. */
const MAX_PAUSE = 5000;

/** The maximum length of a body that outlives the page; browsers allow 64 KiB in all. */
const MAX_KEPT_ALIVE = 4096;

/** A refusal by the server; the status is 0 if it did not answer. */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body, signal) {
  const options = { method, signal };
  if (body !== undefined) {
    options.headers = { "content-type": "application/json" };
    options.body = JSON.stringify(body);
    // A small request is completed even if the page is closed meanwhile.
    options.keepalive = options.body.length < MAX_KEPT_ALIVE;
  }
  let response, text;
  try {
    response = await fetch(`/api/${path}`, options);
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    isReached("the server", false);
    throw new ApiError("The server does not answer.", 0);
  }
  isReached("the server", true);
  if (response.ok) return JSON.parse(text);
  throw new ApiError(reasonIn(text) ?? `The server answered ${response.status}.`, response.status);
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
export const put = (path, body, signal) => request("PUT", path, body, signal);

/** Repeats a request until the server answers it; refusals are still errors. */
export async function patiently(send) {
  for (let pause = 250; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0) throw error;
      await wait(pause);
    }
  }
}
