// @ts-check
/**
 * Owns reading out of a pasted record (docs/record-format.md), text or JSON, what has to be known to check its lots. Reads no choices and
 * checks no rules: `muang replay --verify` does.
 */

import { t } from "../i18n.js";

/**
 * @typedef {import("./lots.js").DiceInfo} DiceInfo
 * @typedef {import("./lots.js").Roll} Roll
 * @typedef {import("./lots.js").Seat} Seat
 */

/** A record that cannot be read; the message says why. */
export class BadRecord extends Error {}

const WORD = /^[A-Za-z0-9_-]{1,64}$/;
const DIGITS = /^[0-9a-f]{64}$/;
const MOST = 5_000_000;

/** @param {string} text @returns {DiceInfo} */
export function readRecord(text) {
  const plain = text.replace(/^[\uFEFF\s]+/, "");
  if (!plain) throw new BadRecord(t("There is nothing to read: paste a record, from its first line to its last."));
  if (plain.length > MOST) throw new BadRecord(t("This is too long for a record."));
  return plain.startsWith("{") ? fromJson(plain) : fromText(plain);
}

/** @param {string} name of a tag @returns {BadRecord} */
const wrong = (name) => new BadRecord(t("This record cannot be read: its {name} is missing or wrong.", { name }));

/**
 * @param {Object} found
 * @param {string} found.game @param {Seat[]} found.seats @param {string} found.first @param {string|null} found.seed
 * @param {Record<string, string>} found.names @param {Record<string, string|undefined>} found.tags @param {Roll[]} found.rolls
 * @returns {DiceInfo}
 */
function info({ game, seats, first, seed, names, tags, rolls }) {
  if (!["mak-khum", "abalalae", "ca-ngua"].includes(game)) throw wrong("Game");
  const opener = seats.find((seat) => String(seat) === first);
  if (opener === undefined) throw wrong("First");
  /** @type {Record<string, string>} */
  const entropy = {};
  for (const part of (tags.Entropy || "").split(/\s+/).filter(Boolean)) {
    const [seat, word, more] = part.split(":");
    if (!seats.some((one) => String(one) === seat) || !WORD.test(word || "") || more !== undefined || seat in entropy) throw wrong("Entropy");
    entropy[seat] = word;
  }
  const [commitment, secret, match] = [tags.Commitment ?? null, tags.Secret ?? null, tags.Match ?? ""];
  if (commitment !== null) {
    if (!DIGITS.test(commitment)) throw wrong("Commitment");
    if (!WORD.test(match)) throw wrong("Match");
  }
  if (secret !== null && !DIGITS.test(secret)) throw wrong("Secret");
  const by = tags.FirstBy ?? "lot";
  if (by !== "lot" && by !== "choice") throw wrong("FirstBy");
  return { game, match, commitment, secret, entropy, seats, names, first: opener, first_by: by, seed, rolls };
}

/** @param {string} text @returns {DiceInfo} */
function fromText(text) {
  /** @type {Record<string, string>} */
  const tags = {};
  const tag = /\s*\[([A-Z][A-Za-z0-9]*) ("(?:[^"\\\n]|\\.)*")\]/y;
  let at = 0;
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    try {
      tags[found[1]] = String(JSON.parse(found[2]));
    } catch {
      throw wrong(found[1]);
    }
    at = tag.lastIndex;
  }
  const horses = tags.Game === "ca-ngua";
  const seats = horses ? (tags.Seats ?? "0 2").split(/\s+/).map(Number) : ["S", "N"];
  /** @type {Record<string, string>} */
  const names = {};
  for (const seat of seats) {
    const name = tags[horses ? `Seat${seat}` : seat === "S" ? "South" : "North"];
    if (name) names[String(seat)] = name;
  }
  const words = text.slice(at).replace(/\{(?:\\.|[^\\}])*\}/gs, " ").split(/\s+/);
  /** @type {Roll[]} */
  const rolls = [];
  /** @type {Seat|null} */
  let seat = null;
  for (const word of horses ? words : []) {
    const turn = /^seat([0-3])$/.exec(word);
    const roll = /^([1-6])-([1-6]):$/.exec(word);
    if (turn) seat = Number(turn[1]);
    if (roll && seat === null) throw wrong("roll");
    if (roll && seat !== null) rolls.push({ n: rolls.length, seat, dice: [Number(roll[1]), Number(roll[2])] });
  }
  return info({ game: tags.Game ?? "", seats, first: (tags.First ?? "").replace(/^seat/, ""), seed: tags.Seed ?? null, names, tags, rolls });
}

/** @param {string} text @returns {DiceInfo} */
function fromJson(text) {
  /** @type {any} */
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new BadRecord(t("This is not JSON."));
  }
  if (data.format !== "muang-record-1") throw wrong("format");
  const { seats, entries = [], tags = {}, names = {} } = data;
  if (!Array.isArray(seats) || !seats.length || !Array.isArray(entries)) throw wrong("seats");
  /** @param {any} value */
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(tags) || Object.values(tags).some((value) => typeof value !== "string")) throw wrong("tags");
  if (!isObject(names) || Object.values(names).some((value) => typeof value !== "string")) throw wrong("names");
  /** @type {Roll[]} */
  const rolls = [];
  for (const entry of entries) {
    if (!isObject(entry)) throw wrong("entries");
    if (entry.dice === undefined || entry.dice === null) continue;
    const fine = Array.isArray(entry.dice) && entry.dice.length === 2 && entry.dice.every((/** @type {any} */ die) => [1, 2, 3, 4, 5, 6].includes(die));
    if (!fine || !seats.includes(entry.seat)) throw wrong("dice");
    rolls.push({ n: rolls.length, seat: entry.seat, dice: entry.dice });
  }
  return info({ game: data.game, seats, first: String(data.first), seed: data.seed ?? null, names, tags, rolls });
}
