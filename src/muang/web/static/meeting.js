// @ts-check
/**
 * Owns the card that lies over the board until everybody is here: the way in for others, the seats and who has come, taking a free seat, leaving
 * one to the computer. Who may sit where is the server's to say.
 */

import { Refused, sitDown } from "./api.js";
import { clockWords } from "./clocks.js";
import { fill, h } from "./dom.js";
import { choiceRow, keepingFocus } from "./fields.js";
import { language, t } from "./i18n.js";
import { invitation } from "./invite.js";
import { gameName, paceName, playerName, seatName, seatSign } from "./names.js";
import { entropy, keepSeat, lastName, rememberName } from "./prefs.js";
import { failure } from "./refusals.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Around
 * @property {(seat: Seat, about: Seat, player: string) => void} fill the computer takes a free seat
 * @property {(tokens: Record<string, string>, entropy: string) => void} seated this screen has a seat now
 * @property {(text: string) => void} announce
 */

const USUAL = "level-2";

export class Meeting {
  /** @param {Session} session @param {Around} around */
  constructor(session, around) {
    this.session = session;
    this.around = around;
    this.name = lastName();
    /** the seat chosen, as text; "": the first free one */
    this.seat = "";
    /** this screen would rather watch */
    this.watches = false;
    this.busy = false;
    this.problem = "";
    this.fairOpen = false;
    /** the language of the way in */
    this.lang = "";
    this.drawn = "";
    this.title = h("h2", { id: "meeting-title" });
    this.body = h("div", { class: "meeting-body" });
    this.node = h("section", { class: "race-card meeting", "aria-labelledby": "meeting-title", hidden: true }, this.title, this.body);
    /** the way back to the card for those who watch */
    this.back = h("button", { type: "button", class: "button main take-seat", hidden: true, on: { click: () => this.watch(false) } });
    this.way = h("div", {});
  }

  /** @returns {Seat[]} */
  get free() {
    return this.session.seats.filter(({ kind }) => kind === "open").map(({ seat }) => seat);
  }

  /** @param {boolean} watches */
  watch(watches) {
    this.watches = watches;
    this.draw();
    if (watches) this.around.announce(t("You are watching this match."));
    else /** @type {HTMLElement|null} */ (this.body.querySelector("input, button"))?.focus();
  }

  draw() {
    const { session } = this;
    const open = session.isMeeting;
    const looking = session.isLooking;
    const may = looking && this.free.length > 0;
    this.node.hidden = !open || (looking && this.watches);
    this.back.hidden = !(open && may && this.watches);
    fill(this.back, t("Take a free seat"));
    if (!open) {
      this.drawn = "";
      return;
    }
    const state = JSON.stringify([language(), looking, session.seats, session.table.here, session.table.watchers, session.table.public, session.table.commitment, this.busy, this.problem, this.seat]);
    if (state === this.drawn) return;
    const first = !this.drawn;
    this.drawn = state;
    fill(this.title, may ? t("Take a free seat") : this.free.length ? t("Invite somebody") : t("Everybody comes to the table"));
    if (first || this.lang !== language()) {
      this.lang = language();
      fill(this.way, invitation(session.id, gameName(session.now.game).latin, this.around.announce));
    }
    keepingFocus(this.body, () => fill(this.body, this.rules(), may ? this.form() : null, this.free.length && !may ? h("div", { class: "way-in" }, h("p", {}, this.explain()), this.way) : null, this.people(), this.fairness()));
  }

  /** @returns {string} */
  explain() {
    if (this.free.length > 1) return t("Send the link, or let the code be scanned: whoever opens it takes a free seat. The match begins when all seats are taken.");
    return t("Send the link, or let the code be scanned: whoever opens it takes the free seat, and the match begins.");
  }

  /** What is going to be played. */
  rules() {
    const view = this.session.now;
    const words = [gameName(view.game).latin];
    if (view.game !== "ca-ngua" && view.phase === "race") words.push(t("pace of the race: {pace}", { pace: paceName(view.pace).name }));
    const clock = clockWords(this.session.table.clocks);
    if (clock) words.push(clock);
    if (this.session.table.public) words.push(t("shown on the start page"));
    return h("p", { class: "small" }, words.join(" · "));
  }

  /** The seats and who sits there. */
  people() {
    const { session } = this;
    const mine = session.mine()[0];
    return h(
      "ul",
      { class: "table-seats" },
      session.seats.map(({ seat, kind, name, player, yours }) => {
        const free = kind === "open";
        const here = session.isHere(seat);
        const said = free ? t("free") : kind === "computer" ? t("computer, {player}", { player: playerName(player || "").name }) : yours ? t("you") : here ? t("here") : t("not here yet");
        return h(
          "li",
          { data: { seat, here: here && !free } },
          h("span", { class: "sign", "aria-hidden": "true" }, seatSign(seat)),
          h("strong", {}, name && kind !== "computer" ? name : seatName(seat)),
          h("span", { class: "small" }, said),
          free && mine !== undefined
            ? h("button", { type: "button", class: "button", id: `fill-${seat}`, "aria-label": t("Let the computer play {seat}", { seat: seatName(seat) }), on: { click: () => this.around.fill(mine, seat, USUAL) } }, t("Let the computer play"))
            : null,
        );
      }),
      session.table.watchers > (session.isLooking ? 1 : 0) ? h("li", { class: "small" }, session.table.watchers === 1 ? t("one is watching") : t("{count} are watching", { count: session.table.watchers })) : null,
    );
  }

  /** Taking a seat. */
  form() {
    const free = this.free;
    if (!free.map(String).includes(this.seat)) this.seat = String(free[0]);
    return h(
      "form",
      {
        class: "sit",
        on: {
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.sit();
          },
        },
      },
      h("label", { for: "sit-name" }, t("Your name")),
      h("input", {
        class: "field",
        id: "sit-name",
        name: "sit-name",
        maxlength: 40,
        autocomplete: "nickname",
        placeholder: t("Name, if you like"),
        value: this.name,
        on: { input: (/** @type {Event} */ event) => (this.name = /** @type {HTMLInputElement} */ (event.target).value) },
      }),
      free.length > 1
        ? choiceRow(
            "sit-seat",
            t("Seat"),
            free.map((seat) => ({ value: String(seat), label: seatName(seat), sign: seatSign(seat) })),
            this.seat,
            (seat) => {
              this.seat = seat;
            },
            "inline",
          )
        : null,
      this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      h(
        "div",
        { class: "doors" },
        h("button", { type: "submit", class: "button main", id: "sit", disabled: this.busy }, t("Sit down")),
        h("button", { type: "button", class: "button", id: "just-watch", on: { click: () => this.watch(true) } }, t("Just watch")),
      ),
    );
  }

  /** How everybody can know that nobody bends the dice and the lots. */
  fairness() {
    const { commitment } = this.session.table;
    if (!commitment) return null;
    return h(
      "details",
      { class: "fair", open: this.fairOpen, on: { toggle: (/** @type {Event} */ event) => (this.fairOpen = /** @type {HTMLDetailsElement} */ (event.target).open) } },
      h("summary", { id: "fair" }, t("Fair lots")),
      h("p", { class: "small" }, t("Before anything is drawn the server shows the seal of its secret; each player's browser adds a word of its own. After the match the secret is told, and everybody can check every lot.")),
      h("p", { class: "small seal" }, commitment),
    );
  }

  async sit() {
    const { session } = this;
    if (this.busy) return;
    this.busy = true;
    this.problem = "";
    this.draw();
    try {
      const word = entropy(session.id);
      const sat = await sitDown(session.id, { seat: /** @type {Seat} */ (session.isHorses ? Number(this.seat) : this.seat), name: this.name.trim(), entropy: word });
      rememberName(this.name.trim());
      const tokens = { ...session.tokens, [String(sat.seat)]: sat.token };
      keepSeat(session.id, tokens, { game: session.now.game, ruleset: session.now.ruleset, commitment: session.table.commitment, entropy: word });
      this.around.seated(tokens, word);
    } catch (error) {
      this.problem = error instanceof Refused && error.status === 409 ? t("Somebody else has just taken that seat.") : failure(error);
    }
    this.busy = false;
    this.draw();
  }
}
