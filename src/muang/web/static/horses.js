// @ts-check
/**
 * Owns the list of possible moves beside the board of Cờ cá ngựa (CN-40), in words and with whom they kick. The order is the server's; the
 * one chosen is the same on the board.
 */

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { placeName } from "./names.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").HorseMove} HorseMove
 * @typedef {import("./types.js").HorsesView} HorsesView
 */

/** @param {HorseMove} move @param {Session} session @returns {string} the move in words, whom it kicks included */
export function moveText(move, session) {
  if (move.action === "pass") return t("Pass");
  const kicks = move.kicks === null || move.kicks === undefined ? "" : ` ${t("and kicks {other}", { other: session.called(/** @type {any} */ (move.kicks)) })}`;
  if (move.from === "stable") return t("Out of the stable to the start") + kicks;
  return t("From {square} to {target}", { square: placeName(String(move.from)), target: placeName(String(move.to)) }) + kicks;
}

export class Moves {
  /**
   * @param {Session} session
   * @param {{choose: (move: HorseMove) => void, point: (action: string) => void}} on `point`: show this move on the board
   */
  constructor(session, on) {
    this.session = session;
    this.on = on;
    this.index = 0;
    /** @type {HorseMove[]} */
    this.moves = [];
    this.list = h("ol", { class: "moves-list" });
    this.title = h("h2", {});
    this.hint = h("p", { class: "small hint" });
    this.node = h("div", { class: "moves" }, this.title, this.list, this.hint);
    /** the move that a hint is about @type {string|null} */
    this.hinted = null;
  }

  /** Put a star before the move that a hint is about, and choose it; or take it away. @param {string|null} action */
  star(action) {
    this.hinted = action;
    [...this.list.querySelectorAll("button")].forEach((button, place) => {
      const on = this.moves[place]?.action === action;
      button.querySelector(".star")?.remove();
      if (on) button.append(h("span", { class: "star" }, h("span", { "aria-hidden": "true" }, " ★ "), h("span", { class: "small" }, t("the hint"))));
    });
    const index = this.moves.findIndex((move) => move.action === action);
    if (index >= 0) this.select(index);
  }

  /** @param {HorsesView} view @param {boolean} open whether this screen may choose now */
  draw(view, open) {
    const moves = open ? movesOf(view) : [];
    const same = moves.length === this.moves.length && moves.every((move, index) => move.action === this.moves[index].action);
    this.node.hidden = !moves.length;
    fill(this.title, t("Possible moves"));
    fill(this.hint, t("Arrow keys choose, Enter moves."));
    if (same) return;
    this.index = 0;
    this.moves = moves;
    const had = this.list.contains(document.activeElement);
    fill(
      this.list,
      moves.map((move, index) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "move",
              on: { click: () => this.on.choose(move), pointerenter: () => this.select(index), focus: () => this.select(index) },
            },
            h("span", { class: "mark", "aria-hidden": "true" }, "▸"),
            h("span", {}, moveText(move, this.session)),
          ),
        ),
      ),
    );
    if (!moves.length) return;
    if (had) this.focus();
    this.select(0);
  }

  /** Write the words anew with the next `draw`. */
  forget() {
    this.moves = [];
  }

  /** @param {number} index */
  select(index) {
    this.mark(index);
    const chosen = this.selected;
    if (chosen) this.on.point(chosen.action);
  }

  /** The board says which move it shows now. @param {string} action */
  follow(action) {
    const index = this.moves.findIndex((move) => move.action === action);
    if (index >= 0) this.mark(index);
  }

  /** @param {number} index */
  mark(index) {
    const count = this.moves.length;
    if (!count) return;
    this.index = ((index % count) + count) % count;
    [...this.list.querySelectorAll("button")].forEach((button, place) => {
      button.setAttribute("aria-current", String(place === this.index));
    });
  }

  /** @param {number} by +1 the next move, -1 the one before, going round */
  step(by) {
    this.select(this.index + by);
    if (this.list.contains(document.activeElement)) this.focus();
  }

  focus() {
    /** @type {HTMLElement|undefined} */ ([...this.list.querySelectorAll("button")][this.index])?.focus();
  }

  /** @returns {HorseMove|undefined} */
  get selected() {
    return this.moves[this.index];
  }
}

/** @param {HorsesView} view @returns {HorseMove[]} what may be done, in the order of CN-40; passing (an extra move) comes last */
export function movesOf(view) {
  const legal = view.turn === null ? [] : view.legal[String(view.turn)] || [];
  const moves = view.moves.filter((move) => legal.includes(move.action));
  if (legal.includes("pass") && !moves.some((move) => move.action === "pass")) moves.push({ action: "pass", from: "", to: "", kicks: null });
  return moves;
}
