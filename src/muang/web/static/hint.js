// @ts-check
/**
 * Owns hints: asks the server for one, shows it on the board and says it, and forgets it when the match moves on. Whether there may be one is
 * told by the session, and by the server again.
 */

import { Refused, fetchHint } from "./api.js";
import { moveText, movesOf } from "./horses.js";
import { t } from "./i18n.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").HintTold} HintTold
 */

const MOST_AHEAD = 3;

export class Hint {
  /**
   * @param {Session} session
   * @param {{mark: (action: string|null) => void, say: (text: string) => void, changed: () => void}} on `mark`: show this choice on the board, or none
   */
  constructor(session, on) {
    this.session = session;
    this.on = on;
    this.asking = false;
    /** the version since which the board is as it is */
    this.since = 0;
    /** @type {HintTold|null} */
    this.shown = null;
  }

  /** Ask for a hint; one that is shown already is said again. */
  async ask() {
    const { session, on } = this;
    if (this.asking) return;
    if (!session.hasHints) return on.say(t("There are no hints where people play from different screens."));
    if (session.hintSeat() === undefined) return on.say(t("There is nothing to choose now."));
    if (this.shown) return on.say(this.text(this.shown));
    this.asking = true;
    on.changed();
    try {
      const told = await fetchHint(session.id, Object.values(session.tokens));
      if (!this.fits(told)) return;
      this.shown = told;
      on.mark(told.actions[0]);
      on.say(this.text(told));
    } catch (error) {
      on.say(error instanceof Refused ? t("There is no hint just now.") : t("The server does not answer. Is it still running?"));
    } finally {
      this.asking = false;
      on.changed();
    }
  }

  /** Whether a hint is about the choice that is due now. @param {HintTold} told */
  fits(told) {
    const { session } = this;
    if (told.version < this.since && !session.isLiveRace) return false;
    return session.hintSeat() === told.seat && session.legal(told.seat).includes(told.actions[0]);
  }

  /** The match has moved on; in a race in time a hint holds till its choice is made. */
  moved() {
    this.since = this.session.version;
    if (this.shown && !this.fits(this.shown)) this.forget();
  }

  forget() {
    this.shown = null;
    this.on.mark(null);
  }

  /** @param {HintTold} told @returns {string} */
  text(told) {
    const { session } = this;
    const view = session.now;
    const [first, ...rest] = told.actions;
    // more than a few are not kept in mind; the next hint goes on from there
    const then = rest.length > MOST_AHEAD ? [...rest.slice(0, MOST_AHEAD), "…"] : rest;
    /** @type {string} */
    let choice;
    if (view.game === "ca-ngua") {
      const move = movesOf(view).find(({ action }) => action === first);
      choice = t("Hint: {move}.", { move: move ? moveText(move, session) : first });
    } else if (told.share !== null) choice = t("Hint: {hole}, in {share} of 100 cases; where both choose at once, it is best not to be foreseen.", { hole: first, share: told.share });
    else if (then.length) choice = t("Hint: {hole}, then {holes}.", { hole: first, holes: then.join(", ") });
    else choice = t("Hint: {hole}.", { hole: first });
    return `${choice} ${session.tell(told.say)}`;
  }
}
