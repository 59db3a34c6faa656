// @ts-check
/** Owns what can be asked of the other side and of the table: a draw, a turn back, leaving, another match; what is offered to us; and absent players. */

import { clockText, reading } from "./clocks.js";
import { question } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { language, t } from "./i18n.js";
import { keepSeat, keptMatch } from "./prefs.js";

/**
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Table
 * @property {(seat: Seat, name: string, about?: Seat) => void} command
 * @property {(text: string) => void} announce
 * @property {() => Seat|undefined} lastSeat whose move was the last one
 */

/** Close every sheet that lies over the board. */
export function closeSheets() {
  for (const open of document.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (open).close();
}

export class Asks {
  /**
   * @param {import("./session.js").Session} session
   * @param {HTMLElement} node where an offer is shown
   * @param {Table} table
   */
  constructor(session, node, table) {
    this.session = session;
    this.node = node;
    this.table = table;
    /** whom the game waits for, and where the time is shown @type {{seat: Seat, time: HTMLElement}|null} */
    this.waits = null;
    /** the rematch whose seats are kept */
    this.followed = "";
    /** nothing has been drawn yet */
    this.opened = true;
    /** what is shown now */
    this.drawn = "";
  }

  /** Offer a draw, or ask for a turn back. @param {"draw"|"takeback"} about */
  ask(about) {
    const { session, table } = this;
    const mine = session.mine();
    const turn = /** @type {Seat|null} */ (session.now.turn);
    const other = mine.find((seat) => seat !== turn);
    const seat = mine.length === 1 ? mine[0] : about === "takeback" ? (table.lastSeat() ?? other ?? mine[0]) : (turn ?? mine[0]);
    if (seat === undefined) return;
    closeSheets();
    const send = () => table.command(seat, about);
    if (about === "draw" && session.isShared) question(t("A draw?"), t("Do both of you agree on a draw?"), [{ label: t("Yes, a draw"), act: send }]);
    else send();
  }

  resign() {
    const { session, table } = this;
    closeSheets();
    const view = session.now;
    const gone = view.game === "ca-ngua" ? view.left.map(Number) : [];
    const seats = session.mine().filter((seat) => typeof seat === "string" || !gone.includes(seat));
    const horses = session.isHorses;
    question(
      horses ? t("Leave the match?") : t("Resign the match?"),
      horses ? t("The horses of whoever leaves are out of the game for good.") : t("The other side wins at once."),
      seats.map((seat) => {
        const named = { seat: session.called(seat) };
        return {
          label: seats.length === 1 ? t("Yes, I do") : horses ? t("{seat} leaves", named) : t("{seat} resigns", named),
          act: () => table.command(seat, "resign"),
        };
      }),
    );
  }

  /** Ask for the same match once more, with everybody in the next seat. It is made when all people in it have asked. */
  rematch() {
    const { session, table } = this;
    const mine = session.seats.filter(({ yours }) => yours).map(({ seat }) => seat);
    if (!mine.length) {
      location.assign(`/?game=${session.now.game}`);
      return;
    }
    closeSheets();
    const asked = session.table.rematch?.by ?? [];
    for (const seat of mine) if (!asked.includes(seat)) table.command(seat, "rematch");
  }

  /** The rematch has been made: everybody's token holds the seat after its own there. @param {string} id @param {boolean} go or only keep the seats */
  follow(id, go) {
    const { session } = this;
    if (this.followed === id) return;
    this.followed = id;
    const seats = session.seats.map(({ seat }) => seat);
    /** @type {Record<string, string>} */
    const tokens = {};
    seats.forEach((seat, index) => {
      const token = session.tokens[String(seat)];
      if (token) tokens[String(seats[(index + 1) % seats.length])] = token;
    });
    if (!Object.keys(tokens).length) return;
    const request = keptMatch(session.id)?.request;
    keepSeat(id, tokens, { game: session.now.game, ruleset: request?.ruleset ?? session.now.ruleset });
    if (go) location.assign(`/play/${id}`);
  }

  /** Show what is asked and offered, and what can be done about a seat whose player is not there. */
  draw() {
    const { session, node } = this;
    const made = session.table.rematch?.match;
    // whoever opens a match whose rematch was made long ago wants to see this one
    if (made) this.follow(made, !this.opened);
    this.opened = false;
    const state = JSON.stringify([language(), session.offer, session.seats, session.now.phase, session.table.rematch, Object.keys(session.table.away), session.isMeeting, session.seats.map(({ seat, kind }) => (kind === "absent" ? this.waitsFor(seat) : this.left(seat).flag))]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.waits = null;
    const parts = this.rematches() ?? this.offers() ?? this.own() ?? this.absent() ?? this.away();
    const had = node.contains(document.activeElement);
    node.hidden = !parts;
    fill(node, parts);
    if (had && parts) /** @type {HTMLElement|null} */ (node.querySelector("button"))?.focus();
    this.note();
    this.tick();
  }

  /** @param {Seat[]} seats */
  names(seats) {
    return seats.map((seat) => this.session.called(seat)).join(", ");
  }

  /** Who would like to play again. @returns {Node[]|null} */
  rematches() {
    const { session } = this;
    const { rematch } = session.table;
    if (!rematch) return null;
    const next = `/play/${rematch.match}`;
    if (rematch.match && session.isLooking) return [h("span", {}, t("They play again.")), h("a", { class: "button main", href: next }, t("Watch the next match"))];
    if (rematch.match) return [h("a", { class: "button main", href: next }, t("To the next match"))];
    if (!rematch.by.length) return null;
    if (session.isLooking) return [h("span", {}, t("{seat} would like to play again.", { seat: this.names(rematch.by) }))];
    const others = session.seats.filter(({ seat, kind, yours }) => kind !== "computer" && !yours && !rematch.by.includes(seat)).map(({ seat }) => seat);
    const asked = rematch.by.some((seat) => session.isMine(seat));
    if (asked) return others.length ? [h("span", {}, t("You would like to play again; waiting for {seat}.", { seat: this.names(others) }))] : null;
    return [h("span", {}, t("{seat} would like to play again.", { seat: this.names(rematch.by) })), button(t("Play again, sides changed"), () => this.rematch(), "main")];
  }

  /** The same in the sheet with the result, which lies over everything else. */
  note() {
    const foot = document.querySelector("#result .sheet-foot");
    foot?.querySelector(".again-note")?.remove();
    const text = this.session.now.phase === "over" ? this.node.querySelector("span")?.textContent : "";
    if (foot && text && !this.node.hidden) foot.prepend(h("p", { class: "again-note", role: "status" }, text));
  }

  /** An offer of a draw or of a turn back. @returns {Node[]|null} */
  offers() {
    const { session, table } = this;
    const { offer } = session;
    const mine = session.mine()[0];
    if (!offer || mine === undefined || session.now.phase === "over") return null;
    const own = session.isMine(offer.seat);
    const asker = { seat: session.called(offer.seat) };
    const answerer = session.mine().find((seat) => seat !== offer.seat) ?? mine;
    return [
      h("span", {}, offer.about === "draw" ? t("{seat} offers a draw.", asker) : t("{seat} asks to take back a turn.", asker)),
      ...(own ? [] : [button(t("Accept"), () => table.command(answerer, `${offer.about}-accept`), "main")]),
      button(own ? t("Withdraw") : t("Decline"), () => table.command(own ? offer.seat : answerer, "decline")),
    ];
  }

  /** A seat of this screen's own that the computer plays, or that was given up for absent. @returns {Node[]|null} */
  own() {
    const { session, table } = this;
    const seat = session.seats.find(({ kind, yours }) => yours && kind !== "person")?.seat;
    if (seat === undefined || session.now.phase === "over" || this.hasLeft(seat)) return null;
    const computer = session.info(seat)?.kind === "computer";
    return [h("span", {}, computer ? t("The computer plays for you.") : t("You were away, and your seat counts as absent.")), button(t("Take the seat back"), () => table.command(seat, "return"), "main")];
  }

  /** @param {Seat} seat */
  hasLeft(seat) {
    const view = this.session.now;
    return view.game === "ca-ngua" && view.left.includes(/** @type {number} */ (seat));
  }

  /** Whether the match cannot go on without a seat. @param {Seat} seat */
  waitsFor(seat) {
    const { session } = this;
    const view = session.now;
    return view.phase === "race" || view.turn === seat || session.awaiting.includes(seat) || /** @type {Seat[]} */ (view.to_act).includes(seat);
  }

  /** A seat whose player has been away too long (MK-26, CN-42); what can be done about it while the match waits for it. @returns {Node[]|null} */
  absent() {
    const { session, table } = this;
    const all = session.seats.filter(({ seat, kind, yours }) => kind === "absent" && !yours && !this.hasLeft(seat));
    const waited = all.find(({ seat }) => this.waitsFor(seat));
    const gone = waited ?? all[0];
    const mine = session.mine()[0];
    if (!gone || session.now.phase === "over") return null;
    const named = { seat: session.called(gone.seat) };
    if (mine === undefined || !waited) return [h("span", {}, t("{seat} is absent.", named))];
    const others = session.now.game === "ca-ngua" ? session.now.seats.length - session.now.left.length : 2;
    return [
      h("span", {}, t("{seat} is absent. You may wait, or:", named)),
      button(t("Let the computer play"), () => table.command(mine, "sit-in", gone.seat)),
      button(others > 2 ? t("Go on without {seat}", named) : t("Claim the win"), () => table.command(mine, "claim", gone.seat)),
    ];
  }

  /** The game waits for somebody who has no screen. @returns {Node[]|null} */
  away() {
    const { session } = this;
    const waited = session.seats.filter(({ seat, kind, yours }) => kind === "person" && !yours && session.awayMs(seat) !== null);
    if (!waited.length || session.now.phase === "over") return null;
    const [{ seat }] = waited;
    // seen ticking, and told once
    this.waits = { seat, time: h("span", { class: "figure", "aria-hidden": "true" }) };
    const { ms, flag } = this.left(seat);
    const told = h("span", { class: "unseen" }, t("{count} seconds", { count: Math.ceil(ms / 1000) }));
    const named = { seat: this.names(waited.map((one) => one.seat)) };
    const said = flag ? t("{seat} is not connected. Time left on the clock:", named) : t("{seat} is not connected. The game waits:", named);
    return [h("span", {}, said), told, this.waits.time];
  }

  /** How long the game waits for a seat: until it counts as absent, or until its flag falls (MK-56) if that is sooner. @param {Seat} seat */
  left(seat) {
    const away = this.session.awayMs(seat) ?? 0;
    const clock = this.session.table.clocks?.running === seat ? (reading(this.session, seat)?.ms ?? Infinity) : Infinity;
    return { ms: Math.min(away, clock), flag: clock < away };
  }

  /** The time that is left to come back, at every frame. */
  tick() {
    if (!this.waits) return;
    const text = clockText(this.left(this.waits.seat).ms, false);
    if (this.waits.time.textContent !== text) this.waits.time.textContent = text;
  }
}

/** @param {string} name @param {() => void} act @param {string} [kind] */
function button(name, act, kind = "") {
  return h("button", { type: "button", class: `button ${kind}`, on: { click: act } }, name);
}
