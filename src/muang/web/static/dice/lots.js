// @ts-check
/**
 * Owns the lots of a match in the page, as `muang.rooms.fair` draws them on the server (docs/fairness.md), and the check of what a match
 * says against what its secret gives (CN-50). Knows no element of the page.
 */

import { fromHex, hmac, sha256, toHex } from "./sha256.js";

/**
 * @typedef {string|number} Seat
 * @typedef {{n: number, seat: Seat, dice: [number, number]}} Roll
 *
 * @typedef {Object} DiceInfo what `/api/matches/ID/dice` answers
 * @property {string} game
 * @property {string} match the id
 * @property {string|null} commitment null where every lot came from a seed that was given
 * @property {string|null} secret null until the match is over
 * @property {Record<string, string>} entropy seat → the word mixed in
 * @property {Seat[]} seats
 * @property {Record<string, string>} names
 * @property {Seat} first
 * @property {"lot"|"choice"} first_by
 * @property {string|null} seed digits; null until the match is over
 * @property {Roll[]} rolls
 *
 * @typedef {Object} Check
 * @property {"commitment"|"first"|"seed"|"roll"} what
 * @property {string} said what the match says
 * @property {string} drawn what follows from the secret
 * @property {boolean} fits
 * @property {Roll} [roll]
 */

const BYTES = new TextEncoder();

/** The lots of one match. */
export class Lots {
  /** @param {string} secret 64 hexadecimal digits @param {string} match its id @param {[Seat, string][]} entropy in the order of the seats */
  constructor(secret, match, entropy) {
    this.key = fromHex(secret);
    this.head = `muang lots 1\nmatch ${match}\n${entropy.map(([seat, word]) => `entropy ${seat} ${word}\n`).join("")}`;
  }

  /** @param {string} label @param {number} number @param {number} [counter] @returns {string} what is hashed for a lot */
  message(label, number, counter = 0) {
    return `${this.head}lot ${label} ${number} ${counter}\n`;
  }

  /** @param {string} label @param {number} number @param {number} counter @returns {Uint8Array} */
  bytes(label, number, counter) {
    return hmac(this.key, BYTES.encode(this.message(label, number, counter)));
  }

  /** @param {number} n @param {string} label @param {number} number @returns {number} below `n`, each equally likely */
  below(n, label, number) {
    const end = 256 - (256 % n);
    for (let counter = 0; ; counter++) {
      const found = this.bytes(label, number, counter).find((byte) => byte < end);
      if (found !== undefined) return found % n;
    }
  }

  /** @param {number} i the number of a roll, from 0 @returns {[number, number]} */
  dice(i) {
    const b = this.below(36, "dice", i);
    return [Math.floor(b / 6) + 1, (b % 6) + 1];
  }

  /** @param {Seat[]} seats @returns {Seat} */
  first(seats) {
    return seats[this.below(seats.length, "first", 0)];
  }

  /** @returns {string} a number below 2**64 in digits: too large for a number of the page */
  seed() {
    return this.bytes("seed", 0, 0)
      .slice(0, 8)
      .reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
      .toString();
  }
}

/** @param {string} secret @returns {string} */
export function commitmentOf(secret) {
  return toHex(sha256(fromHex(secret)));
}

/** @param {DiceInfo} info @returns {Lots|null} null while there is no secret */
export function lotsOf(info) {
  if (!info.secret) return null;
  const entropy = info.seats.filter((seat) => info.entropy[String(seat)]).map((seat) => /** @type {[Seat, string]} */ ([seat, info.entropy[String(seat)]]));
  return new Lots(info.secret, info.match, entropy);
}

/** All that can be checked; empty while there is no secret. @param {DiceInfo} info @returns {Check[]} */
export function check(info) {
  const lots = lotsOf(info);
  if (!lots || !info.secret) return [];
  /** @type {Check[]} */
  const checks = [];
  /** @param {Check["what"]} what @param {string} said @param {string} drawn @param {Roll} [roll] */
  const add = (what, said, drawn, roll) => checks.push({ what, said, drawn, fits: said === drawn, roll });
  add("commitment", String(info.commitment), commitmentOf(info.secret));
  if (info.first_by === "lot") add("first", String(info.first), String(lots.first(info.seats)));
  if (info.seed !== null) add("seed", info.seed, lots.seed());
  for (const roll of info.rolls) add("roll", roll.dice.join("-"), lots.dice(roll.n).join("-"), roll);
  return checks;
}
