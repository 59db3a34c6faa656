// @ts-check
/**
 * Owns what players say to each other: a sheet of phrases, bubbles beside the speaker, and turning them off. There is no free text, so there is
 * nothing to moderate. Which phrases there are is the server's matter (`wire/phrases.py`); a test holds the two lists together.
 */

import { sheet } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { read, write } from "./prefs.js";
import { sound } from "./sound.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 *
 * @typedef {Object} Around
 * @property {(seat: Seat, phrase: string) => void} say
 * @property {(text: string) => void} hear tell it to whoever does not see it
 * @property {(seat: Seat) => HTMLElement|undefined} strip the speaker's strip
 */

const SHOWN_MS = 7000;
const REST_MS = 1500; // between two phrases of one's own
const KEY = "muang.mute";

/** @returns {[string, string][]} what is sent, and what it says */
export function phrases() {
  return [
    ["hello", t("Hello!")],
    ["good-luck", t("Good luck!")],
    ["well-played", t("Well played!")],
    ["wow", t("Wow!")],
    ["oops", t("Oops!")],
    ["thinking", t("Let me think …")],
    ["moment", t("One moment, please.")],
    ["back", t("I am back.")],
    ["your-turn", t("It is your turn.")],
    ["sorry", t("Sorry!")],
    ["thanks", t("Thank you!")],
    ["again", t("Shall we play again?")],
    ["bye", t("Good-bye!")],
  ];
}

export class Talk {
  /** @param {Session} session @param {Around} around */
  constructor(session, around) {
    this.session = session;
    this.around = around;
    this.muted = Boolean(read(KEY, false));
    this.said = -REST_MS;
    /** @type {Map<Seat, {node: HTMLElement, timer: ReturnType<typeof setTimeout>}>} */
    this.bubbles = new Map();
    this.button = h("button", { type: "button", class: "button quiet round", id: "say", hidden: true, on: { click: () => this.open() } }, icon("say"));
  }

  draw() {
    const { session, button } = this;
    const name = t("Say something");
    button.hidden = !(session.mine().length && session.isOnline);
    button.setAttribute("aria-label", name);
    button.title = name;
  }

  /** The sheet of phrases. */
  open() {
    const seat = this.session.mine()[0];
    if (seat === undefined) return;
    const mute = h("input", {
      type: "checkbox",
      id: "mute",
      checked: this.muted,
      on: {
        change: () => {
          this.muted = mute.checked;
          write(KEY, this.muted);
          if (this.muted) for (const speaker of [...this.bubbles.keys()]) this.hush(speaker);
        },
      },
    });
    const dialog = sheet("phrases", t("Say something"), [
      h(
        "ul",
        { class: "phrases" },
        phrases().map(([phrase, text]) =>
          h("li", {}, h("button", { type: "button", class: "button", data: { phrase }, on: { click: () => this.say(seat, phrase, dialog) } }, text)),
        ),
      ),
      h("p", { class: "option tick" }, mute, h("label", { for: "mute" }, t("Do not show me what others say"))),
    ]);
  }

  /** @param {Seat} seat @param {string} phrase @param {HTMLDialogElement} dialog */
  say(seat, phrase, dialog) {
    dialog.close();
    if (performance.now() - this.said < REST_MS) return;
    this.said = performance.now();
    this.around.say(seat, phrase);
  }

  /** Somebody has said it. @param {Seat} seat @param {string} phrase */
  hear(seat, phrase) {
    const text = phrases().find(([key]) => key === phrase)?.[1];
    const own = this.session.isMine(seat);
    if (!text || (this.muted && !own)) return;
    this.hush(seat);
    const node = h("span", { class: "bubble", "aria-hidden": "true" }, text);
    this.around.strip(seat)?.append(node);
    this.bubbles.set(seat, { node, timer: setTimeout(() => this.hush(seat), SHOWN_MS) });
    if (own) return;
    this.around.hear(t("{seat} says: {phrase}", { seat: this.session.called(seat), phrase: text }));
    sound.play("phrase");
  }

  /** @param {Seat} seat */
  hush(seat) {
    const bubble = this.bubbles.get(seat);
    if (!bubble) return;
    clearTimeout(bubble.timer);
    bubble.node.remove();
    this.bubbles.delete(seat);
  }
}
