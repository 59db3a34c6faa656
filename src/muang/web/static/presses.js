// @ts-check
/**
 * Owns what a press on the play page leads to: an action that is sent at once, whatever still moves, or a word about why there is none. What is
 * allowed is read from the session; the server decides.
 */

import { t } from "./i18n.js";
import { placeName } from "./names.js";
import { foretells } from "./predict.js";

/**
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Around what a press has to do with
 * @property {() => ReturnType<typeof import("./stage.js").makeStage>|null} stage null before the match has been told
 * @property {() => import("./socket.js").MatchSocket} socket
 * @property {import("./theatre.js").Theatre} theatre
 * @property {import("./horses.js").Moves} moves
 * @property {(text: string) => void} announce
 * @property {() => boolean} closeRound close the card between two rounds; false: there is none
 */

export class Presses {
  /** @param {import("./session.js").Session} session @param {Around} around */
  constructor(session, around) {
    this.session = session;
    this.around = around;
    /** seats whose choice is on its way @type {Set<Seat>} */
    this.sent = new Set();
  }

  /**
   * Send an action; nothing that still moves delays it.
   * @param {Seat} seat @param {string} action
   * @param {{at?: number, otherwise?: string}} [press] `at`: when the key was pressed, by `performance.now()`; `otherwise`: what is meant if `action`
   *   turns out impossible
   */
  act(seat, action, { at = performance.now(), otherwise } = {}) {
    const { session, around, sent } = this;
    const hand = foretells(session.now);
    if (!hand && sent.has(seat)) return;
    session.go();
    if (session.isLiveRace && !session.race.running) {
      around.stage()?.again(); // not before the signal
      return;
    }
    if (action !== "drop" && action !== "slip" && performance.now() < session.calmUntil) {
      around.stage()?.again();
      return;
    }
    around.closeRound();
    around.theatre.finish();
    if (hand) return this.ahead(/** @type {"S"|"N"} */ (seat), action, at, otherwise);
    sent.add(seat);
    around.socket().play(seat, action, false);
    if (session.isShared) this.secret(seat);
  }

  /** An act of a hand: it is shown before it is answered. @param {"S"|"N"} seat @param {string} action @param {number} at @param {string} [otherwise] */
  ahead(seat, action, at, otherwise) {
    const { session, around } = this;
    if (session.ahead.tooSoon(session.now, seat, at)) return;
    for (const one of otherwise ? [action, otherwise] : [action]) {
      session.ahead.add(around.socket().play(seat, one, session.isLiveRace, at), { seat, action: one, at });
    }
    around.stage()?.ahead(seat, action);
  }

  /** After a hidden choice nothing on the board tells which it was: the focus goes to the other side. @param {Seat} seat */
  secret(seat) {
    const view = this.session.now;
    if (view.game === "ca-ngua" || view.phase !== "race" || view.pace !== "lockstep") return;
    const other = seat === "S" ? "N" : "S";
    this.around.stage()?.board.focusHole(`${other}1`);
  }

  /** @param {Seat} seat @param {number} number @param {number} [at] when the key was pressed */
  hole(seat, number, at) {
    const name = `${seat}${number}`;
    if (this.session.legal(seat).includes(name)) this.act(seat, name, { at });
    else if (!this.session.isLiveRace) this.refused(name); // a race has no time for it: its hand still sows, as everybody sees
  }

  /** Say why nothing can be done. @param {string|null} place */
  refused(place) {
    const { session, around } = this;
    const view = session.now;
    if (view.phase === "over") around.announce(t("The match is over."));
    else if (session.isMeeting) around.announce(t("The match begins when everybody is here."));
    else if (!session.mine().length) around.announce(t("You are watching this match."));
    else if (!session.acting().length) around.announce(t("It is not your turn."));
    else if (place) around.announce(t("{hole} cannot be played now.", { hole: placeName(place) }));
  }

  /** @param {"drop"|"slip"} action @returns {(seat: Seat, at?: number) => void} */
  byHand(action) {
    return (seat, at) => {
      if (this.session.legal(seat).includes(action)) this.act(seat, action, { at });
    };
  }

  /** Ready for the race. */
  ready() {
    const { session, around } = this;
    const seat = session.mine().find((one) => session.awaiting.includes(one)) ?? session.mine()[0];
    if (seat === undefined) return;
    around.socket().command(seat, "start");
    around.stage()?.board.focusHole();
  }

  /** The centre key (CN-40): makes the move that is shown. @returns {boolean} */
  centre() {
    const { session, around } = this;
    if (around.closeRound()) return true;
    if (session.isMeeting) return false;
    if (session.isLiveRace && !session.race.running) {
      if (session.isWaitingToRace) this.ready();
      return true;
    }
    if (!session.isHorses) return this.arrive();
    const chosen = around.moves.selected;
    if (around.theatre.busy || !chosen) {
      around.theatre.finish(); // what has been rolled is seen before anything is moved
      return true;
    }
    this.act(/** @type {Seat} */ (session.now.turn), chosen.action);
    return true;
  }

  /** Another possible move. @param {number} by @returns {boolean} */
  step(by) {
    if (!this.session.acting().length) return false;
    this.around.theatre.finish();
    this.around.moves.step(by);
    return true;
  }

  /** Go to the board. @returns {boolean} */
  arrive() {
    this.around.stage()?.board.focusHole();
    return true;
  }
}
