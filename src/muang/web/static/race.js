// @ts-check
/**
 * Owns what surrounds a race: the card that explains it and asks whether all are ready, the 3-2-1, the clock, and which keys belong to whom
 * where two people race on one keyboard. Judges nothing.
 */

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { paceName, seatSign } from "./names.js";
import { SLOW_MS } from "./presence.js";
import { sound } from "./sound.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 */

/** The physical keys of North where two race on one keyboard: holes 1…9, and three that drop. South has the digits. */
export const NORTH_HOLES = ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyY", "KeyU", "KeyI", "KeyO"];
export const NORTH_DROPS = ["KeyA", "KeyS", "KeyD"];
export const ACT_KEYS = ["Space", "Enter", "NumpadEnter", "Numpad5"];

/** How long "Go!" stands, in ms. */
const GO_MS = 600;

/** @type {Map<string, string>|null} what is printed on the keys of this keyboard, where the browser tells */
let printed = null;

/** Ask the browser once what its keys are called: on a French keyboard the one called Q stands elsewhere. */
export async function learnKeyboard() {
  try {
    const layout = await /** @type {any} */ (navigator).keyboard?.getLayoutMap();
    if (layout) printed = layout;
  } catch {
    // the legend then shows the usual letters
  }
}

/** @param {string} code @returns {string} what stands on the key */
export function keyLabel(code) {
  const told = printed?.get(code);
  if (told && /^[a-z]$/i.test(told)) return told.toUpperCase();
  return code.replace(/^Key|^Digit/, "");
}

/** @param {string[]} codes */
function kbds(codes) {
  return codes.map((code) => [h("kbd", {}, keyLabel(code)), " "]).flat();
}

/** Whether two people share the keyboard in a race in time. @param {Session} session */
export function isDuel(session) {
  return session.isLiveRace && session.isShared;
}

/** What touches mean. @param {import("./types.js").SowingView} view @param {boolean} choosing @returns {HTMLElement} */
function touchLegend(view, choosing) {
  const parts = [];
  if (choosing) parts.push(h("dt", {}, t("Holes")), h("dd", {}, t("tap a hole of yours")));
  if (view.pace === "by_hand") {
    parts.push(h("dt", {}, t("Drop")), h("dd", {}, t("tap anywhere on the board, or the button")));
    if (choosing && view.round > 1) parts.push(h("dt", {}, t("Slip")), h("dd", {}, t("tap the widow that is next")));
  }
  return h("div", { class: "legend" }, h("dl", {}, parts));
}

/** @param {Session} session @returns {HTMLElement} whose keys are which */
export function legend(session) {
  const view = /** @type {import("./types.js").SowingView} */ (session.now);
  const holes = view.board.S.length;
  const choosing = view.game === "mak-khum";
  if (matchMedia("(pointer: coarse)").matches && !session.isShared) return touchLegend(view, choosing);
  const rows = session.mine().map((seat) => {
    const north = seat === "N" && session.isShared;
    const parts = [];
    if (choosing) {
      parts.push(h("dt", {}, t("Holes")), h("dd", {}, north ? kbds(NORTH_HOLES.slice(0, holes)) : [h("kbd", {}, "1"), " … ", h("kbd", {}, String(holes))]));
    }
    if (view.pace === "by_hand") {
      parts.push(h("dt", {}, t("Drop")), h("dd", {}, north ? kbds(NORTH_DROPS) : [h("kbd", {}, t("Space")), " ", h("kbd", {}, t("Enter"))]));
      if (view.game === "mak-khum" && view.round > 1) {
        parts.push(h("dt", {}, t("Slip")), h("dd", {}, h("kbd", {}, session.isShared ? (north ? t("left Shift") : t("right Shift")) : t("Shift")), " + ", t("drop")));
      }
    }
    return h("div", { class: "legend-seat", data: { seat } }, h("h3", {}, `${seatSign(seat)} ${session.called(seat)}`), parts.length ? h("dl", {}, parts) : null);
  });
  return h("div", { class: "legend" }, rows);
}

/** Where both ends of a line together take longer, seeds may count later than they were dropped, in ms there and back. */
const TOO_SLOW_MS = 450;

/** How long the way to a seat's screen is, in words. @param {Session} session @param {Seat} seat @returns {{text: string, slow: boolean}} */
function line(session, seat) {
  const ping = session.table.pings[String(seat)];
  if (ping === undefined) return { text: session.isHere(seat) ? t("measuring the line …") : t("not here"), slow: false };
  const count = Math.round(ping);
  if (ping >= TOO_SLOW_MS) return { text: t("very slow line: {count} ms", { count }), slow: true };
  return ping >= SLOW_MS ? { text: t("slow line: {count} ms", { count }), slow: true } : { text: t("{count} ms", { count }), slow: false };
}

/** Who races, who is ready, and over what line. @param {Session} session @returns {HTMLElement} */
function racers(session) {
  return h(
    "ul",
    { class: "racers" },
    session.seats.map(({ seat, kind }) => {
      const ready = !session.awaiting.includes(seat);
      const way = kind === "person" && session.isOnline ? line(session, seat) : null;
      return h(
        "li",
        { data: { seat } },
        h("span", { class: "sign", "aria-hidden": "true" }, seatSign(seat)),
        h("strong", {}, session.called(seat)),
        h("span", { class: ready ? "is-ready" : "" }, ready ? `✓ ${kind === "computer" ? session.aside(seat) : t("ready")}` : t("not ready yet")),
        way ? h("span", { class: `small way${way.slow ? " slow" : ""}` }, way.text) : null,
      );
    }),
  );
}

/** What the server does about lines of different length. @param {Session} session @returns {string} */
function fairness(session) {
  if (!session.isOnline) return "";
  const worst = Math.max(0, ...Object.values(session.table.pings));
  const text = t("Every key press counts from the moment it was made, not from when it arrives: a slower line is no disadvantage.");
  return worst < TOO_SLOW_MS ? text : `${text} ${t("A line as slow as this one is evened out only in part.")}`;
}

export class RaceCard {
  /** @param {Session} session @param {() => void} start */
  constructor(session, start) {
    this.session = session;
    this.title = h("h2", { id: "race-title" });
    this.text = h("p", {});
    this.legend = h("div", {});
    this.count = h("p", { class: "countdown", "aria-hidden": "true" });
    this.button = h("button", { type: "button", class: "button main big", on: { click: start } });
    this.waiting = h("p", { class: "small", role: "status" });
    this.racers = h("div", {});
    this.fair = h("p", { class: "small" });
    /** what the list of racers says now */
    this.listed = "";
    this.body = h("div", { class: "race-body" }, this.title, this.text, this.racers, this.fair, this.legend, this.waiting, this.button);
    this.node = h("section", { class: "race-card", "aria-labelledby": "race-title", hidden: true }, this.body, this.count);
    this.clock = h("span", { class: "race-clock", hidden: true });
    this.told = 0;
    /** @type {(text: string) => void} */
    this.say = () => {};
    /** until when "Go!" stands, by `performance.now()`; 0: it does not */
    this.stands = 0;
    /** the race begins now @type {() => void} */
    this.went = () => {};
  }

  /** @returns {boolean} whether the card covers the board */
  get isOpen() {
    return !this.node.hidden;
  }

  draw() {
    const { session } = this;
    const counting = session.isLiveRace && ((session.begins !== null && !session.race.running) || performance.now() < this.stands);
    const waiting = session.isWaitingToRace;
    const opens = waiting && (this.node.hidden || this.node.classList.contains("counting"));
    this.node.hidden = !(waiting || counting);
    this.node.classList.toggle("counting", counting);
    if (waiting) {
      const view = /** @type {import("./types.js").SowingView} */ (session.now);
      fill(this.title, view.round > 1 ? t("Round {round}: the race", { round: view.round }) : t("The race"));
      const how =
        view.game === "abalalae"
          ? t("Both hands lift their leftmost hole at the signal and sow at the same time. Whoever dies first moves first.")
          : t("Both of you sow at the same time on the one board.");
      // to those who watch nothing is said of what their own fingers do
      fill(this.text, session.mine().length ? [how, " ", paceName(view.pace).help] : view.game === "abalalae" ? how : "");
      this.list();
      fill(this.legend, session.mine().length ? legend(session) : null);
      const mine = session.mine().filter((seat) => session.awaiting.includes(seat));
      const others = session.awaiting.filter((seat) => !session.isMine(seat));
      this.button.hidden = !mine.length;
      fill(this.button, t("Ready"));
      if (opens && mine.length && !document.querySelector("dialog[open]")) this.button.focus({ preventScroll: true });
      fill(this.waiting, !mine.length && others.length ? t("Waiting for {seat}", { seat: others.map((seat) => session.called(seat)).join(", ") }) : "");
    }
    this.tick();
  }

  /** The racers and their lines, which are measured anew all the time. */
  list() {
    const { session } = this;
    const list = racers(session);
    if (list.outerHTML === this.listed) return;
    this.listed = list.outerHTML;
    fill(this.racers, list);
    fill(this.fair, fairness(session));
  }

  /** Called at every frame while the page is open. */
  tick() {
    const { session } = this;
    // by the clock that both sides share: whoever has the longer line hears of it later, and begins no later
    if (session.go()) {
      this.stands = performance.now() + GO_MS;
      this.went();
    }
    if (this.stands && performance.now() >= this.stands) {
      this.stands = 0;
      this.draw();
    }
    if (session.isLiveRace && (this.stands || session.begins !== null)) {
      const left = this.stands ? 0 : Math.max(0, (session.begins ?? 0) - performance.now());
      const figure = Math.ceil(left / 1000);
      const text = figure > 0 ? String(figure) : t("Go!");
      if (this.count.textContent !== text) {
        this.count.textContent = text;
        if (figure !== this.told) {
          this.say(text);
          sound.play(figure > 0 ? "count" : "race");
        }
        this.told = figure;
      }
    } else if (this.count.textContent) {
      this.count.textContent = "";
      this.told = 0;
    }
    const shows = session.view !== null && session.isLiveRace && (session.race.running || session.race.ms > 0);
    this.clock.hidden = !shows;
    if (shows) {
      const ms = Math.max(0, session.raceMs());
      const minutes = Math.floor(ms / 60000);
      const seconds = Math.floor((ms % 60000) / 1000);
      this.clock.textContent = `${minutes}:${String(seconds).padStart(2, "0")}.${Math.floor((ms % 1000) / 100)}`;
    }
  }
}
