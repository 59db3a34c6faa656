// @ts-check
/** Owns the bar of the play page: what is played, by which rules, how far it has come, whether the server can be reached, and the way to everything else. */

import { languageSwitch, lookSwitch, wordmark } from "./chrome.js";
import { fill, h, icon } from "./dom.js";
import { language, t } from "./i18n.js";
import { soundSheet } from "./more.js";
import { gameName } from "./names.js";

/**
 * @typedef {import("./session.js").Session} Session
 *
 * @typedef {Object} HeadingHandlers
 * @property {() => void} help
 * @property {() => void} share show the address of the match
 * @property {() => void} renamed the language has changed
 */

export class Heading {
  /**
   * @param {HTMLElement} bar @param {Session} session @param {HTMLElement} clock of the race @param {HeadingHandlers} on
   */
  constructor(bar, session, clock, on) {
    this.bar = bar;
    this.session = session;
    this.clock = clock;
    this.on = on;
    /** what rulesets are called, in English @type {Record<string, string>} */
    this.rulesets = {};
    this.subtitle = h("span", { class: "small", id: "subtitle" });
    this.link = h("span", { id: "link", class: "link", role: "status", hidden: true });
    fill(bar, wordmark(), h("span", { class: "grow" }), this.link);
  }

  /** Write everything anew: after a change of the language. */
  relabel() {
    const { session, on } = this;
    const { game } = session.now;
    const name = gameName(game);
    document.title = `${name.latin} · Muang`;
    const round = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ act, /** @type {string} */ key, /** @type {string} */ kind = "") =>
      h("button", { type: "button", class: `button quiet round ${kind}`, "aria-label": label, title: key ? `${label} (${key})` : label, on: { click: act } }, icon(sign));
    fill(
      this.bar,
      wordmark(),
      h("div", { class: "grow heading" }, h("strong", {}, h("span", { lang: name.lang }, name.native), name.latin === name.native || name.lang === language() ? null : h("span", { class: "latin" }, ` ${name.latin}`)), this.subtitle),
      this.link,
      this.clock,
      h("a", { class: "button quiet wide-only", href: `/rules/${game}?lang=${language()}`, target: "_blank" }, icon("rules"), t("Rules")),
      round("share", t("Link to this match"), on.share, "", "wide-only"),
      round("sound", t("Sound"), soundSheet, "", "wide-only"),
      round("help", t("Keys and help"), on.help, "?"),
      h("span", { class: "wide-only bar-tail" }, lookSwitch(), languageSwitch(on.renamed)),
    );
  }

  draw() {
    const { looking, text } = this.people();
    const standing = this.standing();
    // whoever only looks on is told so first: on a small screen the end is cut off
    this.subtitle.textContent = (looking ? [text, ...standing] : [...standing, text]).filter(Boolean).join(" · ");
  }

  /** @returns {{looking: boolean, text: string}} who looks on; `looking`: this screen does, and holds no seat */
  people() {
    const { watchers } = this.session.table;
    if (this.session.isLooking) return { looking: true, text: watchers > 1 ? t("you are watching, {count} in all", { count: watchers }) : t("you are watching") };
    if (!watchers) return { looking: false, text: "" };
    return { looking: false, text: watchers === 1 ? t("one is watching") : t("{count} are watching", { count: watchers }) };
  }

  /** @returns {string[]} the rules and how far it has come */
  standing() {
    const { session } = this;
    const view = session.now;
    const label = this.rulesets[view.ruleset];
    const rules = label ? t(label) : view.ruleset;
    if (session.isMeeting) return [rules, t("waiting for players")];
    if (view.game === "ca-ngua") return [rules];
    const rounds = view.options.rounds;
    const round = typeof rounds === "number" && view.game === "mak-khum" ? t("Round {round} of {all}", { round: view.round, all: rounds }) : t("Round {round}", { round: view.round });
    const phase = view.phase === "race" ? t("race") : view.phase === "turn" ? t("turns") : t("over");
    return [rules, round, phase];
  }

  /** Whether the server can be reached. @param {"open"|"lost"|"offline"} state */
  reach(state) {
    this.link.hidden = state === "open";
    fill(this.link, state === "offline" ? t("You are offline") : t("Reconnecting …"));
  }
}
