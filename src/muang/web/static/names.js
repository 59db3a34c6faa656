// @ts-check
/**
 * Owns what things are called on the pages: games, seats, places, paces, players, reasons. Rulesets and options are called what the rule book
 * calls them; the server sends these names.
 * All texts are written as `t("…")` so that the catalogues find them; the functions are called again whenever the language changes.
 */

import { plainName } from "./board/words.js";
import { t } from "./i18n.js";

/**
 * @typedef {Object} GameName
 * @property {string} native the name in its own language
 * @property {string} lang the language of `native`
 * @property {string} latin how it is written in Latin letters
 * @property {string} origin
 * @property {string} first first sentence
 * @property {string} second second sentence
 */

/** @param {string} game @returns {GameName} */
export function gameName(game) {
  switch (game) {
    case "mak-khum":
      return {
        native: "หมากขุม",
        lang: "th",
        latin: "Mak Khum",
        origin: t("Southern Thailand"),
        first: t("A board like a boat, two rows of seven holes, ninety-eight seeds: in the first round both hands sow at the same time."),
        second: t("Whoever brings home fewer seeds begins the next round with widows, holes that nobody may sow into."),
      };
    case "abalalae":
      return {
        native: "Abalala'e",
        lang: "ti-Latn",
        latin: "Abalala'e",
        origin: t("Central highlands of Eritrea"),
        first: t("Three rows of six holes, three seeds in each, and a race from the leftmost hole to decide who moves first."),
        second: t("Round after round the poorer player lays out what is left, until one of the two holds all fifty-four seeds."),
      };
    case "ca-ngua":
      return {
        native: "Cờ cá ngựa",
        lang: "vi",
        latin: "Cờ cá ngựa",
        origin: t("Vietnam"),
        first: t("Two horses each, two dice and one lap round the cross, for two to four players."),
        second: t("Doubles, or a one and a six, open the stable; a horse on which another ends its move goes back to where it came from."),
      };
    default:
      return { native: game, lang: "en", latin: game, origin: "", first: "", second: "" };
  }
}

/** @typedef {string|number} Seat `"S"`, `"N"` or 0…3 */

/** @param {Seat} seat @returns {string} */
export function seatName(seat) {
  return plainName(t, String(seat));
}

/**
 * @param {string} place a hole, a store, or a place of a horse
 * @param {(seat: Seat) => string} [called] what a seat is called: by its player's name where sentences do so
 * @returns {string}
 */
export function placeName(place, called = seatName) {
  const text = String(place);
  if (text === "SH" || text === "NH") return t("{seat}'s store", { seat: called(text[0]) });
  if (text === "stable") return t("the stable");
  if (text.startsWith("slot")) return t("slot {number}", { number: text.slice(4) });
  return text;
}

/** @param {string} pace @returns {{name: string, help: string}} */
export function paceName(pace) {
  switch (pace) {
    case "steady":
      return { name: t("Steady"), help: t("Both hands sow by themselves, equally fast. You choose the holes, whenever you are ready.") };
    case "by_hand":
      return { name: t("By hand"), help: t("Every seed is your own tap or key press. Nimble fingers win.") };
    default:
      return { name: t("In step"), help: t("The hands take turns seed by seed, and choices are hidden until both are made. No hurry.") };
  }
}

/** @param {string} player @returns {{name: string, help: string}} */
export function playerName(player) {
  switch (player) {
    case "greedy":
      return { name: t("Greedy"), help: t("takes the most it can see in one move") };
    case "random":
      return { name: t("Random"), help: t("plays anything that is allowed") };
    default:
      return /^level-[1-8]$/.test(player) ? levelName(Number(player.slice(6))) : { name: player, help: "" };
  }
}

/** @param {number} level 1…8 @returns {{name: string, help: string}} */
function levelName(level) {
  return { name: t("Level {level}", { level }), help: levelWord(level) };
}

/** What to expect of a level, in a word or two. @param {number} level @returns {string} */
function levelWord(level) {
  switch (level) {
    case 1:
      return t("just learning");
    case 2:
      return t("gentle");
    case 3:
      return t("easy-going");
    case 4:
      return t("attentive");
    case 5:
      return t("practised");
    case 6:
      return t("strong");
    case 7:
      return t("very strong");
    default:
      return t("as strong as it can");
  }
}

/** The players in the order in which they are offered: levels from the gentlest on, then the plain ones. @param {string[]} players */
export function offered(players) {
  const levels = players.filter((player) => player.startsWith("level-"));
  return [...levels, ...players.filter((player) => !levels.includes(player))];
}

/**
 * @param {string} reason how a match ended
 * @param {unknown} winner null for a draw
 * @returns {string} a clause that stands by itself
 */
export function reasonName(reason, winner) {
  if (winner === null && (reason === "widows" || reason === "seeds")) return t("the same on both sides");
  switch (reason) {
    case "widows":
      return t("fewer widows");
    case "seeds":
      return t("more seeds");
    case "broke":
      return t("the other side cannot fill a single hole");
    case "all-seeds":
      return t("all seeds in one hand");
    case "horses":
      return t("both horses home");
    case "last-left":
      return t("the last player left");
    case "resigned":
      return t("the other side resigned");
    case "left":
      return t("the other side left");
    case "flag":
      return t("the other side ran out of time");
    case "agreed":
      return t("agreed by both");
    default:
      return reason;
  }
}

/** @param {Seat} seat @returns {string} a shape that goes with the colour, so that no seat is told by colour alone */
export function seatSign(seat) {
  switch (String(seat)) {
    case "S":
      return "▲";
    case "N":
      return "▼";
    case "0":
      return "●";
    case "1":
      return "■";
    case "2":
      return "▲";
    case "3":
      return "◆";
    default:
      return "";
  }
}
