// @ts-check
/** Owns the buttons of the play page: how things are shown, and what can be asked of the table. */

import { h, icon } from "./dom.js";
import { language, t } from "./i18n.js";
import { SPEEDS } from "./theatre.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./theatre.js").Theatre} Theatre
 *
 * @typedef {Object} ToolHandlers
 * @property {() => void} hint
 * @property {() => void} replay
 * @property {() => void} back look at what happened before
 * @property {() => void} path
 * @property {() => void} flip
 * @property {() => void} face
 * @property {() => void} help
 * @property {() => void} moves the list of what happened, where it has no place of its own
 * @property {() => void} more the sheet with everything else
 * @property {() => void} resign
 * @property {() => void} draw
 * @property {() => void} takeback
 * @property {() => void} rematch
 */

/** @param {string} speed @returns {string} */
export function speedName(speed) {
  switch (speed) {
    case "slow":
      return t("Slow");
    case "fast":
      return t("Fast");
    case "very-fast":
      return t("Very fast");
    default:
      return t("Normal");
  }
}

export class Tools {
  /** @param {Session} session @param {Theatre} theatre @param {ToolHandlers} on */
  constructor(session, theatre, on) {
    this.session = session;
    this.theatre = theatre;
    this.on = on;
    /** what the buttons say now */
    this.drawn = "";
    this.pathOn = false;
    this.facing = false;
    /** whether a hint is being thought about */
    this.hinting = false;
    this.node = h("div", { class: "tools", role: "toolbar" });
    this.table = h("div", { class: "table-tools" });
  }

  /**
   * @param {string} id @param {string} sign @param {string} name @param {() => void} act
   * @param {{pressed?: boolean, disabled?: boolean, kind?: string, key?: string}} [state]
   */
  button(id, sign, name, act, { pressed, disabled = false, kind = "", key = "" } = {}) {
    return h(
      "button",
      {
        type: "button",
        id,
        class: `button tool ${kind}`,
        title: key ? `${name} (${key})` : name,
        "aria-pressed": pressed === undefined ? undefined : String(pressed),
        "aria-keyshortcuts": key || undefined,
        disabled,
        on: { click: act },
      },
      icon(sign),
      h("span", { class: "tool-name" }, name),
    );
  }

  /** What the bar of a small screen has no room for; a press shows the board again. @returns {HTMLElement[]} */
  moreButtons() {
    const shown = (/** @type {() => void} */ act) => () => {
      /** @type {HTMLDialogElement|null} */ (document.querySelector("dialog[open]"))?.close();
      act();
    };
    const path = this.button("path-more", "path", t("Path"), shown(this.on.path), { pressed: this.pathOn });
    const buttons = [path, this.button("back-more", "before", t("Step back"), shown(this.on.back))];
    if (!this.session.isHorses) buttons.push(this.button("flip-more", "flip", t("Turn round"), this.on.flip));
    if (this.session.hasHints) buttons.push(this.button("replay-more", "replay", t("Last move"), shown(this.on.replay)));
    return buttons;
  }

  draw() {
    const { session, theatre, on } = this;
    const view = session.now;
    const sowing = view.game !== "ca-ngua";
    const racing = session.isLiveRace;
    const over = view.phase === "over";
    const playing = session.mine().length > 0 && !over;
    // buttons stay the same elements while they say the same: a race draws often, and a button that is being pressed must not go away
    const state = JSON.stringify([language(), view.phase, racing, playing, theatre.paused, theatre.busy, theatre.speed, this.pathOn, this.facing, session.hasHints, session.hintSeat(), this.hinting]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focus = document.activeElement?.id || "";
    const speed = h(
      "label",
      { class: "speed" },
      icon("speed"),
      h("span", { class: "unseen" }, t("Speed")),
      h(
        "select",
        {
          id: "speed",
          class: "field",
          title: `${t("Speed")} (< > =)`,
          on: {
            change: (/** @type {Event} */ event) => theatre.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value)),
          },
        },
        SPEEDS.map(([name], index) => h("option", { value: index, selected: index === theatre.speed }, speedName(name))),
      ),
    );
    this.node.setAttribute("aria-label", t("How it is shown"));
    this.node.replaceChildren(
      speed,
      session.hasHints && !over ? this.button("hint", "hint", t("Hint"), on.hint, { key: "h", disabled: session.hintSeat() === undefined, kind: this.hinting ? "busy" : "" }) : "",
      this.button("pause", theatre.paused ? "play" : "pause", theatre.paused ? t("Go on") : t("Pause"), () => theatre.pause(), { key: "k", pressed: theatre.paused, disabled: !theatre.busy && !theatre.paused }),
      this.button("skip-motion", "skip", t("Skip"), () => theatre.skip(), { key: "Escape", disabled: !theatre.busy }),
      // the bar of a small screen has room for six: there the hint takes its place
      this.button("replay", "replay", t("Last move"), on.replay, { key: "r", kind: session.hasHints && !over ? "wide-only" : "" }),
      this.button("back", "before", t("Step back"), on.back, { key: "[", kind: "wide-only bare" }),
      this.button("path", "path", t("Path"), on.path, { key: "p", pressed: this.pathOn, kind: "wide-only" }),
      sowing ? this.button("flip", "flip", t("Turn round"), on.flip, { key: "f", kind: "wide-only" }) : "",
      this.button("open-log", "list", t("What happened"), on.moves, { kind: "narrow-only" }),
      this.button("open-more", "more", t("More"), on.more, { kind: "narrow-only" }),
    );
    this.table.replaceChildren(...this.tableButtons(playing, sowing, racing, over));
    if (focus && focus !== document.activeElement?.id) document.getElementById(focus)?.focus();
  }

  /** What can be asked of the table. @param {boolean} playing @param {boolean} sowing @param {boolean} racing @param {boolean} over @returns {HTMLElement[]} */
  tableButtons(playing, sowing, racing, over) {
    const { on } = this;
    const inRace = sowing && this.session.now.phase === "race";
    const buttons = [];
    if (playing && sowing && !inRace) buttons.push(this.button("takeback", "undo", t("Take back"), on.takeback));
    if (playing && sowing) buttons.push(this.button("draw", "draw", t("Offer a draw"), on.draw));
    if (playing) buttons.push(this.button("resign", "flag", sowing ? t("Resign") : t("Leave the match"), on.resign));
    if (over) buttons.push(this.button("again", "replay", t("Play again"), on.rematch));
    // only where fingers touch the screen can it lie flat between two people
    if (sowing && this.session.isShared && matchMedia("(any-pointer: coarse)").matches) buttons.push(this.button("face", "flip", t("Facing each other"), on.face, { pressed: this.facing }));
    if (racing) return buttons;
    buttons.push(h("a", { class: "button tool", href: `/?game=${this.session.now.game}` }, icon("play"), h("span", { class: "tool-name" }, t("New match"))));
    return buttons;
  }
}
