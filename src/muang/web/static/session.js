// @ts-check
/**
 * Owns what the page knows of its match: the newest view, who sits where, what may be done by whom, the race clock. Draws nothing.
 * What is allowed is read from the view, never worked out.
 */

import { t } from "./i18n.js";
import { placeName, playerName, seatName } from "./names.js";
import { Ahead } from "./predict.js";

/**
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SowingView} SowingView
 * @typedef {import("./types.js").HorsesView} HorsesView
 * @typedef {import("./types.js").SeatInfo} SeatInfo
 * @typedef {import("./types.js").TableView} TableView
 */

/** How long after a race nothing can be chosen, in ms. */
const CALM_MS = 700;

/** No frame is longer on its way, in ms. */
const MOST_ON_THE_WAY_MS = 1500;

/** @type {TableView} a table of which nothing has been told */
const NO_TABLE = {
  stage: "playing", now: 0, here: [], watchers: 0, pings: {}, away: {}, clocks: null, rematch: null, commitment: null, entropy: {}, secret: null, public: false,
};

export class Session {
  /** @param {string} id @param {Record<string, string>} tokens seat → token */
  constructor(id, tokens) {
    this.id = id;
    this.tokens = tokens;
    /** the newest view, whatever is still being animated @type {View|null} */
    this.view = null;
    /** @type {SeatInfo[]} */
    this.seats = [];
    /** @type {any} */
    this.layout = null;
    /** seats that have not said `start` yet @type {Seat[]} */
    this.awaiting = [];
    /** @type {{seat: Seat, about: "draw"|"takeback"}|null} */
    this.offer = null;
    /** @type {Record<string, number>} ms left to choose, when they were told */
    this.clock = {};
    this.clockAt = 0;
    /** seats whose computer plays exactly from here @type {Seat[]} */
    this.exact = [];
    /** the people at the table, as last told; `tableAt`: by `performance.now()` */
    this.table = NO_TABLE;
    this.tableAt = 0;
    /** the server's clock in ms since 1970; the connection knows it better @type {() => number} */
    this.serverNow = () => performance.timeOrigin + performance.now();
    /** since when the server cannot be reached, by `performance.now()`; null: it can @type {number|null} */
    this.lostAt = null;
    /** the version of the newest view */
    this.version = 0;
    /** race clock: running, and `performance.now()` at which it would have shown 0 */
    this.race = { running: false, ms: 0, zero: 0 };
    /** `performance.now()` at which the race begins, while a countdown runs @type {number|null} */
    this.begins = null;
    /** `performance.now()` until which nothing is chosen: fingers that have just raced do not stop at once */
    this.calmUntil = 0;
    /** our own acts that are on their way */
    this.ahead = new Ahead();
    /** a moment of the server's clock by `performance.now()` @type {(ms: number) => number} */
    this.moment = () => performance.now();
  }

  /** @returns {View} */
  get now() {
    if (!this.view) throw new Error("the match has not been told yet");
    return this.view;
  }

  /** @returns {View} the newest view with our own acts that are on their way */
  get seen() {
    return this.ahead.of(this.now);
  }

  /** @param {import("./types.js").StateFrame} frame */
  takeState(frame) {
    this.view = frame.match;
    this.seats = frame.seats;
    this.layout = frame.layout;
    this.awaiting = frame.awaiting || [];
    this.offer = frame.offer;
    this.exact = frame.exact || [];
    this.version = frame.version;
    this.takeTable(frame.table);
    this.takeClock(frame.clock);
    this.takeRace(frame.race_clock, frame.table?.now);
    this.begins = frame.countdown === null || frame.countdown === undefined ? null : this.sentAt(frame.table?.now) + frame.countdown;
    this.ahead.restart(frame.layout.paths);
  }

  /** @param {import("./types.js").EventFrame} frame */
  takeEvent(frame) {
    if (this.isLiveRace && !isLiveRace(frame.match)) this.calmUntil = performance.now() + CALM_MS;
    this.view = frame.match;
    if (frame.seats) this.seats = frame.seats;
    this.awaiting = frame.awaiting || [];
    this.offer = frame.offer;
    this.exact = frame.exact || [];
    this.version = frame.version;
    this.takeTable(frame.table);
    this.takeClock(frame.clock);
    this.takeRace(frame.race_clock, frame.table?.now);
  }

  /** @param {TableView|null|undefined} table as it was, if none is told */
  takeTable(table) {
    if (!table) return;
    this.table = table;
    this.tableAt = performance.now();
  }

  /** @param {Record<string, number>|undefined} clock */
  takeClock(clock) {
    this.clock = clock || {};
    this.clockAt = performance.now();
  }

  /** @param {import("./types.js").RaceClock|null} clock @param {number} [now] what the server's clock showed when it was told, if that was told too */
  takeRace(clock, now) {
    if (!clock) {
      this.race = { running: false, ms: 0, zero: 0 };
      return;
    }
    const { running, zero } = this.race;
    const latest = performance.now() - clock.ms;
    // a clock that goes on needs no setting, unless it cannot be right
    const goesOn = !now && running && clock.running && zero <= latest && zero > latest - MOST_ON_THE_WAY_MS;
    this.race = { running: clock.running, ms: clock.ms, zero: goesOn ? zero : this.sentAt(now) - clock.ms };
    if (clock.running) this.begins = null;
  }

  /** When a frame was sent, by `performance.now()`. @param {number|undefined} now what the server's clock showed then, if it was told */
  sentAt(now) {
    return now ? Math.min(performance.now(), this.moment(now)) : performance.now();
  }

  /** The countdown is over by the server's clock, whether or not we have been told yet. @returns {boolean} whether the race begins with this call */
  go() {
    const { begins } = this;
    if (begins === null || this.race.running || performance.now() < begins || !this.isLiveRace) return false;
    this.race = { running: true, ms: this.race.ms, zero: begins - this.race.ms };
    if (this.race.ms === 0) this.ahead.starts(this.now, begins);
    return true;
  }

  /** @returns {number} ms since the race began, as the server's clock goes */
  raceMs() {
    return this.race.running ? performance.now() - this.race.zero : this.race.ms;
  }

  /** Seats are free, or not everybody has been here yet: nothing can be played. */
  get isMeeting() {
    return this.table.stage === "meeting";
  }

  /** Whether this screen holds no seat. */
  get isLooking() {
    return !this.seats.some(({ yours }) => yours);
  }

  /** Whether people play from other screens, or may come. */
  get isOnline() {
    return this.seats.some(({ kind, yours }) => kind !== "computer" && !yours);
  }

  /** @param {Seat} seat @returns {boolean} whether somebody is there for it, or nobody has to be */
  isHere(seat) {
    const info = this.info(seat);
    return info?.kind === "computer" || this.isMine(seat) || this.table.here.includes(seat);
  }

  /** @param {Seat} seat @returns {number|null} ms until a seat that is waited for counts as absent */
  awayMs(seat) {
    const left = this.table.away[String(seat)];
    return left === undefined ? null : Math.max(0, left - (performance.now() - this.tableAt));
  }

  get isHorses() {
    return this.now.game === "ca-ngua";
  }

  /** A race in time, in which nothing waits for an animation. */
  get isLiveRace() {
    return isLiveRace(this.now);
  }

  /** Whether every seed is the player's own act. */
  get isByHand() {
    return this.now.game !== "ca-ngua" && /** @type {SowingView} */ (this.now).pace === "by_hand";
  }

  /** A live race that waits for somebody to say that it may begin. */
  get isWaitingToRace() {
    return this.isLiveRace && !this.isMeeting && !this.race.running && this.begins === null && this.race.ms === 0;
  }

  /** @param {Seat} seat @returns {SeatInfo|undefined} */
  info(seat) {
    return this.seats.find((one) => one.seat === seat);
  }

  /** @param {Seat} seat */
  isMine(seat) {
    return Boolean(this.info(seat)?.yours);
  }

  /** @returns {Seat[]} the seats that this screen plays, people only */
  mine() {
    return this.seats.filter((one) => one.yours && one.kind !== "computer").map((one) => one.seat);
  }

  /** @returns {boolean} two people or more on this screen */
  get isShared() {
    return this.mine().length > 1;
  }

  /** @param {Seat} seat @returns {string[]} what it may do, or try, after its acts that are on their way */
  legal(seat) {
    const view = this.seen;
    if (this.isMeeting) return [];
    if (!(/** @type {Seat[]} */ (view.to_act).includes(seat))) return [];
    return view.legal[String(seat)] || [];
  }

  /** @returns {Seat[]} seats of this screen that have to act now; in a race at lockstep the one whose hidden choice is due first */
  acting() {
    const view = this.now;
    if (view.phase === "over" || this.isMeeting) return [];
    const due = /** @type {Seat[]} */ (view.to_act).filter((seat) => this.isMine(seat) && this.info(seat)?.kind !== "computer");
    if (view.game !== "ca-ngua" && view.phase === "race" && view.pace === "lockstep") {
      const open = due.filter((seat) => !view.chosen.includes(/** @type {"S"|"N"} */ (seat)));
      return open.slice(0, 1);
    }
    return due;
  }

  /**
   * The seat of this screen that a hint would be about now. None where other people play from other screens: a hint would harm them.
   * @returns {Seat|undefined}
   */
  hintSeat() {
    if (this.seats.some(({ kind, yours }) => kind !== "computer" && !yours)) return undefined;
    return this.acting().find((seat) => this.legal(seat).some((action) => action !== "drop" && action !== "slip"));
  }

  /** @returns {boolean} whether this table has hints at all: nobody plays from another screen, or may come back to a seat with a name */
  get hasHints() {
    return this.mine().length > 0 && this.seats.every(({ kind, name, yours }) => (kind === "computer" && !name) || yours);
  }

  /** @param {Seat} seat @returns {string} the name given, or South, Red, … */
  called(seat) {
    const info = this.info(seat);
    return (info?.kind !== "computer" && info?.name) || seatName(seat);
  }

  /** What stands beside the name: the seat where a person has a name, the computer player, or nothing. @param {Seat} seat @returns {string} */
  aside(seat) {
    const info = this.info(seat);
    if (info?.kind === "computer") return t("computer, {player}", { player: playerName(info.player || "").name });
    if (info?.kind === "absent") return t("absent");
    if (info?.kind === "open") return "";
    return info?.name ? seatName(seat) : "";
  }

  /** @param {import("./types.js").Said[]} said @returns {string} sentences in the page's language */
  tell(said) {
    return said
      .map(([msgid, args]) => {
        const filled = { ...args };
        for (const key of ["seat", "other"]) if (key in filled) filled[key] = this.called(filled[key]);
        for (const key of ["hole", "place"]) if (key in filled) filled[key] = placeName(String(filled[key]), (seat) => this.called(/** @type {Seat} */ (seat)));
        return t(msgid, filled);
      })
      .join(" ");
  }
}

/** @param {View} view @returns {boolean} whether time passes in it by itself or by everybody's own key presses at once */
export function isLiveRace(view) {
  return view.game !== "ca-ngua" && view.phase === "race" && view.pace !== "lockstep";
}
