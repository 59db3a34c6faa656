// @ts-check
/**
 * Owns what joins the people at the table to the play page: the card before the match, phrases, warnings of the clock, whose seat this screen has
 * now. Each of these has a module of its own.
 */

import { fetchCommitment } from "./api.js";
import { Warner } from "./clocks.js";
import { $, fill } from "./dom.js";
import { t } from "./i18n.js";
import { shareSheet } from "./invite.js";
import { Meeting } from "./meeting.js";
import { gameName } from "./names.js";
import { Talk } from "./phrases.js";
import { entropy, keepMatch, keptMatch } from "./prefs.js";
import { sound } from "./sound.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Around
 * @property {() => import("./socket.js").MatchSocket} socket
 * @property {() => ReturnType<typeof import("./stage.js").makeStage>|null} stage
 * @property {(seat: Seat) => HTMLElement|undefined} strip
 * @property {(text: string) => void} announce
 */

/**
 * The word that this browser mixes into the lots of a match, once the seal of the server's secret has been shown to it (CN-50).
 * @param {string} id @returns {Promise<string|null>} null: no seat of the match is ours, or its lots come from a given seed
 */
export async function wordFor(id) {
  const kept = keptMatch(id);
  if (!kept || !Object.keys(kept.tokens).length) return null;
  let { commitment } = kept;
  if (commitment === undefined || commitment === null) {
    try {
      commitment = (await fetchCommitment(id)) ?? "";
    } catch {
      return null; // asked again with the next load; the match goes on without our word
    }
    keepMatch({ ...kept, commitment });
  }
  return commitment ? entropy(id) : null;
}

export class People {
  /** @param {Session} session @param {Around} around */
  constructor(session, around) {
    this.session = session;
    this.around = around;
    const hear = (/** @type {string} */ text) => {
      $("heard").textContent = text;
    };
    this.hear = hear;
    /** whether the seats of others were held by a screen, as last told @type {Map<Seat, boolean>} */
    this.here = new Map();
    this.meeting = new Meeting(session, {
      fill: (seat, about, player) => void around.socket().command(seat, "fill", about, player),
      seated: (tokens, word) => {
        session.tokens = tokens;
        around.socket().reseat(Object.values(tokens), word);
      },
      announce: around.announce,
    });
    this.talk = new Talk(session, { say: (seat, phrase) => around.socket().say(seat, phrase), hear, strip: around.strip });
    this.warner = new Warner(session, hear);
    /** seats that somebody has been at before: whoever comes there now is back; null: nothing has been told yet @type {Set<Seat>|null} */
    this.been = null;
    /** who sits where, as last shown */
    this.seated = "";
    this.mine = "";
    this.due = false;
    $("over-board").append(this.meeting.node);
    fill($("speak"), this.meeting.back, this.talk.button);
  }

  /** The seats may have changed: names on the board, and which side lies near. */
  settle() {
    const { session, around } = this;
    const stage = around.stage();
    const seated = JSON.stringify(session.seats.map(({ seat }) => session.called(seat)));
    if (stage && seated !== this.seated) {
      if (this.seated) stage.rename();
      this.seated = seated;
    }
    const mine = session.mine().join();
    if (stage && mine !== this.mine) {
      // whoever plays North has the own side near, from the moment of sitting down
      if (mine === "N" && !stage.flipped) stage.flip();
      else if (this.mine === "" && mine === "S" && stage.flipped) stage.flip();
      this.mine = mine;
    }
  }

  /** Who has come, gone and come back: told to whoever does not see it. */
  notice() {
    const { session, here } = this;
    const first = this.been === null;
    // a match that has begun has seen everybody
    const been = (this.been ??= new Set(session.isMeeting ? [] : session.seats.map(({ seat }) => seat)));
    for (const { seat, kind } of session.seats) {
      if (kind !== "person" || session.isMine(seat)) continue;
      const now = session.isHere(seat);
      const before = here.get(seat);
      here.set(seat, now);
      const known = been.has(seat);
      if (now) been.add(seat);
      if (before === now || session.view?.phase === "over") continue;
      const named = { seat: session.called(seat) };
      if (before !== undefined && known) this.hear(now ? t("{seat} is back.", named) : t("{seat} is not connected.", named));
      else if (now && !known && (!first || session.isMeeting)) this.hear(t("{seat} has come.", named));
    }
  }

  draw() {
    const { session } = this;
    const meeting = !this.meeting.node.hidden;
    this.notice();
    this.settle();
    this.meeting.draw();
    this.talk.draw();
    document.body.classList.toggle("gathering", session.isMeeting && !this.meeting.node.hidden);
    if (meeting && !session.isMeeting) {
      this.around.announce(t("Everybody is here: the match begins."));
      if (document.activeElement === document.body) this.around.stage()?.board.focusHole(); // the card that had the focus is gone
    }
    const due = session.acting().length > 0 && !session.isLiveRace;
    if (due && !this.due && !session.isShared) sound.play("turn");
    this.due = due;
  }

  /** Called at every frame while the page is open. */
  tick() {
    this.warner.tick();
  }

  /** The way for others to this match. */
  share() {
    const { session } = this;
    shareSheet(session.id, gameName(session.now.game).latin, this.meeting.free.length > 0, this.around.announce);
  }
}
