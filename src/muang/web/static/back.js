// @ts-check
/**
 * Owns stepping back: looking at what happened before while the match goes on. Nobody else notices it, nothing waits for it, and one press leads
 * back to now. It shows what the list of moves knows.
 */

import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./theatre.js").Scene} Scene */

export class Back {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./theatre.js").Theatre} theatre
   * @param {import("./log.js").MoveList} log
   * @param {(text: string) => void} say
   */
  constructor(session, theatre, log, say) {
    this.session = session;
    this.theatre = theatre;
    this.log = log;
    this.say = say;
    /** the scene that comes next where we look; undefined: we look at now @type {Scene|undefined} */
    this.at = undefined;
    this.text = h("span", { class: "back-text" });
    this.earlierButton = this.button("back-earlier", "before", () => this.earlier());
    this.laterButton = this.button("back-later", "after", () => void this.later());
    this.nowButton = h("button", { type: "button", class: "button main", id: "back-now", on: { click: () => this.leave() } });
    this.node = h("div", { class: "back-bar", role: "group", hidden: true }, this.earlierButton, this.text, this.laterButton, this.nowButton);
    for (const what of ["now", "settled"]) theatre.addEventListener(what, () => this.draw());
  }

  /** @param {string} id @param {string} sign @param {() => void} act */
  button(id, sign, act) {
    return h("button", { type: "button", class: "button quiet round", id, on: { click: act } }, icon(sign));
  }

  get isOpen() {
    return this.theatre.looking;
  }

  /** @returns {Scene[]} what can be shown again */
  scenes() {
    return this.log.scenes.filter(({ before, after, events }) => before && after && events.length > 0);
  }

  /** Show the board as it was before a scene, without motion. @param {Scene|undefined} scene */
  stand(scene) {
    if (!scene) return;
    this.at = scene;
    this.theatre.look(scene.before);
    this.say(this.session.tell(scene.say));
    this.draw();
  }

  earlier() {
    const scenes = this.scenes();
    const here = this.isOpen && this.at ? scenes.indexOf(this.at) : scenes.length;
    this.stand(scenes[here < 0 ? scenes.length - 1 : here - 1]);
  }

  /** Show what came next, as it happened. */
  async later() {
    if (!this.isOpen || !this.at) return;
    const scenes = this.scenes();
    const shown = this.at;
    const next = scenes[scenes.indexOf(shown) + 1];
    await this.show(shown);
    if (!this.isOpen || this.at !== shown) return;
    if (next) this.stand(next);
    else this.leave();
  }

  /** Show a scene and stay after it. @param {Scene} scene */
  async show(scene) {
    this.stand(scene);
    await this.theatre.lookOn(scene);
  }

  /** Back to now. */
  leave() {
    this.theatre.now();
  }

  draw() {
    const open = this.isOpen;
    const had = this.node.contains(document.activeElement);
    const covers = open && this.node.hidden && document.activeElement?.closest("#tools");
    this.node.hidden = !open;
    if (!open) {
      this.at = undefined;
      if (had) document.getElementById("stage")?.focus({ preventScroll: true });
      return;
    }
    const scenes = this.scenes();
    const here = this.at ? scenes.indexOf(this.at) : -1;
    this.node.setAttribute("aria-label", t("Looking back"));
    for (const [button, name, off] of /** @type {[HTMLButtonElement, string, boolean][]} */ ([
      [this.earlierButton, t("Earlier"), here <= 0],
      [this.laterButton, t("Later"), here < 0],
    ])) {
      button.setAttribute("aria-label", name);
      button.title = name;
      button.setAttribute("aria-disabled", String(off));
    }
    fill(this.text, t("Looking back: {number} of {all}", { number: here + 1, all: scenes.length }));
    fill(this.nowButton, t("Back to now"));
    // on small screens it takes the place of the button that opened it
    if (covers && getComputedStyle(covers).visibility === "hidden") this.nowButton.focus({ preventScroll: true });
  }
}
