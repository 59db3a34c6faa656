// @ts-check
/**
 * Owns what is heard: a few short tones made in the browser, and how loud they are. Off until somebody turns it on; nothing is told by sound
 * alone.
 */

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { read, write } from "./prefs.js";

/** @typedef {"drop"|"capture"|"roll"|"turn"|"count"|"race"|"phrase"|"end"} Sound */

/**
 * A tone: when it begins (s), from which to which pitch (Hz), how long (s), how loud (0…1), of which shape.
 * @typedef {[number, number, number, number, number, OscillatorType]} Tone
 */

/** @type {Record<Sound, Tone[]>} */
const TONES = {
  drop: [[0, 420, 190, 0.06, 0.5, "triangle"]],
  capture: [
    [0, 330, 160, 0.07, 0.6, "triangle"],
    [0.07, 250, 120, 0.09, 0.6, "triangle"],
  ],
  roll: [
    [0, 700, 420, 0.03, 0.3, "square"],
    [0.06, 620, 380, 0.03, 0.25, "square"],
    [0.14, 560, 330, 0.04, 0.2, "square"],
  ],
  turn: [
    [0, 523, 523, 0.12, 0.35, "sine"],
    [0.13, 659, 659, 0.18, 0.35, "sine"],
  ],
  count: [[0, 440, 440, 0.12, 0.4, "sine"]],
  race: [[0, 880, 880, 0.4, 0.45, "sine"]],
  phrase: [[0, 740, 880, 0.1, 0.25, "sine"]],
  end: [
    [0, 523, 523, 0.16, 0.35, "sine"],
    [0.16, 659, 659, 0.16, 0.35, "sine"],
    [0.32, 784, 784, 0.35, 0.35, "sine"],
  ],
};

const KEY = "muang.volume";
const MOST_AT_ONCE = 8;

class Sounds {
  constructor() {
    const kept = read(KEY, /** @type {unknown} */ (0));
    /** 0 (off) to 1 */
    this.volume = typeof kept === "number" && kept >= 0 && kept <= 1 ? kept : 0;
    /** @type {AudioContext|null} made with the first touch: before it a browser lets no page be heard */
    this.context = null;
    this.playing = 0;
    /** @type {Sound|null} the last sound asked for, whether it could be heard or not */
    this.last = null;
  }

  /** @param {number} volume 0 (off) to 1 */
  setVolume(volume) {
    this.volume = Math.min(1, Math.max(0, volume));
    write(KEY, this.volume);
  }

  /** Let it be heard, if sound is on. Never fails: a browser without sound plays in silence. @param {Sound} name */
  play(name) {
    this.last = name;
    if (!this.volume || document.hidden || this.playing >= MOST_AT_ONCE || !navigator.userActivation?.hasBeenActive) return;
    try {
      this.context ??= new AudioContext();
      const { context } = this;
      if (context.state === "suspended") void context.resume();
      for (const tone of TONES[name]) this.tone(context, tone);
    } catch (error) {
      console.warn(error);
    }
  }

  /** @param {AudioContext} context @param {Tone} tone */
  tone(context, [after, from, to, length, loud, shape]) {
    const begin = context.currentTime + after;
    const source = new OscillatorNode(context, { type: shape, frequency: from });
    const level = new GainNode(context, { gain: 0 });
    source.frequency.setValueAtTime(from, begin);
    source.frequency.exponentialRampToValueAtTime(to, begin + length);
    level.gain.setValueAtTime(0, begin);
    level.gain.linearRampToValueAtTime(loud * this.volume ** 2, begin + 0.008); // loudness is heard in steps of equal ratio
    level.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    source.connect(level).connect(context.destination);
    this.playing += 1;
    source.addEventListener("ended", () => (this.playing -= 1));
    source.start(begin);
    source.stop(begin + length + 0.02);
  }
}

export const sound = new Sounds();

/** @returns {HTMLElement} the field in which sound is turned on, and how loud */
export function volumeField() {
  const output = h("output", { for: "volume" });
  const tell = () => (output.textContent = sound.volume ? t("{count} %", { count: Math.round(sound.volume * 100) }) : t("off"));
  const input = h("input", {
    type: "range",
    id: "volume",
    min: 0,
    max: 100,
    step: 10,
    value: Math.round(sound.volume * 100),
    on: {
      input: () => {
        sound.setVolume(Number(input.value) / 100);
        tell();
        input.setAttribute("aria-valuetext", output.textContent || "");
      },
      change: () => sound.play("turn"),
    },
  });
  tell();
  input.setAttribute("aria-valuetext", output.textContent || "");
  return h("div", { class: "volume" }, icon("sound"), h("label", { for: "volume" }, t("Sound")), input, output);
}
