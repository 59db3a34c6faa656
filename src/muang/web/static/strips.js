// @ts-check
/**
 * Owns the strips that stand for the players: sign, name, whether they are there, clock, score, what each is to do, and in matches by hand the
 * button that drops a seed.
 * Two strips above and below a sowing board, up to four beside the horses.
 */

import { pressed } from "./board/input.js";
import { LOW_MS, clockText, reading } from "./clocks.js";
import { h } from "./dom.js";
import { number, t } from "./i18n.js";
import { seatSign } from "./names.js";
import { presence } from "./presence.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").View} View
 *
 * @typedef {Object} StripHandlers
 * @property {(seat: Seat, at: number) => void} drop `at`: when it was pressed, by `performance.now()`
 * @property {(seat: Seat, at: number) => void} slip
 */

/** @param {Session} session @param {Seat} seat @returns {{text: string, active: boolean}} what the seat is to do, in a word or two */
export function standing(session, seat) {
  const view = session.now;
  const info = session.info(seat);
  const computer = info?.kind === "computer";
  const mine = session.isMine(seat) && !computer;
  const due = /** @type {Seat[]} */ (view.to_act).includes(seat);
  if (session.isMeeting) return { text: info?.kind === "open" ? t("free") : session.isHere(seat) ? t("ready") : t("not here yet"), active: false };
  if (view.phase === "over") {
    const won = view.result?.winner === seat;
    return { text: won ? t("has won") : "", active: won };
  }
  if (view.game === "ca-ngua") {
    if (view.left.includes(/** @type {number} */ (seat))) return { text: t("has left"), active: false };
    if (view.turn !== seat) return { text: "", active: false };
    if (view.phase === "roll") return { text: t("rolls"), active: true };
    if (computer) return { text: t("thinks"), active: true };
    return { text: mine && !session.isShared ? t("your move") : t("to move"), active: true };
  }
  const hand = view.hands[/** @type {"S"|"N"} */ (seat)];
  if (session.isLiveRace) {
    if (!session.race.running) return { text: session.awaiting.includes(seat) ? "" : t("ready"), active: false };
    if (hand) return { text: t("{count} in the hand", { count: hand.seeds }), active: true };
    if (session.legal(seat).length) return { text: mine ? t("choose a hole!") : t("chooses"), active: true };
    return { text: t("waits"), active: false };
  }
  if (view.phase === "race") {
    if (view.chosen.includes(/** @type {"S"|"N"} */ (seat))) return { text: t("has chosen"), active: false };
    // only where both have to choose is a choice hidden until the other is made
    const secret = session.isShared && view.to_act.length + view.chosen.length > 1;
    if (session.acting().includes(seat)) {
      if (secret) return { text: t("chooses in secret"), active: true };
      return { text: session.isShared ? t("to choose") : t("your choice"), active: true };
    }
    return { text: due ? (computer ? t("thinks") : secret ? t("looks away") : t("waits")) : t("waits"), active: due && computer };
  }
  if (view.turn !== seat) return { text: "", active: false };
  if (hand) return { text: t("{count} in the hand", { count: hand.seeds }), active: true };
  if (computer) return { text: t("thinks"), active: true };
  return { text: mine && !session.isShared ? t("your move") : t("to move"), active: true };
}

/** @param {View} view @param {Seat} seat @returns {{figure: string, unit: string}} */
function score(view, seat) {
  if (view.game === "ca-ngua") {
    const home = (view.horses[String(seat)] || []).filter((place) => place === "slot3" || place === "slot4").length;
    return { figure: t("{count} of {all}", { count: home, all: 2 }), unit: t("home") };
  }
  const side = /** @type {"S"|"N"} */ (seat);
  return { figure: number(view.board.stores[side]), unit: view.game === "abalalae" ? t("in the pile") : t("in the store") };
}

/** @param {HTMLElement} node @param {string} text */
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export class Strip {
  /** @param {Session} session @param {Seat} seat @param {StripHandlers} on */
  constructor(session, seat, on) {
    this.session = session;
    this.seat = seat;
    this.sign = h("span", { class: "sign", "aria-hidden": "true" }, seatSign(seat));
    this.name = h("strong", { class: "name" });
    this.aside = h("span", { class: "aside small" });
    this.exact = h("span", { class: "exact small", hidden: true });
    this.here = h("span", { class: "presence small", hidden: true });
    this.clock = h("span", { class: "turn-clock", role: "timer", "aria-live": "off", hidden: true });
    this.status = h("span", { class: "status" });
    this.figure = h("span", { class: "figure" });
    this.unit = h("span", { class: "unit small" });
    this.dropKey = h("span", { class: "keys", "aria-hidden": "true" });
    this.drop = h("button", { type: "button", class: "drop", hidden: true }, h("span", { class: "word" }), this.dropKey);
    this.slip = h("button", { type: "button", class: "drop slip", hidden: true });
    for (const [button, act] of /** @type {[HTMLButtonElement, (seat: Seat, at: number) => void][]} */ ([
      [this.drop, on.drop],
      [this.slip, on.slip],
    ])) {
      // the moment of the touch counts, not that of letting go; a click without a pointer comes from the keyboard
      button.addEventListener("pointerdown", (event) => {
        if (event.button === 0) act(seat, pressed(event));
      });
      button.addEventListener("click", (event) => {
        if (event.detail === 0) act(seat, pressed(event));
      });
      button.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    this.node = h(
      "section",
      { class: "strip", data: { seat } },
      h("div", { class: "who" }, this.sign, h("div", { class: "names" }, this.name, this.aside, this.exact, this.here)),
      this.clock,
      this.status,
      h("div", { class: "score" }, this.figure, this.unit),
      h("div", { class: "hands" }, this.drop, this.slip),
    );
  }

  /** @param {View} shown the view on the board (scores follow what is seen) @param {string} keys which keys drop */
  draw(shown, keys) {
    const { session, seat } = this;
    const info = session.info(seat);
    const { text, active } = standing(session, seat);
    const { figure, unit } = score(shown, seat);
    this.node.setAttribute("aria-label", session.called(seat));
    this.node.classList.toggle("active", active);
    this.node.dataset.kind = info?.kind || "absent";
    write(this.name, session.called(seat));
    write(this.aside, session.aside(seat));
    write(this.exact, t("plays exactly"));
    this.exact.hidden = !session.exact.includes(seat);
    write(this.status, text);
    write(this.figure, figure);
    write(this.unit, unit);
    const dropping = session.isByHand && session.isMine(seat) && info?.kind === "person" && session.now.phase !== "over";
    this.drop.hidden = !dropping;
    const legal = dropping ? session.legal(seat) : [];
    const hand = session.now.game === "ca-ngua" ? null : session.now.hands[/** @type {"S"|"N"} */ (seat)];
    this.drop.setAttribute("aria-disabled", String(!hand || (session.isLiveRace && !session.race.running)));
    const word = this.drop.querySelector(".word");
    if (word) word.textContent = t("Drop");
    this.drop.setAttribute("aria-label", t("Drop a seed, {seat}", { seat: session.called(seat) }));
    this.dropKey.textContent = keys;
    this.slip.hidden = !legal.includes("slip");
    this.slip.textContent = t("Slip into the widow");
    this.clock.title = "";
    this.tick();
  }

  /** What goes on by itself: called at every frame while the page is open. */
  tick() {
    const { session, seat } = this;
    const { state, text, title } = presence(session, seat);
    this.here.hidden = !text;
    write(this.here, text);
    if (this.here.dataset.state !== state) this.here.dataset.state = state;
    if (this.here.title !== title) this.here.title = title;
    const now = session.isMeeting ? null : reading(session, seat);
    this.clock.hidden = !now;
    if (!now) return;
    const low = now.running && !now.held && !now.lost && now.ms < LOW_MS;
    write(this.clock, clockText(now.ms, low));
    const kind = now.lost ? "lost" : low ? "low" : now.held ? "held" : now.running ? "running" : "";
    if (this.clock.dataset.state === kind && this.clock.title) return;
    this.clock.dataset.state = kind;
    this.clock.title = now.held ? t("The clock waits while the last move is watched") : t("Time left, {seat}", { seat: session.called(seat) });
    this.clock.setAttribute("aria-label", this.clock.title);
  }

  /** The score as the board shows it while it moves. @param {string} count */
  showCount(count) {
    if (this.figure.textContent !== count) this.figure.textContent = count;
  }
}
