// A worker that runs the engine. It gets the compiled module first, then messages { id, call,
// text, token }: a function of the module and its text. It answers with { id, kind, text }, and
// with { id, isDone } at the end. A message that arrives during a call waits for its end.

/** Milliseconds between two polls of the token, each of which takes about one. */
const POLL = 25;

let wasm, message, nextPoll;

const host = {
  now: () => performance.timeOrigin + performance.now(),
  is_stopped() {
    const now = performance.now();
    if (now < nextPoll) return 0;
    const look = new XMLHttpRequest();
    look.open("GET", message.token, false);
    try {
      look.send();
    } catch {
      // The page has revoked it.
      return 1;
    }
    nextPoll = performance.now() + POLL;
    return 0;
  },
  send(kind, place, length) {
    const text = new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, place, length));
    postMessage({ id: message.id, kind, text });
  },
};

function call(name, text) {
  const bytes = new TextEncoder().encode(text);
  const place = wasm.buffer(bytes.length);
  new Uint8Array(wasm.memory.buffer).set(bytes, place);
  nextPoll = performance.now() + POLL;
  wasm[name]();
}

addEventListener("message", ({ data }) => {
  if (data.module) {
    wasm = new WebAssembly.Instance(data.module, { host }).exports;
    call("start", data.history);
    return;
  }
  message = data;
  call(data.call, data.text);
  postMessage({ id: data.id, isDone: true });
});
