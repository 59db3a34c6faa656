// @ts-check
/** Owns the board of the two sowing games in the page: what it shows, what its holes are called, what acting on one means. No rule. */

import { drawnSeeds, el, hand, label, lid, plateShape, putHand, seatName, seed, star } from "./draw.js";
import { markOf, modelOf } from "./fold.js";
import { sowingTicks } from "./sowing_motion.js";
import { holeName } from "./words.js";

/**
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").BoardEvent} BoardEvent
 * @typedef {import("./fold.js").Model} Model
 * @typedef {import("./fold.js").Mark} Mark
 */

/**
 * The parts of one place that change.
 * @typedef {Object} Spot
 * @property {SVGElement} node
 * @property {SVGElement} seeds
 * @property {SVGElement} digits
 * @property {SVGElement} plate
 * @property {SVGElement} closed
 * @property {SVGElement} marks
 * @property {number|null|undefined} count what is drawn
 * @property {string} marked what is marked
 */

/** How long the answer to a touch is seen, in ms (as in board.css). */
const PULSE_MS = 260;

export class SowingScene {
  /** @param {Plan} plan @param {string} ids @param {import("./types.js").Table} table */
  constructor(plan, ids, table) {
    this.plan = plan;
    this.ids = ids;
    this.table = table;
    this.root = el("g", { class: "b-sowing" });
    /** @type {Record<string, Spot>} */
    this.spots = {};
    /** @type {Model} */
    this.model = { counts: {}, hands: {} };
    /** @type {Record<string, Mark>} */
    this.marks = {};
    /** the newest, with our own acts that are on their way: from it comes what may be done @type {View|null} */
    this.newest = null;
    /** @type {string[]} */
    this.mine = [];
    /** the hole that a hint is about @type {string|null} */
    this.hinted = null;
    /** @type {Record<string, {hole: string, since: number}>} lifts asked for in a live race and not answered yet: the next act is a drop already */
    this.lifting = {};
    const over = el("g", { class: "b-over", "aria-hidden": "true" });
    this.root.append(...["S", "N"].map((seat) => this.name(seat)));
    for (const name of Object.keys(plan.places)) this.root.append(this.build(name));
    this.root.append(over);
    /** @type {Record<string, SVGElement>} */
    this.hands = { S: hand(plan, "S"), N: hand(plan, "N") };
    this.air = el("g");
    over.append(this.air, this.hands.S, this.hands.N);
  }

  /** @param {string} seat */
  name(seat) {
    return seatName(this.plan, seat, this.table.seatName(seat));
  }

  /** @param {string} name @returns {SVGElement} */
  build(name) {
    const { plan } = this;
    const place = plan.places[name];
    const { x, y, r, plate, number } = place;
    if (!plate) throw new Error(`the layout has no plate for ${name}`);
    const reach = Math.max(r, plan.upright ? 22 : r) + (plan.seed?.r ?? 5) * 0.7;
    const spot = {
      node: el("g", { class: `b-place b-${place.kind} b-of-${place.owner}`, role: "button", tabindex: -1, "data-place": name }),
      seeds: el("g", { "aria-hidden": "true" }),
      digits: label("", plate.x, plate.y, plate.size, { class: "b-digits", fill: "$ink" }),
      plate: el("path", { class: "b-plate", d: plateShape(String(place.owner), plate), fill: "$plate", stroke: "$plate-edge", "stroke-width": plate.h * 0.05 }),
      closed: el("g", { "aria-hidden": "true" }),
      marks: el("g", { class: "b-marks", "aria-hidden": "true" }),
      count: undefined,
      marked: "",
    };
    spot.node.append(
      el("circle", { class: "b-hit", cx: x, cy: y, r: reach, fill: "transparent" }),
      el("circle", { class: "b-can", cx: x, cy: y, r: r * 1.03, fill: "none" }),
      spot.closed,
      spot.seeds,
      spot.marks,
      el("path", { class: "b-hint", d: star(x, y, r * 0.5), "aria-hidden": "true" }),
      el("circle", { class: "b-focus", cx: x, cy: y, r: r * 1.14, fill: "none" }),
      spot.plate,
      spot.digits,
    );
    if (number) spot.node.append(label(number.text, number.x, number.y, number.size, { class: "b-number", fill: "$groove" }));
    this.spots[name] = spot;
    return spot.node;
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param {View} view @param {boolean} [marks] not before a motion is over: they would give its end away */
  paint(view, marks = true) {
    this.air.replaceChildren();
    this.set(modelOf(view));
    this.drawMarks(marks);
    this.turns(view);
  }

  /** Light up the names of those who have to act. @param {View} view */
  turns(view) {
    for (const seat of ["S", "N"]) {
      const on = view.turn === seat || (view.phase === "race" && Boolean(view.to_act?.includes(seat)));
      this.root.querySelector(`.b-name-${seat}`)?.classList.toggle("on-turn", on);
    }
  }

  /** Draw another model: a new round. @param {Model} model */
  set(model) {
    this.model = model;
    for (const name of Object.keys(this.spots)) this.count(name);
    for (const seat of ["S", "N"]) this.palm(seat);
  }

  /** Draw the seeds and digits of a place. @param {string} name */
  count(name) {
    const spot = this.spots[name];
    const now = this.model.counts[name] ?? (name in this.model.counts ? null : 0);
    if (spot.count === now) return;
    const { spots = [], heap = [], x, y, r } = this.plan.places[name];
    spot.closed.replaceChildren(...(now === null ? [lid(this.ids, x, y, r)] : []));
    const [single, heaped] = drawnSeeds(now ?? 0);
    const wanted = now === null ? [] : [...spots.slice(0, single), ...(heaped ? [null] : []), ...heap.slice(0, heaped)];
    const kept = [...spot.seeds.children];
    // a heap has its own shadow between the layers, so only plain holes can keep what they have
    const same = spot.count !== null && spot.count !== undefined && spot.count <= 20 && single === wanted.length ? Math.min(kept.length, single) : 0;
    kept.slice(same).forEach((node) => node.remove());
    for (const at of wanted.slice(same)) {
      spot.seeds.append(
        at ? seed(this.plan, this.ids, ...at) : el("circle", { class: "b-heap", cx: x, cy: y, r: r * 0.62, fill: "$shadow" }),
      );
    }
    spot.digits.textContent = now === null ? "" : String(now);
    spot.plate.classList.toggle("gone", now === null);
    spot.count = now;
  }

  /** Draw a hand where it is, or at `at`. @param {string} seat @param {[number, number, number]} [at] @param {number} [size] */
  palm(seat, at, size = 1) {
    const node = this.hands[seat];
    const held = this.model.hands[seat];
    node.classList.toggle("gone", !held);
    if (held) putHand(this.plan, node, at ?? this.over(held.at, seat), held.seeds, size);
  }

  /** Where a seat's hand hovers at a place. @param {string} place @param {string} seat @returns {[number, number, number]} */
  over(place, seat) {
    const { hands, x, y } = this.plan.places[place];
    return hands?.[seat] ?? [x, y, 0];
  }

  /** @param {boolean} [all] else none */
  drawMarks(all = true) {
    for (const [name, spot] of Object.entries(this.spots)) {
      const { x, y, r } = this.plan.places[name];
      const kinds = ["S", "N"].flatMap((seat) => {
        const mark = this.marks[seat];
        return mark && all ? [mark.start === name ? `start ${seat}` : "", mark.end === name ? `end ${seat}` : "", mark.taken.includes(name) ? `taken ${seat}` : ""] : [];
      });
      const wanted = kinds.filter(Boolean).join();
      if (spot.marked === wanted) continue;
      spot.marked = wanted;
      spot.marks.replaceChildren(
        ...kinds.filter(Boolean).map((kind) => {
          const [what, seat] = kind.split(" ");
          const base = { class: `b-mark b-mark-${what} b-by-${seat}`, fill: "none" };
          if (what === "start") return el("circle", { ...base, cx: x, cy: y, r: r * 0.9, "stroke-dasharray": `${r * 0.32} ${r * 0.245}` });
          if (what === "end") return el("circle", { ...base, cx: x, cy: y, r: r * 0.9 });
          const a = r * 0.62;
          const b = r * 0.95;
          const d = [0, 1, 2, 3].map((i) => {
            const [dx, dy] = [Math.cos(Math.PI / 4 + (i * Math.PI) / 2), Math.sin(Math.PI / 4 + (i * Math.PI) / 2)];
            return `M ${x + dx * a} ${y + dy * a} L ${x + dx * b} ${y + dy * b}`;
          });
          return el("path", { ...base, d: d.join(" ") });
        }),
      );
    }
  }

  /** @param {BoardEvent[]} events @param {View} before */
  mark(events, before) {
    this.marks = markOf(this.marks, events, before);
  }

  clear() {
    this.marks = {};
    this.drawMarks();
  }

  /** @param {boolean} on */
  flash(on) {
    this.root.classList.toggle("b-flash", on);
  }

  // ── names and what may be played ───────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Names tell what is sure; what may be done is read from `ahead`, where our own acts have happened already.
   * @param {View} view @param {string[]} mine @param {View} [ahead]
   */
  label(view, mine, ahead = view) {
    this.newest = ahead;
    this.mine = mine;
    for (const [seat, { hole, since }] of Object.entries(this.lifting)) {
      // answered, or lost
      if (ahead.hands?.[seat] || !ahead.legal?.[seat]?.includes(hole) || performance.now() - since > 1500) delete this.lifting[seat];
    }
    const model = modelOf(view);
    const nexts = new Set(mine.filter((seat) => this.walks(seat)).map((seat) => this.next(seat)));
    const sure = new Set(mine.filter((seat) => view.legal?.[seat]?.includes("drop")).map((seat) => this.next(seat, view)));
    for (const [name, spot] of Object.entries(this.spots)) {
      const can = mine.some((seat) => ahead.legal?.[seat]?.includes(name));
      const next = nexts.has(name);
      spot.node.classList.toggle("can", can);
      spot.node.classList.toggle("next", next);
      const hint = can && name === this.hinted;
      spot.node.classList.toggle("hinted", hint);
      spot.node.setAttribute("aria-disabled", String(!can && !next));
      const told = { mine, can: ahead === view ? can : mine.some((seat) => view.legal?.[seat]?.includes(name)), next: ahead === view ? next : sure.has(name), hint, marks: this.marks };
      const words = holeName(this.table, this.plan.places[name], name, model, told);
      if (spot.node.getAttribute("aria-label") !== words) spot.node.setAttribute("aria-label", words);
    }
  }

  /** Whether a seat of ours drops with its next act. @param {string} seat */
  walks(seat) {
    return Boolean((this.lifting[seat] && this.newest?.pace === "by_hand") || this.newest?.legal?.[seat]?.includes("drop"));
  }

  /** The place after a hand's on its path, or null. @param {string} seat @param {View|null} [view] @returns {string|null} */
  next(seat, view = this.newest) {
    const held = view?.hands?.[seat];
    const path = this.plan.paths[seat];
    return held?.seeds ? path[(path.indexOf(held.at) + 1) % path.length] : null;
  }

  /** @returns {Item[]} */
  items() {
    return Object.entries(this.spots).map(([name, { node }]) => ({ name, node, x: this.plan.places[name].x, y: this.plan.places[name].y }));
  }

  /** @param {string|null} _name */
  chosen(_name) {}

  /** @param {{x: number, y: number}} point @returns {Item|null} the place under a finger, or the nearest within its reach */
  near(point) {
    const by = this.items().map((item) => ({ item, away: Math.hypot(item.x - point.x, item.y - point.y) - this.plan.places[item.name].r }));
    by.sort((a, b) => a.away - b.away);
    return by[0].away < (this.plan.upright ? 10 : 16) ? by[0].item : null;
  }

  // ── acting ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Act on a place: play it, or drop or slip where a hand of ours walks by hand (MK-57).
   * @param {Item|null} item @param {"key"|"tap"} from @param {boolean} slip @param {{x: number, y: number}|null} point
   */
  use(item, from, slip, point) {
    const name = item?.name ?? "";
    const owner = this.mine.find((seat) => this.newest?.legal?.[seat]?.includes(name));
    const walking = this.mine.filter((seat) => this.walks(seat));
    if (owner && !slip && walking.includes(owner) && !this.lifting[owner]) {
      // nobody knows yet whether the hand is full again: if it is, this is a drop (MK-24: of two acts at once the possible one counts)
      this.play(owner, name, "drop");
      return;
    }
    if (owner && !slip && !(from === "key" && walking.includes(owner))) {
      this.play(owner, name);
      return;
    }
    if (!walking.length) {
      this.table.refuse(item);
      return;
    }
    const at = point ?? item;
    const seat = walking.length > 1 && at ? this.side(at) : walking[0];
    const widow = from === "tap" && this.next(seat) === name && this.newest?.legal?.[seat]?.includes("slip");
    this.play(seat, slip || widow ? "slip" : "drop");
  }

  /** Whose half of the board a point is in. @param {{x: number, y: number}} point */
  side(point) {
    const along = this.plan.upright && this.plan.game === "mak-khum" ? point.x : point.y;
    return along >= 0 !== Boolean(this.plan.flipped) ? "S" : "N";
  }

  /** @param {string} seat @param {string} action @param {string} [otherwise] what it means if that is not possible */
  play(seat, action, otherwise) {
    if (action === "drop" || action === "slip") this.pulse(this.next(seat));
    else if (!otherwise && this.newest?.phase === "race" && this.newest.pace !== "lockstep") {
      if (performance.now() - (this.lifting[seat]?.since ?? -Infinity) < 1500) return;
      this.lifting[seat] = { hole: action, since: performance.now() };
    }
    this.table.act(seat, action, otherwise);
  }

  /** An answer to a touch, before anything comes back. @param {string|null} name */
  pulse(name) {
    if (!name) return;
    const { node } = this.spots[name];
    node.classList.remove("b-pulse");
    void node.getBoundingClientRect();
    node.classList.add("b-pulse");
    setTimeout(() => node.classList.remove("b-pulse"), PULSE_MS);
  }

  /**
   * What a seat's own key means: `hole:3` · `act` · `slip` · `next` · `prev`.
   * @param {string} seat @param {string} meaning @param {Item|null} now @returns {Item|null}
   */
  own(seat, meaning, now) {
    if (!this.mine.includes(seat)) return null;
    if (meaning.startsWith("hole:")) return this.choose(seat, meaning.slice(5));
    const legal = (this.newest?.legal?.[seat] ?? []).filter((action) => action in this.spots);
    if (meaning === "act" || meaning === "slip") {
      if (this.walks(seat)) this.play(seat, meaning === "slip" ? "slip" : "drop");
      else if (now && legal.includes(now.name) && meaning === "act") this.play(seat, now.name);
      return null;
    }
    if (!legal.length) return null;
    const at = now ? legal.indexOf(now.name) : -1;
    const step = meaning === "prev" ? -1 : 1;
    const name = legal[at < 0 ? (step > 0 ? 0 : legal.length - 1) : (at + step + legal.length) % legal.length];
    return this.items().find((item) => item.name === name) ?? null;
  }

  /** Choose a hole by its number: play it if that is allowed, else only go there. @param {string} seat @param {string} digit @returns {Item|null} */
  choose(seat, digit) {
    const item = this.items().find(({ name }) => name === `${seat}${digit}`) ?? null;
    if (item && this.newest?.legal?.[seat]?.includes(item.name)) this.play(seat, item.name);
    else if (item) this.table.refuse(item);
    return item;
  }

  /** @param {string} key @param {Item|null} now @param {boolean} _shift @returns {Item|null|undefined} */
  move(key, now, _shift) {
    if (/^Digit[1-9]$/.test(key)) {
      const digit = key.slice(5);
      const seats = this.mine.filter((seat) => this.newest?.to_act?.includes(seat));
      const seat = seats.find((one) => one === now?.name[0]) ?? seats[0] ?? this.mine[0];
      return seat && `${seat}${digit}` in this.spots ? this.choose(seat, digit) : null;
    }
    /** @type {Record<string, [number, number]>} */
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[key];
    if (!way) return undefined;
    if (!now) return this.items()[0];
    let best = null;
    let least = Infinity;
    for (const item of this.items()) {
      const [dx, dy] = [item.x - now.x, item.y - now.y];
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      // within 60 degrees of the arrow; what lies straight ahead counts as nearer
      if (along <= 1 || aside > along * 1.75) continue;
      if (along + 2 * aside < least) [best, least] = [item, along + 2 * aside];
    }
    return best;
  }

  /** @param {BoardEvent[]} events @param {View} before @param {View} after @param {boolean} calm @returns {import("./types.js").Tick[]} */
  ticks(events, before, after, calm) {
    return calm ? [] : sowingTicks(this, events, before, after);
  }
}
