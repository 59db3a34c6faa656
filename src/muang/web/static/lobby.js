// @ts-check
/** Owns the list of open matches and of matches to watch on the start page: asked for every few seconds while somebody sees it. */

import { fetchLobby } from "./api.js";
import { fill, h } from "./dom.js";
import { language, t } from "./i18n.js";
import { gameName, paceName, playerName, seatName, seatSign } from "./names.js";
import { keptMatch } from "./prefs.js";

/** @typedef {import("./api.js").LobbyMatch} LobbyMatch */

const EVERY_MS = 5000;

export class Lobby {
  /** @param {(ruleset: string, game: string) => string} called what a ruleset is called */
  constructor(called) {
    this.called = called;
    /** @type {import("./api.js").Lobby} */
    this.told = { open: [], live: [] };
    /** whether the server has such a list at all */
    this.known = false;
    this.drawn = "";
    this.node = h("section", { class: "lobby", "aria-labelledby": "lobby-title", hidden: true });
    setInterval(() => !document.hidden && void this.ask(), EVERY_MS);
    document.addEventListener("visibilitychange", () => !document.hidden && void this.ask());
  }

  async ask() {
    try {
      this.told = await fetchLobby();
      this.known = true;
    } catch (error) {
      console.warn(error); // what is shown stays
    }
    this.draw();
  }

  draw() {
    const { open, live } = this.told;
    const state = JSON.stringify([language(), open, live, this.known]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.node.hidden = !this.known;
    const had = /** @type {HTMLElement|null} */ (document.activeElement);
    const focus = had && this.node.contains(had) ? had.getAttribute("href") : null;
    fill(
      this.node,
      h("h2", { id: "lobby-title" }, t("Who is playing here")),
      h("h3", {}, t("Free seats")),
      open.length
        ? h("ul", {}, open.map((match) => this.line(match, true)))
        : h("p", { class: "small" }, t("Nobody is waiting just now. Choose a game, invite somebody, and show the match here if you like.")),
      live.length ? [h("h3", {}, t("To watch")), h("ul", {}, live.map((match) => this.line(match, false)))] : null,
    );
    if (focus) /** @type {HTMLElement|undefined} */ ([...this.node.querySelectorAll("a")].find((link) => link.getAttribute("href") === focus))?.focus();
  }

  /** @param {LobbyMatch} match @param {boolean} open */
  line(match, open) {
    const name = gameName(match.game);
    const free = match.seats.filter(({ kind }) => kind === "open").length;
    const mine = keptMatch(match.id);
    const who = match.seats.map(({ seat, kind, name: called, ...rest }) => {
      const player = /** @type {{player?: string}} */ (rest).player;
      const text = kind === "open" ? t("free") : kind === "computer" ? (player ? playerName(player).name : t("computer")) : called || seatName(seat);
      return h("span", { class: "sitter", data: { seat } }, h("span", { class: "sign", "aria-hidden": "true" }, `${seatSign(seat)} `), text);
    });
    const about = [this.called(match.ruleset, match.game), match.game === "ca-ngua" || !match.pace ? "" : paceName(match.pace).name];
    if (match.watchers) about.push(match.watchers === 1 ? t("one is watching") : t("{count} are watching", { count: match.watchers }));
    const act = mine ? t("Go on") : open && free ? t("Take a seat") : t("Watch");
    return h(
      "li",
      { data: { match: match.id } },
      h("div", { class: "what" }, h("strong", { lang: name.lang === "vi" ? "vi" : undefined }, name.latin), h("span", { class: "sitters" }, who), h("span", { class: "small" }, about.filter(Boolean).join(" · "))),
      h("a", { class: `button ${open && !mine ? "main" : ""}`, href: `/play/${encodeURIComponent(match.id)}`, "aria-label": t("{act}: {game}", { act, game: name.latin }) }, act),
    );
  }
}
