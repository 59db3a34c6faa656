// @ts-check
/**
 * Owns how the clocks of turns and of choices are read and shown, and the warning before one runs out. Who has run out is the server's to say;
 * all clocks go by its clock.
 */

import { t } from "./i18n.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Reading
 * @property {number} ms left
 * @property {boolean} running
 * @property {boolean} held it will run, but what happened is still watched
 * @property {boolean} lost it ran when the server was last heard of, and nobody here knows what it shows now
 */

/** Under this it is hurry, in ms. */
export const LOW_MS = 10_000;

/** At these it is said how much is left, in s. */
const WARNINGS = [30, 10];

/** @param {number} ms @param {boolean} [tenths] under ten seconds to a tenth @returns {string} `1:05:09`, `2:07` or `8.3` */
export function clockText(ms, tenths = true) {
  const left = Math.max(0, ms);
  if (tenths && left < LOW_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const all = Math.ceil(left / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (/** @type {number} */ figure) => String(figure).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** The clock of a seat: that of the turns, else of the choice that is due. @param {Session} session @param {Seat} seat @returns {Reading|null} */
export function reading(session, seat) {
  const { clocks } = session.table;
  const choice = session.clock[String(seat)];
  if (session.view?.phase === "over") return null;
  // without the server the last that is known stands
  const lost = session.lostAt !== null;
  const ago = performance.now() - (session.lostAt ?? performance.now());
  if (clocks) {
    const left = clocks.left[String(seat)];
    if (left === undefined) return null;
    const running = clocks.running === seat;
    const since = running && clocks.since !== null ? session.serverNow() - ago - clocks.since : 0;
    return { ms: Math.max(0, left - Math.max(0, since)), running, held: running && since < 0, lost: running && lost };
  }
  if (choice === undefined) return null;
  return { ms: Math.max(0, choice - (performance.now() - ago - session.clockAt)), running: true, held: false, lost };
}

/** @param {import("./types.js").TurnClocks|null} clocks of a match that has not begun @returns {string} in a word or two; "": there is no clock */
export function clockWords(clocks) {
  if (!clocks) return "";
  const time = clockText(Math.max(0, ...Object.values(clocks.left)), false);
  return clocks.kind === "per-turn" ? t("{time} for each turn", { time }) : t("{time} for the match", { time });
}

/** Says once each time when little is left for a seat of this screen. */
export class Warner {
  /** @param {Session} session @param {(text: string) => void} say */
  constructor(session, say) {
    this.session = session;
    this.say = say;
    /** seat → the last warning given, in s @type {Map<Seat, number>} */
    this.given = new Map();
    /** seat → what its clock showed @type {Map<Seat, number>} */
    this.seen = new Map();
  }

  tick() {
    const { session, given, seen } = this;
    for (const seat of session.mine()) {
      const now = reading(session, seat);
      if (!now || !now.running || now.held || now.lost) {
        seen.delete(seat);
        continue;
      }
      const before = seen.get(seat) ?? now.ms;
      seen.set(seat, now.ms);
      if (now.ms > before + 500) given.delete(seat); // it was set back: another turn
      const passed = WARNINGS.findLast((seconds) => now.ms <= seconds * 1000 && before > seconds * 1000);
      if (passed === undefined || given.get(seat) === passed) continue;
      given.set(seat, passed);
      this.say(session.isShared ? t("{seat}: {count} seconds left", { seat: session.called(seat), count: passed }) : t("{count} seconds left", { count: passed }));
    }
  }
}
