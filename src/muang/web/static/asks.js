// @ts-check
/** Owns what can be asked of the other side and of the table: a draw, a turn back, leaving, another match, and what is offered to us. */

import { createMatch } from "./api.js";
import { question } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { language, t } from "./i18n.js";

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
   * @param {import("./prefs.js").KeptMatch|null} kept what this browser knows of the match
   * @param {Table} table
   */
  constructor(session, node, kept, table) {
    this.session = session;
    this.node = node;
    this.kept = kept;
    this.table = table;
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

  /** The same match once more, with everybody in the next seat. */
  async rematch() {
    const { kept, session, table } = this;
    if (!kept?.request) {
      location.assign(`/?game=${session.now.game}`);
      return;
    }
    const { seed, ...request } = structuredClone(kept.request);
    const taken = request.seats.map((/** @type {any} */ one) => one.seat);
    request.seats = request.seats.map((/** @type {any} */ one, /** @type {number} */ index) => ({ ...one, seat: taken[(index + 1) % taken.length] }));
    try {
      location.assign(await createMatch(request));
    } catch (error) {
      table.announce(t("The server does not answer. Is it still running?"));
      console.warn(error, seed);
    }
  }

  /** Show an open offer, or what can be done about a seat whose player is away. */
  draw() {
    const { session, node, table } = this;
    const { offer } = session;
    const state = JSON.stringify([language(), offer, session.seats, session.now.phase]);
    if (state === this.drawn) return;
    this.drawn = state;
    const mine = session.mine()[0];
    const playing = mine !== undefined && session.now.phase !== "over";
    const gone = session.seats.find(({ kind, yours }) => kind === "absent" && !yours);
    node.hidden = !(playing && (offer || gone));
    if (!playing) return;
    if (offer) {
      const own = session.isMine(offer.seat);
      const asker = { seat: session.called(offer.seat) };
      const answerer = session.mine().find((seat) => seat !== offer.seat) ?? mine;
      fill(
        node,
        h("span", {}, offer.about === "draw" ? t("{seat} offers a draw.", asker) : t("{seat} asks to take back a turn.", asker)),
        own ? null : button(t("Accept"), () => table.command(answerer, `${offer.about}-accept`), "main"),
        button(own ? t("Withdraw") : t("Decline"), () => table.command(own ? offer.seat : answerer, "decline")),
      );
    } else if (gone) {
      const named = { seat: session.called(gone.seat) };
      fill(
        node,
        h("span", {}, t("{seat} is absent.", named)),
        button(t("Let the computer play"), () => table.command(mine, "sit-in", gone.seat)),
        button(t("Go on without {seat}", named), () => table.command(mine, "claim", gone.seat)),
      );
    }
  }
}

/** @param {string} name @param {() => void} act @param {string} [kind] */
function button(name, act, kind = "") {
  return h("button", { type: "button", class: `button ${kind}`, on: { click: act } }, name);
}
