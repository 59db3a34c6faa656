// @ts-check
/** Owns the list of what happened: one line for each thing that was worth a sentence; choosing a line shows it again. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./theatre.js").Scene} Scene */

const KEEP = 400;

/** Said of every single seed in turns by hand: worth a word when it happens, not a line afterwards. */
const ONE_SEED = "{seat} drops a seed into {hole}.";

/** What can be seen again on the board. */
const SEEN = ["lift", "drop", "slip", "roll", "enter", "step"];

/** @param {import("./types.js").Said[]} say */
function worthALine(say) {
  return say.length > 0 && !say.every(([msgid]) => msgid === ONE_SEED);
}

/** A scene of the past; without its boards it is only told. @param {import("./types.js").ToldLine} line @returns {Scene} */
function sceneOf({ say, seat, events, before, after }) {
  const entry = /** @type {any} */ ({ kind: "play", seat });
  return { number: 0, version: 0, say, entry, events: events ?? [], before: /** @type {any} */ (before), after: /** @type {any} */ (after), live: false, plain: false };
}

export class MoveList {
  /** @param {import("./session.js").Session} session @param {(scene: Scene) => void} replay */
  constructor(session, replay) {
    this.session = session;
    this.replay = replay;
    /** @type {Scene[]} */
    this.scenes = [];
    /** the version up to which the list has been filled */
    this.upTo = -1;
    /** whether the newest line is in sight: then it stays so, wherever the list is put and however high it becomes */
    this.atEnd = true;
    let last = 0;
    const scrolled = () => {
      const { scrollTop, scrollHeight, clientHeight } = this.list;
      if (scrollHeight - scrollTop - clientHeight < 80) this.atEnd = true;
      else if (scrollTop < last) this.atEnd = false; // somebody reads what was before
      last = scrollTop;
    };
    this.list = h("ol", { class: "log-list", on: { keydown: (/** @type {KeyboardEvent} */ event) => this.key(event), scroll: scrolled } });
    new ResizeObserver(() => this.atEnd && this.end()).observe(this.list);
    this.empty = h("p", { class: "small" });
    this.title = h("h2", {});
    this.node = h("section", { class: "log" }, this.title, h("div", { class: "log-box" }, this.empty, this.list));
  }

  /** Show the newest line. */
  end() {
    this.list.scrollTop = this.list.scrollHeight;
    this.atEnd = true;
  }

  /**
   * What happened before this page looked: takes the place of the lines up to that version.
   * @param {{version: number, told: import("./types.js").ToldLine[]}} history
   */
  fill({ version, told }) {
    this.upTo = version;
    const later = this.scenes.filter((scene) => (scene.version ?? 0) > version);
    this.scenes = [...told.map(sceneOf), ...later].filter(({ say }) => worthALine(say)).slice(-KEEP);
    this.draw();
  }

  /** @returns {Scene|undefined} the newest thing that can be shown again */
  get last() {
    return this.scenes.findLast((scene) => scene.events.some(([, kind]) => SEEN.includes(kind)));
  }

  /** @param {Scene} scene a scene as it begins */
  add(scene) {
    if (!worthALine(scene.say) || (scene.version ?? Infinity) <= this.upTo) return;
    this.scenes.push(scene);
    this.list.append(this.line(scene));
    this.stop();
    while (this.scenes.length > KEEP) {
      this.scenes.shift();
      this.list.firstElementChild?.remove();
    }
    this.empty.hidden = true;
    if (this.atEnd) this.end();
  }

  /** @param {Scene} scene */
  line(scene) {
    const text = this.session.tell(scene.say);
    const seat = scene.entry?.seat ?? (scene.events[0] ? scene.events[0][0] : "-");
    return h(
      "li",
      { data: { seat } },
      scene.events.length && scene.before
        ? h("button", { type: "button", class: "log-line", tabindex: "-1", title: t("Show this again"), on: { click: () => this.replay(scene) } }, text)
        : h("span", { class: "log-line" }, text),
    );
  }

  /** The lines are one stop for Tab, the newest line; the arrow keys go from line to line. @param {HTMLElement} [at] */
  stop(at) {
    const lines = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("button")]);
    const here = at ?? lines.find((line) => line === document.activeElement) ?? lines.at(-1);
    for (const line of lines) if (line.tabIndex === 0 && line !== here) line.tabIndex = -1;
    if (here) here.tabIndex = 0;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const lines = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("button")]);
    const now = lines.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const ways = { ArrowUp: now - 1, ArrowDown: now + 1, Home: 0, End: lines.length - 1 };
    const to = ways[event.key];
    if (now < 0 || to === undefined) return;
    event.preventDefault();
    const line = lines[Math.max(0, Math.min(lines.length - 1, to))];
    this.stop(line);
    line.focus();
  }

  /** Write every line anew: the language or a name has changed. */
  draw() {
    this.title.textContent = t("What happened");
    this.empty.textContent = t("Nothing yet. What happens is listed here; choosing a line shows it again.");
    this.empty.hidden = this.scenes.length > 0;
    const { atEnd } = this;
    const { scrollTop } = this.list;
    const focus = this.list.contains(document.activeElement) ? [...this.list.children].findIndex((line) => line.contains(document.activeElement)) : -1;
    this.list.replaceChildren(...this.scenes.map((scene) => this.line(scene)));
    if (focus >= 0) this.list.children[Math.min(focus, this.list.children.length - 1)]?.querySelector("button")?.focus({ preventScroll: true });
    this.stop();
    if (atEnd) this.end();
    else this.list.scrollTop = scrollTop;
  }
}
