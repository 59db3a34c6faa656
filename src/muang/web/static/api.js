// @ts-check
/** Owns the page's requests to the server: what games there are, making a match, asking after one. */

import { keepMatch } from "./prefs.js";

/**
 * @typedef {Object} OptionInfo
 * @property {string} name
 * @property {string} clause
 * @property {any} default
 * @property {any[]} choices named values; whole numbers from `least` to `most` are allowed beside them
 * @property {number|null} least
 * @property {number|null} most
 * @property {string} label English, to be translated, like all that follows
 * @property {Record<string, string>} values a value as text → what it means
 * @property {string|null} number how a number reads: `rounds: {n}`
 *
 * @typedef {Object} RulesetInfo
 * @property {string} name
 * @property {Record<string, any>} options every option with its value
 * @property {string} label
 * @property {string} text
 *
 * @typedef {Object} GameInfo
 * @property {string} name
 * @property {RulesetInfo[]} rulesets the default one first
 * @property {OptionInfo[]} options
 * @property {(string|number)[][]} seats the sets of seats that can be played
 *
 * @typedef {Object} GamesInfo
 * @property {GameInfo[]} games
 * @property {string[]} players the computer players there are
 *
 * @typedef {{seat: string|number, kind: "person"|"computer"|"open", name?: string, player?: string}} SeatRequest
 * @typedef {{kind: "per-turn"|"fischer", seconds: number, increment?: number}} ClockRequest
 *
 * @typedef {Object} MatchRequest
 * @property {string} game
 * @property {string} ruleset
 * @property {Record<string, any>} options only those that differ from the ruleset
 * @property {string} pace
 * @property {number} tempo
 * @property {number} min_gap
 * @property {SeatRequest[]} seats
 * @property {string|number} [first]
 * @property {number} [seed]
 * @property {ClockRequest} [clock]
 * @property {boolean} [public] shown on the start page of the server
 *
 * @typedef {Object} LobbyMatch
 * @property {string} id
 * @property {string} url
 * @property {string} game
 * @property {string} ruleset
 * @property {string} pace
 * @property {{seat: string|number, kind: string, name: string}[]} seats
 * @property {number} watchers
 * @property {number} created
 *
 * @typedef {{open: LobbyMatch[], live: LobbyMatch[]}} Lobby
 */

/** An answer that is not the one hoped for; `message` is the server's own sentence where it gave one. */
export class Refused extends Error {
  /** @param {number} status @param {string} code which error @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param {string} path @param {RequestInit} [init] @returns {Promise<any>} */
async function ask(path, init) {
  const answer = await fetch(path, init);
  /** @type {any} */
  let body = null;
  try {
    body = await answer.json();
  } catch {
    // an answer without JSON is told by its status
  }
  if (!answer.ok) {
    const detail = body && (body.message || body.detail);
    throw new Refused(answer.status, String((body && body.code) || ""), typeof detail === "string" ? detail : `${answer.status} ${answer.statusText}`);
  }
  return body;
}

/** @returns {Promise<GamesInfo>} */
export function fetchGames() {
  return ask("/api/games");
}

/** @param {string} id @returns {Promise<any>} the match as everybody may see it */
export function fetchMatch(id) {
  return ask(`/api/matches/${encodeURIComponent(id)}`);
}

/** @param {string} id @returns {Promise<import("./dice/lots.js").DiceInfo>} everything that was rolled, and what it was drawn from */
export function fetchDice(id) {
  return ask(`/api/matches/${encodeURIComponent(id)}/dice`);
}

/** @param {string} id @returns {Promise<{entries: {seat?: string|number, lag?: number}[]}>} the record: every input, and how late it came */
export function fetchRecord(id) {
  return ask(`/api/matches/${encodeURIComponent(id)}/record.json`);
}

/**
 * What has happened so far, for a list that begins late.
 * @param {string} id
 * @returns {Promise<{version: number, told: import("./types.js").ToldLine[]}>}
 */
export function fetchTold(id) {
  return ask(`/api/matches/${encodeURIComponent(id)}/told`);
}

/**
 * What the computer would choose now.
 * @param {string} id @param {string[]} tokens of the seats of this screen
 * @returns {Promise<import("./types.js").HintTold>}
 */
export function fetchHint(id, tokens) {
  return send(`/api/matches/${encodeURIComponent(id)}/hint`, { tokens });
}

/**
 * Both ways of laying out the board that fits a view.
 * @param {import("./types.js").View} view @returns {Promise<{wide: any, upright: any}>}
 */
export async function fetchLayout(view) {
  const query = new URLSearchParams({ game: view.game });
  if (view.options.track !== undefined) query.set("track", String(view.options.track));
  if (view.game === "ca-ngua") query.set("seats", view.seats.join(","));
  else query.set("holes", String(view.board.S.length));
  const [wide, upright] = await Promise.all([ask(`/api/layout?${query}`), ask(`/api/layout?${query}&upright=true`)]);
  return { wide, upright };
}

/** @param {string} path @param {any} body @param {string} [method] @returns {Promise<any>} */
function send(path, body, method = "POST") {
  return ask(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** Make a match. @param {MatchRequest} request @returns {Promise<{id: string, tokens: Record<string, string>, commitment: string|null}>} */
export function makeMatch(request) {
  return send("/api/matches", request);
}

/**
 * Make a match and keep its seats in this browser.
 * @param {MatchRequest} request
 * @returns {Promise<string>} the address where it is played
 */
export async function createMatch(request) {
  const made = await makeMatch(request);
  const url = `/play/${made.id}`;
  keepMatch({ id: made.id, tokens: made.tokens, game: request.game, url, created: Date.now(), request, commitment: made.commitment ?? "" });
  return url;
}

/**
 * Take a free seat.
 * @param {string} id @param {{seat?: string|number, name: string, entropy: string}} wish
 * @returns {Promise<{seat: string|number, token: string}>}
 */
export function sitDown(id, wish) {
  return send(`/api/matches/${encodeURIComponent(id)}/sit`, wish);
}

/** Delete a match for everybody. @param {string} id @param {string} token of one of its seats */
export function deleteMatch(id, token) {
  return send(`/api/matches/${encodeURIComponent(id)}`, { token }, "DELETE");
}

/** @returns {Promise<Lobby>} the matches that are shown to everybody */
export function fetchLobby() {
  return ask("/api/lobby");
}

/** @param {string} id @returns {Promise<string|null>} the seal of the secret from which the lots of a match come; null: they come from a given seed */
export async function fetchCommitment(id) {
  return (await ask(`/api/matches/${encodeURIComponent(id)}/dice`)).commitment ?? null;
}
