// @ts-check
/** Owns how it is told who is there: in words beside the name, with how long the way to them is. Knows it from the table; measures nothing. */

import { clockText } from "./clocks.js";
import { t } from "./i18n.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Presence
 * @property {""|"here"|"slow"|"away"|"gone"} state "": there is nothing to tell
 * @property {string} text
 * @property {string} title the whole of it, where there is room
 */

/** From this round trip on a line is called slow, in ms. */
export const SLOW_MS = 200;

/** @type {Presence} */
const NOTHING = { state: "", text: "", title: "" };

/** @param {Session} session @param {Seat} seat @returns {Presence} */
export function presence(session, seat) {
  const kind = session.info(seat)?.kind;
  if (!session.table.now || kind === "computer" || kind === "open" || kind === "absent" || session.isMine(seat)) return NOTHING;
  const away = session.awayMs(seat);
  if (away !== null) {
    const time = clockText(away, false);
    return { state: "away", text: t("away, {time}", { time }), title: t("Not connected. The game waits for another {time}.", { time }) };
  }
  if (!session.table.here.includes(seat)) return { state: "gone", text: t("not here"), title: t("Not connected") };
  const ping = session.table.pings[String(seat)];
  if (ping === undefined) return { state: "here", text: t("here"), title: t("Connected") };
  const told = Math.round(ping);
  return ping >= SLOW_MS
    ? { state: "slow", text: t("slow, {ping} ms", { ping: told }), title: t("Connected by a slow line: {ping} ms there and back", { ping: told }) }
    : { state: "here", text: t("{ping} ms", { ping: told }), title: t("Connected: {ping} ms there and back", { ping: told }) };
}
