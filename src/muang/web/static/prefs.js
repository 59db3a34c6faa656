// @ts-check
/** Owns what this browser remembers: the matches it holds seats in, the speed, the look, the names last used. Never needed to play. */

/**
 * @typedef {Object} KeptMatch
 * @property {string} id
 * @property {Record<string, string>} tokens seat → token
 * @property {string} game
 * @property {string} url
 * @property {number} created ms since 1970
 * @property {any} request what it was created with
 * @property {string|null} [commitment] what was told before any lot was drawn (CN-50)
 * @property {string} [entropy] the word of this browser that is mixed into the lots
 */

const MATCHES = "muang.matches";
const KEEP = 30;

/** @template T @param {string} key @param {T} otherwise @returns {T} */
export function read(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {unknown} value */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing still plays
  }
}

/** @returns {KeptMatch[]} newest first */
export function keptMatches() {
  const kept = read(MATCHES, /** @type {KeptMatch[]} */ ([]));
  return Array.isArray(kept) ? kept.filter((match) => match && typeof match.id === "string" && match.tokens) : [];
}

/** @param {string} id @returns {KeptMatch|null} */
export function keptMatch(id) {
  return keptMatches().find((match) => match.id === id) || null;
}

/** @param {KeptMatch} match */
export function keepMatch(match) {
  write(MATCHES, [match, ...keptMatches().filter((other) => other.id !== match.id)].slice(0, KEEP));
}

/** @param {string} id */
export function forgetMatch(id) {
  write(MATCHES, keptMatches().filter((match) => match.id !== id));
}

/**
 * Keep the seats of a match that this browser knows, or has come to.
 * @param {string} id @param {Record<string, string>} tokens
 * @param {{game: string, ruleset: string, commitment?: string|null, entropy?: string}} about
 */
export function keepSeat(id, tokens, { game, ruleset, commitment = null, entropy: word }) {
  const kept = keptMatch(id);
  keepMatch({ id, game, url: `/play/${id}`, created: Date.now(), request: { ruleset }, ...kept, tokens, commitment, ...(word ? { entropy: word } : {}) });
}

/** @type {Map<string, string>} words of matches that are not kept yet */
const words = new Map();

/**
 * The word that this browser mixes into the lots of a match (CN-50): the same for all its tabs, and nobody can guess it.
 * @param {string} id
 */
export function entropy(id) {
  const known = keptMatch(id)?.entropy || words.get(id);
  if (known) return known;
  const word = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  words.set(id, word);
  const kept = keptMatch(id);
  if (kept) keepMatch({ ...kept, entropy: word });
  return word;
}

const NAME = "muang.name";

/** @returns {string} the name under which somebody last sat down here */
export function lastName() {
  const kept = read(NAME, /** @type {unknown} */ (""));
  return typeof kept === "string" ? kept.slice(0, 40) : "";
}

/** @param {string} name */
export function rememberName(name) {
  write(NAME, name);
}

/** @typedef {"auto"|"light"|"dark"} Look */

/** @returns {Look} */
export function look() {
  const kept = read("muang.look", /** @type {string} */ ("auto"));
  return kept === "light" || kept === "dark" ? kept : "auto";
}

/** Show the page light, dark or as the system is. @param {Look} chosen */
export function setLook(chosen) {
  if (chosen === "auto") delete document.documentElement.dataset.look;
  else document.documentElement.dataset.look = chosen;
  write("muang.look", chosen);
}
