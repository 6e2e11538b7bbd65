// The player's settings. The server keeps them, so that they depend neither on the browser nor on
// the port. Pages send only what they change, so that two of them do not undo each other's choices.
import { get, patiently, post } from "./api.js";
import { complain, tell } from "./page.js";

let stored = {};
let sending = Promise.resolve();

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Fetches the settings, once those that this page has changed have been sent. */
export async function refresh() {
  await sending;
  try {
    stored = await patiently(() => get("settings"));
  } catch ({ message }) {
    complain(`Your settings cannot be read: ${message}`);
  }
}

/** A setting: an object. `defaults` supplies missing fields. */
export const setting = (name, defaults) => ({ ...defaults, ...stored[name] });

/** What this tab keeps under a name until it is closed. */
export function recalled(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

/** Keeps an object under a name until this tab is closed, unless the browser has no room for it. */
export function remember(name, object) {
  try {
    sessionStorage.setItem(name, JSON.stringify(object));
  } catch {
    // A reload forgets it.
  }
}

/** Saves fields of a setting; the others stay as they are. */
export function keep(name, fields) {
  const known = stored[name] ?? {};
  const changed = Object.entries(fields).filter(([field, value]) => !isSame(known[field], value));
  if (!changed.length) return;
  const patch = Object.fromEntries(changed);
  stored = { ...stored, [name]: { ...known, ...patch } };
  sending = sending
    .then(() => patiently(() => post("settings", { [name]: patch })))
    .then(() => tell("settings"))
    .catch(({ message }) => complain(`Your settings cannot be kept: ${message}`));
}
