// @ts-check
/**
 * Owns how it reads that the server refuses something, in the reader's language. The server's own sentences are English and say more; they stand
 * where there is no other. Which codes there are is the server's matter (`wire/refusals.py`); a test holds the two lists together.
 */

import { Refused } from "./api.js";
import { language, t } from "./i18n.js";

/** @returns {Record<string, string>} the code of an error → what it means */
export function refusals() {
  const disk = t("That could not be kept: the server's disk or database does not write now. Nothing has changed.");
  return {
    "illegal-action": t("The rules do not allow that now."),
    "not-your-seat": t("That seat is not yours."),
    "seat-taken": t("Somebody else has just taken that seat."),
    "still-played": t("Other people are playing this match. Resign it first."),
    "no-such-match": t("There is no such match on this server."),
    "rate-limited": t("That was too much at once from this network. Please try again in a moment."),
    "server-full": t("This server is full. Please try again later."),
    store: disk,
    "store-busy": disk,
    "store-damaged": disk,
  };
}

/** @param {string} code @param {string} message the server's own sentence @returns {string} */
export function refusal(code, message) {
  return language() === "en" ? message : (refusals()[code] ?? message);
}

/** Why a request has failed. @param {unknown} error @returns {string} */
export function failure(error) {
  return error instanceof Refused ? refusal(error.code, error.message) : t("The server does not answer. Is it still running?");
}
