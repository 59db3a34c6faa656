// @ts-check
/**
 * Owns which key does what on the play page (MK-57, CN-40, and the keys of two people who race on one keyboard). Keys of the board's own
 * (arrows from hole to hole) are the board's matter. Keys that stand for places on the keyboard are told by their place (`event.code`), so
 * they work on every layout; signs such as `<` by what they write.
 */

import { pressed } from "./board/input.js";
import { ACT_KEYS, NORTH_DROPS, NORTH_HOLES, isDuel } from "./race.js";

/**
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Actions
 * @property {(seat: Seat, number: number, at: number) => void} hole `at`: when the key was pressed, by `performance.now()`
 * @property {(seat: Seat, at: number) => void} drop
 * @property {(seat: Seat, at: number) => void} slip
 * @property {() => boolean} act the centre key where nothing has the focus; false: nothing to do
 * @property {(by: number) => boolean} step to another possible move of a horse; false: there is none
 * @property {() => boolean} arrive an arrow key while nothing has the focus: go to the board
 * @property {(by: number) => void} speed
 * @property {() => void} skip
 * @property {() => void} pause
 * @property {() => void} replay
 * @property {(by: number) => void} back step back (-1) or forward again (1) while the match goes on
 * @property {() => void} path
 * @property {() => void} flip
 * @property {() => void} hint
 * @property {() => void} help
 */

const NEXT = ["ArrowRight", "ArrowDown"];
const BEFORE = ["ArrowLeft", "ArrowUp"];

/** @param {EventTarget|null} target @returns {Element|null} */
function element(target) {
  return target instanceof Element ? target : null;
}

/** Whether a key belongs to what has the focus: text is being written, or a list is open. @param {Element|null} target */
function writes(target) {
  return Boolean(target?.closest("input, select, textarea, [contenteditable]"));
}

/** Whether Enter and Space belong to what has the focus. @param {Element|null} target */
function presses(target) {
  const pressed = target?.closest("button, a[href], summary");
  return Boolean(pressed && pressed.matches(":focus-visible"));
}

/**
 * Listen to the keyboard.
 * @param {import("./session.js").Session} session
 * @param {Actions} actions
 * @param {HTMLElement} board keys pressed in it come here only if it has no use for them
 */
export function listen(session, actions, board) {
  /** shifts held down, by their place: in a duel each player has an own one @type {Set<string>} */
  const shifts = new Set();
  addEventListener("keyup", (event) => shifts.delete(event.code));
  addEventListener("blur", () => shifts.clear());

  addEventListener(
    "keydown",
    (event) => {
      if (event.code === "ShiftLeft" || event.code === "ShiftRight") shifts.add(event.code);
      if (event.ctrlKey || event.metaKey || event.altKey || !session.view) return;
      const target = element(event.target);
      if (target?.closest("dialog") || writes(target)) return;
      if (handle(event, target)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    { capture: true },
  );

  /** @param {KeyboardEvent} event @param {Element|null} target @returns {boolean} whether the key has been used */
  function handle(event, target) {
    return hands(event, target) || horses(event, target) || shows(event) || arrives(event, target);
  }

  /** Choosing holes and dropping seeds. @param {KeyboardEvent} event @param {Element|null} target @returns {boolean} */
  function hands(event, target) {
    if (session.isHorses) return false;
    if (session.isLiveRace && !session.race.running) {
      // nothing is sown before the signal: the centre key says that all are ready
      if (!ACT_KEYS.includes(event.code) || presses(target)) return false;
      return event.repeat || actions.act();
    }
    const duel = isDuel(session);
    const digit = /^Digit([1-9])$/.exec(event.code);
    const seat = duel ? "S" : (session.acting()[0] ?? session.mine()[0]);
    if (digit && !event.shiftKey && seat !== undefined) {
      if (!event.repeat) actions.hole(seat, Number(digit[1]), pressed(event));
      return true;
    }
    if (duel && NORTH_HOLES.includes(event.code)) {
      if (!event.repeat) actions.hole("N", NORTH_HOLES.indexOf(event.code) + 1, pressed(event));
      return true;
    }
    if (!session.isByHand) return false;
    if (duel && NORTH_DROPS.includes(event.code)) {
      if (!event.repeat) (shifts.has("ShiftLeft") ? actions.slip : actions.drop)("N", pressed(event));
      return true;
    }
    if (!ACT_KEYS.includes(event.code) || seat === undefined) return false;
    const hand = session.legal(seat).includes("drop");
    if (!hand && !duel) return false; // nothing to drop: the key lifts the hole that has the focus
    if (presses(target) && !target?.closest(".drop")) return false;
    if (target && board.contains(target) && !(hand && duel)) return false; // the board knows what it means
    if (!event.repeat) (duel ? shifts.has("ShiftRight") : event.shiftKey) ? actions.slip(seat, pressed(event)) : actions.drop(seat, pressed(event));
    return true;
  }

  /** CN-40. @param {KeyboardEvent} event @param {Element|null} target @returns {boolean} */
  function horses(event, target) {
    if (!session.isHorses || target?.closest(".log-list")) return false;
    if (NEXT.includes(event.key)) return actions.step(1);
    if (BEFORE.includes(event.key)) return actions.step(-1);
    if (ACT_KEYS.includes(event.code) && !event.repeat && !(presses(target) && !target?.closest(".moves-list"))) return actions.act();
    return false;
  }

  /** How things are shown. @param {KeyboardEvent} event @returns {boolean} */
  function shows(event) {
    if (event.key === "<" || (event.code === "Comma" && event.shiftKey)) actions.speed(-1);
    else if (event.key === ">" || (event.code === "Period" && event.shiftKey)) actions.speed(1);
    else if (event.key === "=" || (event.code === "Equal" && !event.shiftKey)) actions.speed(0);
    else if (event.key === "?" || (event.code === "Slash" && event.shiftKey)) actions.help();
    else if (event.key === "Escape") actions.skip();
    else if (event.key === "[") actions.back(-1);
    else if (event.key === "]") actions.back(1);
    else if (event.repeat || event.shiftKey) return false;
    else if (letter(event) === "k") actions.pause();
    else if (letter(event) === "r") actions.replay();
    else if (letter(event) === "p") actions.path();
    else if (letter(event) === "f") actions.flip();
    else if (letter(event) === "h") actions.hint();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event @param {Element|null} target @returns {boolean} */
  function arrives(event, target) {
    if (session.isHorses) return false;
    const free = !target || target === document.body || target.tagName === "MAIN";
    if (!free) return false;
    if (event.key.startsWith("Arrow")) return actions.arrive();
    if (ACT_KEYS.includes(event.code) && !event.repeat) return actions.act();
    return false;
  }
}

/** The letter a key writes; on keyboards that write no Latin letters, the one that stands on it. @param {KeyboardEvent} event */
function letter(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  return /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : "";
}
