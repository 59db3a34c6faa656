// @ts-check
/** Owns counting rolls, and saying in plain words whether they are as fair dice give them. Draws and checks nothing. */

import { t } from "../i18n.js";

/**
 * @typedef {import("./lots.js").Roll} Roll
 *
 * @typedef {Object} Counted
 * @property {number} total rolls
 * @property {number[]} faces how often each of 1 to 6 came; two in a roll
 * @property {number} doubles
 * @property {number} releases doubles, or a 1 and a 6 (CN-11)
 */

/** @param {Roll[]} rolls @returns {Record<string, Counted>} seat → what it has rolled */
export function count(rolls) {
  /** @type {Record<string, Counted>} */
  const counted = {};
  for (const { seat, dice } of rolls) {
    const mine = (counted[String(seat)] ??= { total: 0, faces: [0, 0, 0, 0, 0, 0], doubles: 0, releases: 0 });
    const [one, two] = dice;
    mine.total++;
    mine.faces[one - 1]++;
    mine.faces[two - 1]++;
    if (one === two) mine.doubles++;
    if (one === two || (one + two === 7 && one * two === 6)) mine.releases++;
  }
  return counted;
}

/** @param {number} total rolls @returns {Counted} what as many rolls of fair dice give on average */
export function expected(total) {
  return { total, faces: Array(6).fill(total / 3), doubles: total / 6, releases: (total * 8) / 36 };
}

/** @param {Counted} counted @returns {number} chi-square of the faces, 5 degrees of freedom */
export function chiSquare(counted) {
  const fair = counted.total / 3;
  return counted.faces.reduce((sum, found) => sum + (found - fair) ** 2 / fair, 0);
}

/** Fewer rolls than this, and chance decides everything: each face is expected less than five times. */
export const ENOUGH = 15;
/** Chi-square with 5 degrees of freedom is higher than these once in 20 and once in 1,000 times with fair dice. */
const [ONE_IN_20, ONE_IN_1000] = [11.07, 20.52];

/** @param {Counted} counted @returns {string} a sentence */
export function verdict(counted) {
  if (counted.total < ENOUGH) return t("Too few rolls to say anything.");
  const x = chiSquare(counted);
  if (x < ONE_IN_20) return t("As expected of fair dice.");
  if (x < ONE_IN_1000) return t("Unusual, but fair dice do this once in twenty times.");
  return t("Very unusual: fair dice do this less than once in a thousand times.");
}
