// @ts-check
/**
 * Owns what things are called on the pages: games, seats, rulesets, options and their values, paces, players, reasons.
 * All texts are written as `t("…")` so that the catalogues find them; the functions are called again whenever the language changes.
 */

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
  switch (String(seat)) {
    case "S":
      return t("South");
    case "N":
      return t("North");
    case "0":
      return t("Red");
    case "1":
      return t("Blue");
    case "2":
      return t("Yellow");
    case "3":
      return t("Green");
    default:
      return String(seat);
  }
}

/** @param {string} place a hole, a store, or a place of a horse @returns {string} */
export function placeName(place) {
  const text = String(place);
  if (text === "SH" || text === "NH") return t("{seat}'s store", { seat: seatName(text[0]) });
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
      return { name: player, help: "" };
  }
}

/** @param {string} game @param {string} ruleset @returns {{name: string, help: string}} */
export function rulesetName(game, ruleset) {
  switch (`${game} ${ruleset}`) {
    case "mak-khum trang":
      return { name: t("Trang"), help: t("as the source text describes it: the first round is raced, the second is played in turns") };
    case "mak-khum songkhla":
      return { name: t("Songkhla"), help: t("each round opens with a race; play until one side cannot fill a single hole") };
    case "mak-khum single":
      return { name: t("One round"), help: t("a race to open, then turns; most seeds win") };
    case "mak-khum congkak":
      return { name: t("As congkak"), help: t("the capturing seed comes home too, the poorer player opens, until one side is broke") };
    case "mak-khum chongka":
      return { name: t("As chongka"), help: t("no race, a seed in the store ends the turn, one round") };
    case "mak-khum turns":
      return { name: t("Turns only"), help: t("no race, one round") };
    case "abalalae pankhurst":
      return { name: t("Pankhurst"), help: t("as the source text describes it") };
    case "abalalae courlander":
      return { name: t("Courlander"), help: t("one common loop through the board, as a second description has it") };
    case "abalalae single":
      return { name: t("One round"), help: t("a race to open, then turns; most seeds win") };
    case "abalalae turns":
      return { name: t("Turns only"), help: t("no race, one round") };
    case "ca-ngua phone":
      return { name: t("Phone game"), help: t("as the source text describes it: horses run straight into the lane") };
    case "ca-ngua gate":
      return { name: t("Gate"), help: t("horses stop at the gate and climb the lane slot by slot") };
    default:
      return { name: ruleset, help: "" };
  }
}

/** @param {string} name @returns {string} */
export function optionName(name) {
  switch (name) {
    case "race":
      return t("Race");
    case "rounds":
      return t("Rounds");
    case "max_rounds":
      return t("Rounds at most");
    case "store_landing":
      return t("Last seed in the own store");
    case "capture_last":
      return t("The capturing seed goes to the store");
    case "skip_origin":
      return t("Pass over the hole a lap began in");
    case "widows":
      return t("Where widows stand");
    case "slips":
      return t("Slips into widows");
    case "opener":
      return t("Who opens the later rounds");
    case "track":
      return t("Track");
    case "race_loser":
      return t("The hand that loses the race");
    case "race_rounds":
      return t("Rounds that begin with a race");
    case "quiet_turns":
      return t("Turns without a capture that end a round");
    case "keep_repeat":
      return t("A release roll without a move rolls again");
    case "doubles":
      return t("Doubles");
    case "gate":
      return t("At the gate");
    case "turn_seconds":
    case "choice_seconds":
      return t("Seconds to choose");
    default:
      return name;
  }
}

/**
 * What an option's value is called. Numbers and unknown values stand for themselves.
 * @param {string} name the option
 * @param {unknown} value
 * @returns {string}
 */
export function valueName(name, value) {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  switch (`${name} ${value}`) {
    case "race round":
      return t("the whole first round");
    case "race opening":
      return t("opens each round");
    case "race none":
      return t("none");
    case "rounds until_broke":
      return t("until one side is broke");
    case "store_landing again":
      return t("choose again");
    case "store_landing end":
      return t("ends the turn");
    case "widows far":
      return t("far from the store");
    case "widows near":
      return t("next to the store");
    case "opener larger":
      return t("the player with more seeds");
    case "opener smaller":
      return t("the player with fewer seeds");
    case "track pankhurst":
      return t("through all three rows (Pankhurst)");
    case "track courlander":
      return t("one common loop (Courlander)");
    case "race_loser finish":
      return t("finishes its walk");
    case "race_loser stop_lap":
      return t("drops what it holds and stops");
    case "race_rounds all":
      return t("all");
    case "race_rounds first":
      return t("the first only");
    case "doubles face":
      return t("total or one die");
    case "doubles total":
      return t("total only");
    case "doubles extra":
      return t("one die as an extra move");
    case "gate run_in":
      return t("run straight in");
    case "gate climb":
      return t("stop, then slot by slot");
    case "gate jump":
      return t("stop, then jump to a slot");
    case "turn_seconds none":
    case "choice_seconds none":
      return t("none");
    default:
      return value === null || value === undefined ? t("none") : String(value);
  }
}

/** @param {string} reason how a match ended @returns {string} a clause that stands by itself */
export function reasonName(reason) {
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
