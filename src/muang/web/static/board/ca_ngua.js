// @ts-check
/** Owns the board of Cờ cá ngựa in the page: horses, dice, the possible moves and the one chosen among them (CN-40). No rule. */

import { horseTicks } from "./ca_ngua_motion.js";
import { die, el, horse, label, seatName, star } from "./draw.js";
import { horsesName, moveName } from "./words.js";

/**
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").BoardEvent} BoardEvent
 * @typedef {{action: string, from: string|number, to: string|number, kicks: any}} Move
 */

export class HorseScene {
  /** @param {Plan} plan @param {string} _ids @param {import("./types.js").Table} table */
  constructor(plan, _ids, table) {
    this.plan = plan;
    this.table = table;
    this.root = el("g", { class: "b-horses" });
    this.marks = el("g", { class: "b-marks", "aria-hidden": "true" });
    this.names = el("g");
    this.herd = el("g");
    this.dice = el("g", { class: "b-dice", "aria-hidden": "true" });
    /** under the horses the way, above them what is picked out */
    this.way = el("g", { class: "b-preview", "aria-hidden": "true" });
    this.preview = el("g", { class: "b-preview", "aria-hidden": "true" });
    this.moves = el("g", { class: "b-moves" });
    this.air = el("g", { class: "b-over", "aria-hidden": "true" });
    for (const [seat, { playing }] of Object.entries(plan.seats)) {
      if (playing) this.names.append(seatName(plan, seat, table.seatName(seat)));
    }
    this.root.append(this.names, this.marks, this.way, this.dice, this.herd, this.preview, this.moves, this.air);
    /** @type {Record<string, [SVGElement, SVGElement]>} */
    this.horses = {};
    /** @type {View|null} */
    this.newest = null;
    /** @type {string|null} the seat of ours that chooses */
    this.seat = null;
    /** @type {Move[]} */
    this.list = [];
    /** the move that is shown @type {string|null} */
    this.now = null;
    /** the move that a hint is about @type {string|null} */
    this.hinted = null;
    /** @type {Item[]} */
    this.things = [];
    /** @type {BoardEvent[]} */
    this.last = [];
  }

  /** The place where a horse stands. @param {string} seat @param {string|number} at @param {number} stall which stall, in the stable */
  place(seat, at, stall) {
    if (at === "stable") return this.plan.places[`stall${seat}-${stall}`];
    if (typeof at === "string") return this.plan.places[`lane${seat}-${at.replace("slot", "")}`];
    const { track = 56, starts = {} } = this.plan;
    return this.plan.places[`sq${(starts[seat] + at) % track}`];
  }

  /** @param {View} view @param {boolean} [marks] */
  paint(view, marks = true) {
    this.air.replaceChildren();
    this.drawMarks(marks);
    for (const seat of Object.keys(this.plan.seats)) {
      this.root.querySelector(`.b-name-${seat}`)?.classList.toggle("on-turn", String(view.turn ?? "") === seat);
    }
    const left = (view.left ?? []).map(String);
    this.herd.replaceChildren();
    this.horses = {};
    for (const [seat, { yard, playing }] of Object.entries(this.plan.seats)) {
      if (yard && (left.includes(seat) || !playing)) {
        const { x, y, w } = yard;
        this.herd.append(el("rect", { class: "b-closed", x, y, width: w, height: w, rx: (this.plan.cell ?? 24) / 2, fill: "$paper", opacity: 0.62 }));
      }
    }
    for (const [seat, places] of Object.entries(view.horses ?? {})) {
      if (left.includes(seat)) continue;
      this.horses[seat] = /** @type {[SVGElement, SVGElement]} */ (
        places.map((at, i) => {
          const node = el("g");
          this.put(node, seat, at, i);
          this.herd.append(node);
          return node;
        })
      );
    }
    this.showDice(view.dice ?? null);
  }

  /** Draw a horse where it stands. @param {SVGElement} node @param {string} seat @param {string|number} at @param {number} stall */
  put(node, seat, at, stall) {
    const place = this.place(seat, at, stall);
    const { size = 24, stalled = 40 } = this.plan.horse ?? {};
    node.replaceChildren(horse(this.plan, seat, at === "stable" ? stalled : size));
    node.setAttribute("transform", `translate(${place.x} ${place.y})`);
  }

  /** @param {[number, number]|null} values @param {number} [turn] how far they still roll, 0…1 */
  showDice(values, turn = 0) {
    const { dice } = this.plan;
    this.dice.replaceChildren();
    if (!values || !dice) return;
    values.forEach((value, i) => {
      const [x, y] = dice.places[i];
      const node = die(value, dice.size);
      const spin = turn * (i ? -200 : 260);
      const lift = Math.sin(Math.PI * turn) * dice.size * 0.5;
      node.setAttribute("transform", `translate(${x} ${y - lift}) rotate(${spin})`);
      this.dice.append(node);
    });
  }

  /** @param {View} view @param {string[]} mine */
  label(view, mine) {
    this.newest = view;
    this.seat = mine.find((seat) => view.to_act?.map(String).includes(seat) && view.legal?.[seat]?.length) ?? null;
    /** @type {Move[]} */
    const list = this.seat === null ? [] : [...(view.moves ?? [])];
    if (this.seat !== null && view.legal?.[this.seat]?.includes("pass")) list.push({ action: "pass", from: "", to: "", kicks: null });
    this.list = list;
    if (!list.some(({ action }) => action === this.now)) this.now = list[0]?.action ?? null;
    this.things = list.map((move) => this.thing(move));
    this.moves.replaceChildren(...this.things.map(({ node }) => node));
    this.table.describe(horsesName(this.table, view));
    this.choose();
  }

  /** A move that can be chosen: a ghost of the horse where it would stand. @param {Move} move @returns {Item} */
  thing(move) {
    const seat = String(this.seat);
    const node = el("g", { class: "b-move", role: "button", tabindex: -1, "aria-label": moveName(this.table, seat, move, move.action === this.hinted), "data-move": move.action });
    if (move.action === this.hinted) node.classList.add("hinted");
    const { cell = 24, upright } = this.plan;
    const { t } = this.table;
    if (move.action === "pass") {
      const w = cell * 3.4;
      const h = Math.max(cell * 1.1, upright ? 26 : 0);
      const y = cell * 1.55;
      node.append(
        el("rect", { class: "b-hit", x: -w / 2, y: y - 22, width: w, height: 44, fill: "transparent" }),
        el("rect", { class: "b-pass", x: -w / 2, y: y - h / 2, width: w, height: h, rx: h / 2, fill: "$plate", stroke: "$ink", "stroke-width": 1.5 }),
        label(t("Pass"), 0, y, h * 0.5, { fill: "$ink" }),
      el("path", { class: "b-hint", d: star(w / 2, y - h / 2, h * 0.5), "aria-hidden": "true" }),
        el("rect", { class: "b-focus", x: -w / 2 - 4, y: y - h / 2 - 4, width: w + 8, height: h + 8, rx: h / 2 + 4, fill: "none" }),
      );
      return { name: move.action, node, x: 0, y };
    }
    const { x, y, r } = this.place(seat, move.to, 0);
    const ghost = horse(this.plan, seat, this.plan.horse?.size ?? cell);
    ghost.classList.add("b-ghost");
    // beside whom it would kick, so that both are seen
    const aside = move.kicks === null || move.kicks === undefined ? 0 : cell * 0.42;
    ghost.setAttribute("transform", `translate(${x - aside} ${y - aside})`);
    node.append(
      el("circle", { class: "b-hit", cx: x, cy: y, r: Math.max(r * 1.1, upright ? 22 : 0), fill: "transparent" }),
      ghost,
      el("rect", { class: aside ? "b-target b-hits" : "b-target", x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: r * 0.34, fill: "none" }),
      el("path", { class: "b-hint", d: star(x + r * 0.7, y - r * 0.7, r * 0.6), "aria-hidden": "true" }),
      el("rect", { class: "b-focus", x: x - r * 1.25, y: y - r * 1.25, width: 2.5 * r, height: 2.5 * r, rx: r * 0.5, fill: "none" }),
    );
    return { name: move.action, node, x, y };
  }

  /** Show the chosen move: which horse, the way it goes, where it would stand, whom it would kick. */
  choose() {
    for (const { name, node } of this.things) node.classList.toggle("now", name === this.now);
    const move = this.list.find(({ action }) => action === this.now);
    this.preview.replaceChildren();
    this.way.replaceChildren();
    if (!move || this.seat === null || move.action === "pass") return;
    const { seat } = this;
    const { cell = 24, paths, places } = this.plan;
    const from = this.standing(seat, move.from);
    const to = this.place(seat, move.to, 0);
    const path = paths[seat].map((name) => places[name]);
    const [a, b] = [path.indexOf(from), path.indexOf(to)];
    const way = a >= 0 && b > a ? path.slice(a, b + 1) : [from, to];
    const d = way.map(({ x, y }, i) => `${i ? "L" : "M"} ${x} ${y}`).join(" ");
    const line = { d, fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" };
    this.way.append(
      el("path", { class: "b-way", ...line, stroke: "$plate", "stroke-width": cell * 0.3 }),
      el("path", { class: "b-way", ...line, stroke: `$seat-${seat}-deep`, "stroke-width": cell * 0.15, "stroke-dasharray": `0.1 ${cell * 0.3}` }),
    );
    this.preview.append(
      el("circle", { class: "b-from", cx: from.x, cy: from.y, r: (from.kind === "stall" ? from.r : cell * 0.56) * 1.02, fill: "none" }),
    );
    if (move.kicks !== null && move.kicks !== undefined) {
      const points = Array.from({ length: 16 }, (_, i) => {
        const reach = cell * (i % 2 ? 0.62 : 0.86);
        return `${to.x + reach * Math.sin((i * Math.PI) / 8)} ${to.y - reach * Math.cos((i * Math.PI) / 8)}`;
      });
      const other = String(move.kicks);
      const which = this.newest?.horses?.[other]?.findIndex((at, i) => this.place(other, at, i) === to) ?? 0;
      const home = this.place(other, "stable", Math.max(0, which));
      this.preview.append(
        el("path", { class: "b-kick", d: `M ${points.join(" L ")} Z`, fill: "none", stroke: "$kick", "stroke-width": cell * 0.08 }),
        el("path", {
          class: "b-kick",
          d: `M ${to.x} ${to.y} L ${home.x} ${home.y}`,
          fill: "none",
          stroke: "$kick",
          "stroke-width": cell * 0.07,
          "stroke-dasharray": `${cell * 0.24} ${cell * 0.16}`,
        }),
      );
    }
  }

  /** Where the horse of a seat with this progress stands now. @param {string} seat @param {string|number} at */
  standing(seat, at) {
    const i = this.newest?.horses?.[seat]?.findIndex((one) => one === at) ?? 0;
    return this.place(seat, at, Math.max(0, i));
  }

  /** @returns {Item[]} */
  items() {
    return this.things;
  }

  /** @param {string|null} name */
  chosen(name) {
    if (name === null || name === this.now) return;
    this.now = name;
    this.choose();
  }

  /** @param {{x: number, y: number}} point @returns {Item|null} the nearest target, or the move that a touched horse would make */
  near(point) {
    const reach = this.plan.upright ? 24 : (this.plan.cell ?? 24) * 0.7;
    /** @param {{x: number, y: number}} at */
    const away = (at) => Math.hypot(at.x - point.x, at.y - point.y);
    /** @type {{item: Item, away: number, horse: boolean}[]} */
    const all = this.things.map((item) => ({ item, away: away(item), horse: false }));
    for (const move of this.list) {
      const item = this.things.find(({ name }) => name === move.action);
      if (!item || move.action === "pass" || this.seat === null) continue;
      const from = this.standing(this.seat, move.from);
      all.push({ item, away: away(from) - (from.kind === "stall" ? from.r : 0), horse: true });
    }
    all.sort((a, b) => a.away - b.away);
    if (!all.length || all[0].away > reach) return null;
    if (!all[0].horse) return all[0].item;
    // a touched horse with several moves: the one after that which is shown
    const own = all.filter((one) => one.horse && one.away === all[0].away).map(({ item }) => item);
    const at = own.findIndex(({ name }) => name === this.now);
    if (own.length === 1) return own[0];
    this.table.go(own[(at + 1) % own.length]);
    return null;
  }

  /** @param {Item|null} item @param {"key"|"tap"} from @param {boolean} _slip @param {{x: number, y: number}|null} _point */
  use(item, from, _slip, _point) {
    const name = item?.name ?? (from === "key" ? this.now : null);
    if (name !== null && this.seat !== null && this.list.some(({ action }) => action === name)) this.table.act(this.seat, name);
    else this.table.refuse(null);
  }

  /** @param {string} seat @param {string} meaning `act` · `next` · `prev` @param {Item|null} now @returns {Item|null} */
  own(seat, meaning, now) {
    if (seat !== this.seat) return null;
    if (meaning === "act") this.use(now, "key", false, null);
    return meaning === "next" || meaning === "prev" ? this.step(now, meaning === "next" ? 1 : -1) : null;
  }

  /** @param {Item|null} now @param {number} by @returns {Item|null} */
  step(now, by) {
    const all = this.things;
    if (!all.length) return null;
    const at = all.findIndex(({ name }) => name === (now?.name ?? this.now));
    return all[(at + by + all.length) % all.length];
  }

  /** Right and down lead to the next move, left and up to the one before, going round (CN-40). @param {string} key @param {Item|null} now @returns {Item|null|undefined} */
  move(key, now) {
    if (key === "ArrowRight" || key === "ArrowDown") return this.step(now, 1);
    if (key === "ArrowLeft" || key === "ArrowUp") return this.step(now, -1);
    return undefined;
  }

  /** @param {BoardEvent[]} events @param {View} _before */
  mark(events, _before) {
    const moved = events.filter(([, kind]) => kind === "step" || kind === "enter");
    if (moved.length) this.last = events;
  }

  clear() {
    this.last = [];
    this.drawMarks();
  }

  /** @param {boolean} [all] else none */
  drawMarks(all = true) {
    this.marks.replaceChildren();
    for (const event of all ? this.last : []) {
      const [seat, kind] = event;
      if (kind !== "step" && kind !== "enter") continue;
      const ends = [kind === "enter" ? null : this.place(String(seat), event[2], 0), this.place(String(seat), kind === "enter" ? 0 : event[3], 0)];
      ends.forEach((place, i) => {
        if (!place) return;
        const r = place.r * 1.14;
        this.marks.append(
          el("rect", { class: `b-mark b-mark-${i ? "end" : "start"}`, x: place.x - r, y: place.y - r, width: 2 * r, height: 2 * r, rx: r * 0.4, fill: "none" }),
        );
      });
    }
  }

  /** @param {boolean} on */
  flash(on) {
    this.root.classList.toggle("b-flash", on);
  }

  /** @param {BoardEvent[]} events @param {View} before @param {View} _after @param {boolean} calm @returns {import("./types.js").Tick[]} */
  ticks(events, before, _after, calm) {
    return horseTicks(this, events, before, calm);
  }
}
