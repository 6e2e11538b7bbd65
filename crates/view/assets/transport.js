// How the page reaches what answers it: here a server, over HTTP and WebSocket. The page without a
// server has a module of the same name instead, with the same functions.

/** The maximum length of a body that outlives the page; browsers allow 64 KiB in all. */
const MAX_KEPT_ALIVE = 4096;

/** Sends a request; resolves to the `status` and the `text` of the answer. */
export async function send(method, path, body, signal) {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  // A small request is completed even if the page is closed in the meantime, unless the page may withdraw it.
  const keepalive = !signal && body?.length < MAX_KEPT_ALIVE;
  const response = await fetch(`/api/${path}`, { method, body, headers, signal, keepalive });
  return { status: response.status, text: await response.text() };
}

/** Whether the algorithms of the lab can play. */
export const hasAlgorithms = true;

/** Opens a session of the protocol: a WebSocket, or something with the same interface. */
export function openSession() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/engine`);
}

/** Sends a request that events answer: an EventSource, or something with the same interface. */
export const openEvents = (path) => new EventSource(`/api/${path}`);
