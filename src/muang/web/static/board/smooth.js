// @ts-check
/**
 * Owns motion on a board where two hands are at work at once and nothing waits for anything: whatever comes next, each hand glides on from where
 * it is seen now, and only what differs is drawn. So a hand that was shown too far ahead slides back instead of leaping. It is given what to
 * show and knows neither rules nor what was foretold.
 */

import { between, ease, within } from "./animate.js";
import { putHand } from "./draw.js";
import { fly, landing, ring } from "./sowing_motion.js";

/**
 * @typedef {import("./sowing.js").SowingScene} SowingScene
 * @typedef {import("./fold.js").Model} Model
 * @typedef {import("./types.js").BoardEvent} BoardEvent
 * @typedef {[number, number, number]} Spot x, y, turn
 *
 * A hand on its way. `seeds`: what it shows when it is going away.
 * @typedef {{from: Spot, to: Spot, start: number, ms: number, seeds: number|null}} Glide
 *
 * Something seen for a short while.
 * @typedef {{start: number, ms: number, draw: (k: number) => void}} Sight
 */

/** How long a hand takes, in ms: over its next place, and back to where it really is. */
const GLIDE = { own: 90, told: 120, back: 260, gone: 180 };

/** A falling seed is seen to arrive after this share of the hand's way. */
const FALL = 0.6;

export class Smooth {
  /** @param {SowingScene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {Record<string, Glide>} */
    this.glides = {};
    /** @type {Sight[]} */
    this.sights = [];
    /** places whose seeds are drawn when the hand has come there, and when @type {Map<string, number>} */
    this.waiting = new Map();
    this.request = 0;
    this.loop = this.loop.bind(this);
  }

  get running() {
    return this.request !== 0;
  }

  /**
   * Show `model` from now on.
   * @param {Model} model
   * @param {BoardEvent[]} events that led there and have not been shown; they only add motion
   * @param {{own?: boolean, tempo?: number}} [how] `own`: our own act, shown at once; `tempo`: ms that a hand takes from drop to drop by itself
   */
  to(model, events, { own = false, tempo = 0 } = {}) {
    const { scene } = this;
    const now = performance.now();
    const before = scene.model;
    const was = Object.fromEntries(Object.keys(scene.hands).map((seat) => [seat, this.where(seat, now)]));
    this.sight(events, now, tempo); // flights begin at the seeds that are still drawn
    scene.model = model;
    for (const seat of Object.keys(scene.hands)) this.hand(seat, was[seat], before, events, now, own ? GLIDE.own : tempo ? Math.min(220, tempo * 0.75) : GLIDE.told);
    if (own) this.waiting.clear();
    const falling = own ? [] : events.filter(([, kind]) => kind === "drop").map(([seat, , place]) => [place, this.glides[seat]?.ms ?? 0]);
    for (const [place, ms] of falling) this.waiting.set(String(place), now + Number(ms) * FALL);
    for (const name of Object.keys(scene.spots)) if (!this.waiting.has(name)) this.seeds(name);
    if (!this.request) this.loop(now);
  }

  /** Draw the seeds of a place; one or two more drop in. @param {string} name */
  seeds(name) {
    const spot = this.scene.spots[name];
    const had = spot.count;
    this.scene.count(name);
    const more = (spot.count ?? 0) - (had ?? 0);
    if (more > 0 && more < 3) [...spot.seeds.children].slice(-more).forEach((node) => node.classList.add("b-come"));
  }

  /** Where a hand is seen. @param {string} seat @param {number} now @returns {Spot|null} */
  where(seat, now) {
    const glide = this.glides[seat];
    const held = this.scene.model.hands[seat];
    if (glide && (held || glide.seeds !== null)) return at(glide, ease(within(now, glide.start, glide.start + glide.ms)));
    return held ? this.scene.over(held.at, seat) : null;
  }

  /**
   * @param {string} seat @param {Spot|null} from @param {Model} before @param {BoardEvent[]} events @param {number} now @param {number} usual ms
   */
  hand(seat, from, before, events, now, usual) {
    const { scene } = this;
    const held = scene.model.hands[seat];
    const had = before.hands[seat];
    scene.hands[seat].classList.toggle("gone", !held && !had);
    if (!held) {
      if (had && from) this.glides[seat] = { from, to: from, start: now, ms: GLIDE.gone, seeds: had.seeds };
      return;
    }
    const to = scene.over(held.at, seat);
    const moved = had?.at !== held.at;
    const explained = !had || events.some(([who, kind]) => who === seat && (kind === "drop" || kind === "slip" || kind === "lift"));
    if (moved || this.glides[seat]?.seeds != null) {
      this.glides[seat] = { from: from ?? to, to, start: now, ms: from ? (explained ? usual : GLIDE.back) : 0, seeds: null };
    }
    scene.palm(seat, from ?? to);
  }

  /** What is seen beside hands and seeds. @param {BoardEvent[]} events @param {number} now @param {number} tempo */
  sight(events, now, tempo) {
    const { scene } = this;
    for (const [seat, kind, place, count] of events) {
      if (kind === "capture") {
        const from = Array.from({ length: Math.min(count, 9) }, (_, i) => landing(scene, place, i));
        const to = from.map((_, i) => landing(scene, `${seat}H`, i));
        const draw = (/** @type {number} */ k) => {
          from.forEach((spot, i) => fly(scene, spot, to[i], ease(within(k, i * 0.03, 0.75 + i * 0.03)), 1.15));
          ring(scene, place, k, seat);
        };
        this.sights.push({ start: now, ms: Math.min(420, (tempo || 160) * 2.4), draw });
      } else if (kind === "lift") {
        const to = scene.over(place, seat);
        const from = Array.from({ length: Math.min(count, 7) }, (_, i) => landing(scene, place, i));
        const draw = (/** @type {number} */ k) => {
          for (const spot of from) fly(scene, spot, [to[0], to[1]], ease(k), 1 - 0.5 * k);
          ring(scene, place, k, seat);
        };
        this.sights.push({ start: now, ms: 130, draw });
      } else if (kind === "die" || kind === "rest") {
        this.sights.push({ start: now, ms: 200, draw: (k) => ring(scene, place, k, seat) });
      }
    }
  }

  /** @param {number} now */
  loop(now) {
    this.request = 0;
    const { scene } = this;
    for (const [name, due] of this.waiting) {
      if (now < due) continue;
      this.waiting.delete(name);
      this.seeds(name);
    }
    for (const [seat, glide] of Object.entries(this.glides)) {
      const k = within(now, glide.start, glide.start + glide.ms);
      this.draw(seat, glide, k);
      if (k >= 1) delete this.glides[seat];
    }
    scene.air.replaceChildren();
    this.sights = this.sights.filter(({ start, ms }) => now < start + ms);
    for (const { start, ms, draw } of this.sights) draw(within(now, start, start + ms));
    if (this.sights.length || this.waiting.size || Object.keys(this.glides).length) this.request = requestAnimationFrame(this.loop);
  }

  /** @param {string} seat @param {Glide} glide @param {number} k */
  draw(seat, glide, k) {
    const { scene } = this;
    if (glide.seeds === null) {
      scene.palm(seat, at(glide, ease(k)));
      return;
    }
    const node = scene.hands[seat];
    node.classList.toggle("gone", k >= 1);
    if (k < 1) putHand(scene.plan, node, glide.from, glide.seeds, 1 - ease(k));
  }

  /** Bring everything to its end now. */
  flush() {
    if (!this.request) return;
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.sights = [];
    this.glides = {};
    for (const name of this.waiting.keys()) this.scene.count(name);
    this.waiting.clear();
    this.scene.air.replaceChildren();
    for (const seat of Object.keys(this.scene.hands)) this.scene.palm(seat);
  }
}

/** @param {Glide} glide @param {number} k @returns {Spot} */
function at({ from, to }, k) {
  const turn = ((to[2] - from[2] + 540) % 360) - 180;
  return [between(from[0], to[0], k), between(from[1], to[1], k), from[2] + turn * k];
}
