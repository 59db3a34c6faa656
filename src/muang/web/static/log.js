// @ts-check
/** Owns the list of what happened: one line for each thing that was worth a sentence; choosing a line shows it again. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./theatre.js").Scene} Scene */

const KEEP = 400;

export class MoveList {
  /** @param {import("./session.js").Session} session @param {(scene: Scene) => void} replay */
  constructor(session, replay) {
    this.session = session;
    this.replay = replay;
    /** @type {Scene[]} */
    this.scenes = [];
    this.list = h("ol", { class: "log-list", tabindex: "-1" });
    this.empty = h("p", { class: "small" });
    this.title = h("h2", {});
    this.node = h("section", { class: "log" }, this.title, h("div", { class: "log-box" }, this.empty, this.list));
  }

  /** @returns {Scene|undefined} the newest thing that can be shown again */
  get last() {
    return this.scenes.findLast((scene) => scene.events.length > 0);
  }

  /** @param {Scene} scene a scene as it begins */
  add(scene) {
    if (!scene.say.length) return;
    this.scenes.push(scene);
    const near = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 80;
    this.list.append(this.line(scene));
    while (this.scenes.length > KEEP) {
      this.scenes.shift();
      this.list.firstElementChild?.remove();
    }
    this.empty.hidden = true;
    if (near) this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {Scene} scene */
  line(scene) {
    const text = this.session.tell(scene.say);
    const seat = scene.entry?.seat ?? (scene.events[0] ? scene.events[0][0] : "-");
    return h(
      "li",
      { data: { seat } },
      scene.events.length
        ? h("button", { type: "button", class: "log-line", title: t("Show this again"), on: { click: () => this.replay(scene) } }, text)
        : h("span", { class: "log-line" }, text),
    );
  }

  /** Write every line anew: the language or a name has changed. */
  draw() {
    this.title.textContent = t("What happened");
    this.empty.textContent = t("Nothing yet. What happens is listed here; choosing a line shows it again.");
    this.empty.hidden = this.scenes.length > 0;
    this.list.replaceChildren(...this.scenes.map((scene) => this.line(scene)));
    this.list.scrollTop = this.list.scrollHeight;
  }
}
