// Quiet sounds of seeds on wood, off by default.
import { setting } from "./store.js";

let context;

export const hasSound = () => setting("sound", { isOn: false }).isOn;

/** A short knock; a higher one is a capture or an extra turn. */
export function knock(pitch = 1) {
  if (!hasSound()) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = new OscillatorNode(context, { type: "triangle", frequency: 210 * pitch * (0.94 + 0.12 * Math.random()) });
  const volume = new GainNode(context, { gain: 0.08 });
  volume.gain.exponentialRampToValueAtTime(0.0005, now + 0.09);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
