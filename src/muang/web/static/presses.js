// @ts-check
/**
 * Owns what a press on the play page leads to: an action that is sent at once, whatever still moves, or a word about why there is none. What is
 * allowed is read from the session; the server decides.
 */

import { t } from "./i18n.js";
import { placeName } from "./names.js";

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

  /** Send an action; nothing that still moves delays it. @param {Seat} seat @param {string} action */
  act(seat, action) {
    const { session, around, sent } = this;
    const byHand = action === "drop" || action === "slip";
    if (!byHand && sent.has(seat)) return;
    if (session.isLiveRace && !session.race.running) {
      around.stage()?.again(); // not before the signal
      return;
    }
    if (!byHand && performance.now() < session.calmUntil) {
      around.stage()?.again();
      return;
    }
    around.closeRound();
    around.theatre.finish();
    if (!byHand) sent.add(seat);
    around.socket().play(seat, action, session.isLiveRace);
    if (session.isShared) this.secret(seat);
  }

  /** After a hidden choice nothing on the board tells which it was: the focus goes to the other side. @param {Seat} seat */
  secret(seat) {
    const view = this.session.now;
    if (view.game === "ca-ngua" || view.phase !== "race" || view.pace !== "lockstep") return;
    const other = seat === "S" ? "N" : "S";
    this.around.stage()?.board.focusHole(`${other}1`);
  }

  /** @param {Seat} seat @param {number} number */
  hole(seat, number) {
    const name = `${seat}${number}`;
    if (this.session.legal(seat).includes(name)) this.act(seat, name);
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

  /** @param {"drop"|"slip"} action @returns {(seat: Seat) => void} */
  byHand(action) {
    return (seat) => {
      if (this.session.legal(seat).includes(action)) this.act(seat, action);
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
