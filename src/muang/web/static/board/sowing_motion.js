// @ts-check
/** Owns how a sowing trace moves on the board: which steps are one tick, how long each takes, what is seen halfway. Owns no state of its own. */

import { between, ease, hurry, within } from "./animate.js";
import { el, seed } from "./draw.js";
import { copy, fold, otherSeat, parts, steps, swept } from "./fold.js";

/**
 * @typedef {import("./sowing.js").SowingScene} SowingScene
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Tick} Tick
 * @typedef {import("./types.js").BoardEvent} BoardEvent
 * @typedef {[number, number]} Point
 */

/** How long one seed takes at speed 1, in ms; later laps of a walk go faster. */
const DROP = 250;

/** No trace takes longer than this at speed 1, in ms. */
const LONGEST = 24000;

/** Shares of a step's time, by event. @type {Record<string, number>} */
const WEIGHT = { drop: 1, slip: 1.2, lift: 0.7, capture: 1.6, rest: 0.5, die: 0.7, sweep: 3 };

/**
 * The ticks of a trace. Two hands sow side by side: one step of each is one tick.
 * @param {SowingScene} scene @param {BoardEvent[]} events @param {View} before @param {View} after @returns {Tick[]}
 */
export function sowingTicks(scene, events, before, after) {
  const live = before.phase === "race" && before.pace !== "lockstep";
  const base = live ? Math.min(DROP, (before.pace === "steady" ? (before.tempo ?? DROP) : 160) * 0.8) : DROP;
  /** @type {Tick[]} */
  const ticks = [];
  parts(events, before, after).forEach(({ start, events: some }, i) => {
    if (!start) return;
    if (i > 0) ticks.push({ ms: live ? 1 : 500, frame: () => {}, done: () => scene.set(copy(start)) });
    let laps = 0;
    const list = steps(some).filter((step) => step.some(([, kind]) => kind in WEIGHT));
    for (let n = 0; n < list.length; n += 1) {
      const group = [list[n]];
      const other = list[n + 1];
      if (other && other[0][0] !== list[n][0][0] && other[0][1] !== "sweep" && list[n][0][1] !== "sweep") {
        n += 1;
        group.push(other);
      }
      if (group.some((step) => step[step.length - 1][1] === "lift")) laps += 1 / group.length;
      ticks.push(tick(scene, group, base * Math.max(0.4, 0.9 ** Math.max(0, laps - 2))));
    }
  });
  return hurry(ticks, LONGEST);
}

/** @param {SowingScene} scene @param {BoardEvent[][]} group @param {number} base ms of a drop @returns {Tick} */
function tick(scene, group, base) {
  const plans = group.map((step) => {
    let at = 0;
    return step.map((event) => {
      const from = at;
      at += WEIGHT[event[1]] ?? 0;
      return { event, from, to: at };
    });
  });
  const total = Math.max(...plans.map((plan) => plan[plan.length - 1].to));
  const queue = plans.flat().sort((a, b) => a.to - b.to);
  let next = 0;
  /** @param {number} time */
  const settle = (time) => {
    for (; next < queue.length && queue[next].to <= time + 1e-9; next += 1) happen(scene, queue[next].event);
  };
  return {
    ms: base * total,
    frame: (k) => {
      settle(k * total);
      scene.air.replaceChildren();
      for (const plan of plans) {
        const now = plan.find(({ to }) => to > k * total + 1e-9);
        if (now) show(scene, now.event, within(k * total, now.from, now.to));
      }
    },
    done: () => {
      settle(Infinity);
      scene.air.replaceChildren();
    },
  };
}

/** An event has happened: draw what it left. @param {SowingScene} scene @param {BoardEvent} event */
function happen(scene, event) {
  scene.table.seen(event[1]);
  const before = { ...scene.model.counts };
  fold(scene.model, event);
  for (const name of Object.keys(before)) if (before[name] !== scene.model.counts[name]) scene.count(name);
  if (event[0] === "S" || event[0] === "N") scene.palm(event[0]);
}

/** Draw an event in the middle of happening. @param {SowingScene} scene @param {BoardEvent} event @param {number} k */
function show(scene, [seat, kind, place, count], k) {
  const held = scene.model.hands[seat];
  const where = scene.plan.places[place];
  if (kind === "drop" || kind === "slip") {
    if (!held) return;
    const [from, to] = [scene.over(held.at, seat), scene.over(place, seat)];
    const way = ease(within(k, 0, 0.65));
    const turn = ((to[2] - from[2] + 540) % 360) - 180;
    const [x, y] = [between(from[0], to[0], way), between(from[1], to[1], way)];
    scene.palm(seat, [x, y, from[2] + turn * way]);
    const fall = within(k, 0.55, 1);
    if (fall > 0) fly(scene, [x, y], landing(scene, kind === "slip" ? `${otherSeat(seat)}H` : place), fall ** 2, 1);
  } else if (kind === "lift") {
    const to = scene.over(place, seat);
    for (let i = 0; i < Math.min(count, 7); i += 1) fly(scene, landing(scene, place, i), [to[0], to[1]], ease(k), 1 - 0.5 * k);
    if (held) scene.palm(seat, to);
    ring(scene, place, k, seat);
  } else if (kind === "capture") {
    for (let i = 0; i < Math.min(count, 9); i += 1) {
      fly(scene, landing(scene, place, i), landing(scene, `${seat}H`, i), ease(within(k, i * 0.03, 0.75 + i * 0.03)), 1.15);
    }
    ring(scene, place, k, seat);
  } else if (kind === "sweep") {
    swept(scene.model, seat, count).forEach((hole, h) => {
      const seeds = Math.min(scene.model.counts[hole] ?? 0, 5);
      const from = Math.min(0.4, h * 0.04);
      for (let i = 0; i < seeds; i += 1) {
        fly(scene, landing(scene, hole, i), landing(scene, place, (h + i) % 20), ease(within(k, from, from + 0.6)), 1);
      }
    });
  } else if (where && (kind === "rest" || kind === "die")) {
    ring(scene, place, k, seat);
    if (held) scene.palm(seat, undefined, 1 - ease(k));
  }
}

/** Where seed `i` of a place lies, or the next one to come. @param {SowingScene} scene @param {string} name @param {number} [i] @returns {Point} */
export function landing(scene, name, i) {
  const { spots = [], x, y } = scene.plan.places[name];
  const spot = spots[i ?? Math.min(scene.model.counts[name] ?? 0, spots.length - 1)];
  return spot ? [spot[0], spot[1]] : [x, y];
}

/** @param {SowingScene} scene @param {Point} from @param {Point} to @param {number} k @param {number} size */
export function fly(scene, from, to, k, size) {
  const node = seed(scene.plan, scene.ids, 0, 0, 20);
  const [x, y] = [between(from[0], to[0], k), between(from[1], to[1], k)];
  node.setAttribute("transform", `translate(${x} ${y}) rotate(20) scale(${size})`);
  scene.air.append(node);
}

/** A ring that spreads and fades. @param {SowingScene} scene @param {string} place @param {number} k @param {string} seat */
export function ring(scene, place, k, seat) {
  const { x, y, r } = scene.plan.places[place];
  scene.air.append(el("circle", { class: `b-ripple b-by-${seat}`, cx: x, cy: y, r: r * (0.7 + 0.5 * k), fill: "none", opacity: 1 - k }));
}
