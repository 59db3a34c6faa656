// @ts-check
/** Owns the place of the board on the play page: which way it lies, that it fits, and how scenes are played on it. The board itself is `board/`. */

import { createBoard, suitable } from "./board/board.js";
import { t } from "./i18n.js";
import { foretells } from "./predict.js";
import { sound } from "./sound.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").View} View
 * @typedef {import("./theatre.js").Scene} Scene
 */

/** No two seeds are heard within so many ms. */
const QUIET_MS = 40;

/** How long a walk that is not shown stands, in ms at normal speed, where motion is not wanted. (The board gives dice their time itself.) */
const STILL_MS = 1300;

/**
 * @param {HTMLElement} host
 * @param {Session} session
 * @param {{wide: any, upright: any}} layout
 * @param {{act: (seat: Seat, action: string, info: {at: number, otherwise?: string}) => void, refuse: (place: string|null) => void}} on
 */
export function makeStage(host, session, layout, on) {
  const less = matchMedia("(prefers-reduced-motion: reduce)");
  const board = createBoard(host, {
    layout,
    t,
    onAct: (seat, action, info) => on.act(/** @type {Seat} */ (seat), action, info),
    onRefuse: on.refuse,
    onSeen: hear,
    names: names(),
  });

  function names() {
    return Object.fromEntries(session.seats.map(({ seat }) => [String(seat), session.called(seat)]));
  }

  /** Which seats this screen acts for now; of two choices at lockstep only the one that is due, so that each is made alone. */
  function seats() {
    const view = session.now;
    if (session.isMeeting) return [];
    const hidden = view.game !== "ca-ngua" && view.phase === "race" && view.pace === "lockstep";
    return hidden ? session.acting() : session.mine();
  }

  function given() {
    return { mySeats: seats(), newest: session.now, ahead: session.seen };
  }

  const fit = new ResizeObserver(([entry]) => {
    const { width, height } = entry.contentRect;
    if (width && height) board.setOrientation(suitable(session.now.game, width, height));
  });
  fit.observe(host);

  return {
    board,
    /** @param {View} view */
    show: (view) => board.show(view, given()),
    /** Something newer has come that is not to be drawn yet. */
    newest: () => board.offer(session.now, given()),
    /** An input was refused: the same view may be acted on again. */
    again: () => {
      if (session.view) session.view = { ...session.view };
      if (foretells(session.now)) board.follow(session.now, [], { ...given(), own: true });
      else board.offer(session.now, given());
    },
    /** An act of ours is shown before it is answered. @param {"S"|"N"} seat @param {string} action */
    ahead: (seat, action) => {
      const { now, seen } = session;
      if (!foretells(now) || !foretells(seen)) return;
      const lifted = now.board[seat][Number(action.slice(1)) - 1];
      if (lifted === undefined) hear("drop");
      board.follow(now, [lifted === undefined ? [seat, "drop", seen.hands[seat]?.at] : [seat, "lift", action, lifted]], { ...given(), own: true });
    },
    /** @param {Scene} scene @param {number} speed @param {AbortSignal} signal @returns {Promise<void>} */
    play: async (scene, speed, signal) => {
      const skip = () => board.skip();
      signal.addEventListener("abort", skip);
      if (scene.events.some(([, kind]) => kind === "roll")) sound.play("roll");
      else if (scene.events.some(([, kind]) => kind === "kick")) sound.play("capture");
      await board.animate(scene.events, scene.after, { ...given(), speed });
      if (less.matches && scene.after.game !== "ca-ngua") await wait(STILL_MS / speed, signal);
      signal.removeEventListener("abort", skip);
    },
    /** @param {Scene} scene */
    quick: (scene) => {
      board.follow(scene.after, scene.events, { ...given(), ahead: session.ahead.of(scene.after), known: scene.known });
      for (const [seat, kind] of scene.events) if (kind === "capture" || seat !== scene.known) hear(kind);
    },
    /** @param {boolean} paused */
    hold: (paused) => (paused ? board.pause() : board.resume()),
    /** @param {number} times */
    speed: (times) => board.setSpeed(times),
    /** What the board shows in the stores at this moment of its motion. @returns {Record<string, string>} */
    counts: () => {
      /** @type {Record<string, string>} */
      const found = {};
      for (const seat of ["S", "N"]) {
        const text = host.querySelector(`[data-place="${seat}H"] .b-digits`)?.textContent;
        if (text) found[seat] = text;
      }
      return found;
    },
    /** @param {string} action show this move of a horse */
    point: (action) => board.point(action),
    /** Show the board from the other side. */
    flip: () => board.setFlipped(!board.flipped),
    get flipped() {
      return board.flipped;
    },
    rename: () => board.rename(names()),
  };
}

/** When a seed was heard last, by `performance.now()`. */
let heard = 0;

/** What is heard of an event; not of many at once. @param {string} kind */
function hear(kind) {
  if (kind !== "drop" && kind !== "slip" && kind !== "capture") return;
  if (performance.now() - heard < QUIET_MS) return;
  heard = performance.now();
  sound.play(kind === "capture" ? "capture" : "drop");
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function wait(ms, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
