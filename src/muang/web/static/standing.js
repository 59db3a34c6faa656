// @ts-check
/** Owns in a few words how a match stands, for lists of matches. Draws nothing. */

import { t } from "./i18n.js";
import { reasonName, seatName } from "./names.js";

/** @param {any} match a public view @returns {string} */
export function standing(match) {
  const view = match.match || match;
  if (!view) return "";
  if (Array.isArray(match.seats) && match.seats.some((/** @type {{kind: string}} */ { kind }) => kind === "open")) return t("waiting for players");
  if (view.result) {
    const winner = view.result.winner;
    const reason = reasonName(view.result.reason, view.result.winner);
    if (winner === null || winner === undefined) return t("Drawn: {reason}", { reason });
    return t("{seat} has won: {reason}", { seat: seatName(winner), reason });
  }
  if (view.phase === "race") return t("Round {round}, in the race", { round: view.round });
  if (view.turn !== null && view.turn !== undefined) {
    return view.round ? t("Round {round}, {seat} to move", { round: view.round, seat: seatName(view.turn) }) : t("{seat} to move", { seat: seatName(view.turn) });
  }
  return "";
}
