// @ts-check
/** Owns how a trace of Cờ cá ngựa moves on the board: rolling dice, horses going square by square, kicks. Owns no state of its own. */

import { between, ease } from "./animate.js";
import { el, label } from "./draw.js";

/**
 * @typedef {import("./ca_ngua.js").HorseScene} HorseScene
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Tick} Tick
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").BoardEvent} BoardEvent
 */

/** ms at speed 1 */
const ROLL = 700;
const READ = 350;
const HOP = 110;
const KICK = 450;
/** long enough to be read (CN-41) */
const NO_MOVE = 1300;

/**
 * @param {HorseScene} scene @param {BoardEvent[]} events @param {View} before
 * @param {boolean} calm nothing moves: dice and "no move" only stand long enough to be read
 * @returns {Tick[]}
 */
export function horseTicks(scene, events, before, calm) {
  /** where every horse is, as the trace goes on @type {Record<string, (string|number)[]>} */
  const now = Object.fromEntries(Object.entries(before.horses ?? {}).map(([seat, places]) => [seat, [...places]]));
  /** @type {Tick[]} */
  const ticks = [];
  events.forEach((event, i) => {
    const [who, kind] = event;
    const seat = String(who);
    if (kind === "roll") {
      const dice = roll(scene, event[2], event[3]);
      ticks.push(calm ? { ms: ROLL, frame: dice.done, done: dice.done } : dice, still(READ));
    } else if (kind === "no-move") {
      ticks.push(noMove(scene));
    } else if (!calm && (kind === "enter" || kind === "step")) {
      const from = kind === "enter" ? "stable" : event[2];
      const to = kind === "enter" ? 0 : event[3];
      const which = now[seat]?.indexOf(from) ?? -1;
      if (which < 0) return;
      now[seat][which] = to;
      ticks.push(...ride(scene, seat, which, from, to));
      const next = events[i + 1];
      if (next?.[1] !== "kick") return;
      const other = String(next[2]);
      // whoever stands where the horse has come to; the stall it goes home to is its own
      const target = scene.place(seat, to, 0);
      const kicked = now[other]?.findIndex((at, k) => scene.place(other, at, k) === target) ?? -1;
      if (kicked < 0) return;
      now[other][kicked] = "stable";
      ticks.push(kick(scene, other, kicked, target));
    }
  });
  return ticks;
}

/** @param {number} ms @returns {Tick} */
function still(ms) {
  return { ms, frame: () => {}, done: () => {} };
}

/** @param {HorseScene} scene @param {number} first @param {number} second @returns {Tick} */
function roll(scene, first, second) {
  return {
    ms: ROLL,
    frame: (k) => {
      // faces that fly by mean nothing: any will do
      const face = Math.floor(k * 9);
      const rolling = k < 0.8;
      scene.showDice(rolling ? [((first + face * 5) % 6) + 1, ((second + face * 7) % 6) + 1] : [first, second], (1 - ease(k)) * 1);
    },
    done: () => scene.showDice([first, second]),
  };
}

/** @param {HorseScene} scene @returns {Tick} */
function noMove(scene) {
  const { cell = 24 } = scene.plan;
  const size = Math.max(cell * 0.55, 13);
  const { t } = scene.table;
  const text = t("No move");
  const w = size * (text.length * 0.62 + 1.6);
  return {
    ms: NO_MOVE,
    frame: () => {
      if (scene.air.childElementCount) return;
      scene.air.append(
        el("rect", { x: -w / 2, y: cell * 1.45 - size, width: w, height: size * 2, rx: size, fill: "$plate", stroke: "$ink", "stroke-width": 1.5 }),
        label(text, 0, cell * 1.45, size, { fill: "$ink", class: "b-digits" }),
      );
    },
    done: () => scene.air.replaceChildren(),
  };
}

/** A horse goes its way, hop by hop. @param {HorseScene} scene @param {string} seat @param {number} which @param {string|number} from @param {string|number} to @returns {Tick[]} */
function ride(scene, seat, which, from, to) {
  const { paths, places, cell = 24 } = scene.plan;
  const path = paths[seat].map((name) => places[name]);
  const [a, b] = [path.indexOf(scene.place(seat, from, which)), path.indexOf(scene.place(seat, to, which))];
  const way = a >= 0 && b > a ? path.slice(a, b + 1) : [scene.place(seat, from, which), scene.place(seat, to, which)];
  const node = scene.horses[seat]?.[which];
  if (!node) return [];
  return way.slice(1).map((place, i) => {
    const last = way[i];
    const end = i === way.length - 2;
    return {
      ms: a < 0 ? KICK : HOP,
      frame: (k) => {
        if (k === 0) node.parentNode?.append(node);
        const hop = Math.sin(Math.PI * k) * cell * (a < 0 ? 1 : 0.35);
        node.setAttribute("transform", `translate(${between(last.x, place.x, k)} ${between(last.y, place.y, k) - hop})`);
      },
      done: () => {
        if (end) scene.put(node, seat, to, which);
        else node.setAttribute("transform", `translate(${place.x} ${place.y})`);
      },
    };
  });
}

/** @param {HorseScene} scene @param {string} seat @param {number} which @param {Place} from @returns {Tick} */
function kick(scene, seat, which, from) {
  const node = scene.horses[seat]?.[which];
  const home = scene.place(seat, "stable", which);
  return {
    ms: KICK,
    frame: (k) => {
      const hop = Math.sin(Math.PI * k) * (scene.plan.cell ?? 24) * 2;
      const [x, y] = [between(from.x, home.x, k), between(from.y, home.y, k) - hop];
      node?.setAttribute("transform", `translate(${x} ${y}) rotate(${(seat === "0" || seat === "1" ? 1 : -1) * 360 * k})`);
    },
    done: () => node && scene.put(node, seat, "stable", which),
  };
}
