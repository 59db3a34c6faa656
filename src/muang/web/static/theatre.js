// @ts-check
/**
 * Owns the order in which things that happened are shown: one queue of scenes, played one after the other at the chosen speed.
 * The newest view is never held back by it: whoever acts calls `finish` first, and a hidden page shows the newest at once.
 */

import { read, write } from "./prefs.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Event} GameEvent
 *
 * @typedef {Object} Scene
 * @property {number} number counts the scenes of this page, for the list of moves
 * @property {number} [version] of the match when it was told
 * @property {View} before
 * @property {GameEvent[]} events
 * @property {View} after
 * @property {import("./types.js").Said[]} say
 * @property {import("./types.js").Entry|null} entry
 * @property {boolean} live happens in time and waits for nothing
 * @property {boolean} plain shown at once, without motion
 * @property {import("./types.js").Seat|null} [known] the seat whose act it is, if it has been shown before it was told
 *
 * @typedef {Object} Stage
 * @property {(view: View) => void} show the board as it stands
 * @property {(scene: Scene, speed: number, signal: AbortSignal) => Promise<void>} play resolves when it has been seen, or at once when aborted
 * @property {(scene: Scene) => void} quick a live scene: shown without waiting
 * @property {(paused: boolean) => void} hold stop and go on in mid-motion
 * @property {(times: number) => void} speed go on so many times as fast as normal
 */

/** Speeds by name; the number is how many times as fast as normal. */
export const SPEEDS = /** @type {const} */ ([
  ["slow", 0.5],
  ["normal", 1],
  ["fast", 2],
  ["very-fast", 5],
]);

export class Theatre extends EventTarget {
  /** @param {Stage} stage */
  constructor(stage) {
    super();
    this.stage = stage;
    /** @type {Scene[]} */
    this.queue = [];
    /** @type {View|null} what the board shows, or will when the scene that runs is over */
    this.shown = null;
    /** @type {AbortController|null} */
    this.running = null;
    this.paused = false;
    /** the last scene that has begun @type {Scene|undefined} */
    this.scene = undefined;
    /** the scene that has begun and has not been told yet @type {Scene|null} */
    this.onStage = null;
    /** what has to happen before the next scene begins, such as a card being closed @type {Promise<void>|null} */
    this.gate = null;
    /** @type {(() => void)|null} */
    this.opens = null;
    /** whether the board shows something of the past: what comes meanwhile is told, and seen when somebody comes back */
    this.looking = false;
    const kept = read("muang.speed", "normal");
    this.speed = Math.max(0, SPEEDS.findIndex(([name]) => name === kept));
    document.addEventListener("visibilitychange", () => document.hidden && this.finish());
  }

  get busy() {
    return this.running !== null || this.queue.length > 0;
  }

  /** @param {View} view show it now; whatever was waiting is forgotten */
  reset(view) {
    this.queue = [];
    this.open();
    this.onStage = null;
    const running = this.running;
    this.running = null;
    running?.abort();
    this.looking = false;
    this.tell("now");
    this.shown = view;
    this.stage.show(view);
    this.tell("settled");
  }

  /** @param {Scene} scene */
  push(scene) {
    if (this.looking) {
      this.shown = scene.after;
      this.begin(scene);
      this.end(scene);
      this.tell("settled");
      return;
    }
    if (scene.live || scene.plain || document.hidden) {
      this.finish();
      this.shown = scene.after;
      this.begin(scene);
      if (scene.live) this.stage.quick(scene);
      else this.stage.show(scene.after);
      this.end(scene);
      this.tell("settled");
      return;
    }
    this.queue.push(scene);
    if (!this.running) void this.run();
  }

  async run() {
    while (this.queue.length) {
      const scene = /** @type {Scene} */ (this.queue.shift());
      const stop = new AbortController();
      this.running = stop;
      this.begin(scene);
      await this.stage.play(scene, SPEEDS[this.speed][1], stop.signal);
      if (this.running !== stop) return; // finished, or reset, by somebody else
      this.shown = scene.after;
      this.stage.show(scene.after);
      this.end(scene);
      if (this.gate) await this.gate;
      if (this.running !== stop) return;
      this.running = null;
    }
    this.tell("settled");
  }

  /** Show something again that is over; what comes meanwhile waits for its end. @param {Scene} scene */
  async again(scene) {
    if (this.busy) return;
    const stop = new AbortController();
    this.running = stop;
    this.tell("change");
    this.stage.show(scene.before);
    await this.stage.play(scene, SPEEDS[this.speed][1], stop.signal);
    if (this.running !== stop) return;
    this.running = null;
    if (this.shown) this.stage.show(this.shown);
    if (this.queue.length) await this.run();
    else this.tell("settled");
  }

  /** Look at something of the past, and stay there. @param {View} view */
  look(view) {
    if (!this.looking) this.finish();
    const running = this.running;
    this.running = null;
    running?.abort();
    this.looking = true;
    this.stage.show(view);
    this.tell("change");
  }

  /** Play something of the past while looking at it. @param {Scene} scene */
  async lookOn(scene) {
    const stop = new AbortController();
    this.running = stop;
    this.tell("change");
    await this.stage.play(scene, SPEEDS[this.speed][1], stop.signal);
    if (this.running !== stop) return;
    this.running = null;
    this.tell("change");
  }

  /** Come back from the past. */
  now() {
    if (!this.looking) return;
    this.looking = false;
    const running = this.running;
    this.running = null;
    running?.abort();
    if (this.paused) this.pause(false);
    if (this.shown) this.stage.show(this.shown);
    this.tell("now");
    this.tell("settled");
  }

  /** Begin no further scene until `open` is called. */
  close() {
    this.gate ??= new Promise((resolve) => (this.opens = resolve));
  }

  open() {
    this.opens?.();
    this.gate = this.opens = null;
  }

  /** Show the end of everything at once. */
  finish() {
    this.now();
    this.open();
    if (this.paused) this.pause(false);
    if (!this.busy) return;
    const rest = this.queue;
    this.queue = [];
    const running = this.running;
    this.running = null;
    running?.abort();
    const last = rest.at(-1) || this.scene;
    if (this.onStage) this.end(this.onStage);
    for (const scene of rest) {
      this.begin(scene);
      this.end(scene);
    }
    if (last) {
      this.shown = last.after;
      this.stage.show(last.after);
    }
    this.tell("settled");
  }

  /** Show the end of the scene that runs now. */
  skip() {
    if (this.paused) this.pause(false);
    this.running?.abort();
  }

  /** @param {boolean} [paused] */
  pause(paused = !this.paused) {
    this.paused = paused;
    this.stage.hold(paused);
    this.tell("change");
  }

  /** @param {number} index the place in `SPEEDS` */
  setSpeed(index) {
    this.speed = Math.min(SPEEDS.length - 1, Math.max(0, index));
    write("muang.speed", SPEEDS[this.speed][0]);
    this.stage.speed(SPEEDS[this.speed][1]);
    this.tell("change");
  }

  /** @param {Scene} scene */
  begin(scene) {
    this.scene = this.onStage = scene;
  }

  /** @param {Scene} scene */
  end(scene) {
    this.onStage = null;
    this.dispatchEvent(new CustomEvent("seen", { detail: scene }));
  }

  /** @param {string} what */
  tell(what) {
    this.dispatchEvent(new Event(what));
  }
}
