// @ts-check
/**
 * Owns time on the board: plays ticks one after the other at a speed, can be paused, sped up, and brought to its end at once. Knows no game.
 * What it plays is only a view: every tick's `done` runs exactly once, in order, whether it was seen or not.
 */

/** @typedef {import("./types.js").Tick} Tick */

export class Timeline {
  constructor() {
    this.speed = 1;
    this.paused = false;
    /** @type {Tick[]} */
    this.ticks = [];
    /** time spent in the first tick, in ms at speed 1 */
    this.spent = 0;
    this.last = 0;
    this.request = 0;
    /** @type {(() => void)|null} */
    this.resolve = null;
    this.loop = this.loop.bind(this);
  }

  get running() {
    return this.resolve !== null;
  }

  /** Play the ticks; what was running is brought to its end first. @param {Tick[]} ticks @returns {Promise<void>} resolves when it has ended */
  play(ticks) {
    this.flush();
    if (!ticks.length) return Promise.resolve();
    this.ticks = ticks;
    this.spent = 0;
    return new Promise((resolve) => {
      this.resolve = resolve;
      if (!Number.isFinite(this.speed)) {
        this.flush();
        return;
      }
      this.ticks[0].frame(0);
      this.wake();
    });
  }

  wake() {
    if (this.paused || !this.running || this.request) return;
    this.last = performance.now();
    this.request = requestAnimationFrame(this.loop);
  }

  /** @param {number} now */
  loop(now) {
    this.request = 0;
    if (this.paused || !this.running) return;
    // after a long gap (a busy machine) go on from here instead of leaping
    this.spent += Math.min(100, Math.max(0, now - this.last)) * this.speed;
    this.last = now;
    while (this.ticks.length && this.spent >= this.ticks[0].ms) {
      this.spent -= this.ticks[0].ms;
      this.ticks[0].done();
      this.ticks.shift();
    }
    if (!this.ticks.length) {
      this.end();
      return;
    }
    this.ticks[0].frame(this.spent / this.ticks[0].ms);
    this.request = requestAnimationFrame(this.loop);
  }

  /** Bring everything to its end now. */
  flush() {
    if (!this.running) return;
    const rest = this.ticks;
    this.ticks = [];
    for (const tick of rest) tick.done();
    this.end();
  }

  end() {
    cancelAnimationFrame(this.request);
    this.request = 0;
    const { resolve } = this;
    this.resolve = null;
    resolve?.();
  }

  pause() {
    this.paused = true;
  }

  resume() {
    this.paused = false;
    this.wake();
  }

  /** @param {number} speed how many times as fast as normal; `Infinity` ends what is running */
  setSpeed(speed) {
    this.speed = speed > 0 ? speed : 1;
    if (!Number.isFinite(this.speed)) this.flush();
  }
}

/** Ease out. @param {number} k @returns {number} */
export function ease(k) {
  return 1 - (1 - k) ** 3;
}

/** A part of a tick as its own 0…1. @param {number} k @param {number} from @param {number} to @returns {number} */
export function within(k, from, to) {
  return k <= from ? 0 : k >= to ? 1 : (k - from) / (to - from);
}

/** @param {number} a @param {number} b @param {number} k @returns {number} */
export function between(a, b, k) {
  return a + (b - a) * k;
}

/**
 * Keep a long walk from lasting for ever: the whole trace takes at most `most` ms at speed 1.
 * @param {Tick[]} ticks @param {number} most @returns {Tick[]}
 */
export function hurry(ticks, most) {
  const total = ticks.reduce((sum, tick) => sum + tick.ms, 0);
  if (total <= most) return ticks;
  return ticks.map((tick) => ({ ...tick, ms: (tick.ms * most) / total }));
}
