// @ts-check
/**
 * Owns how single things are drawn in the page: the fixed scene, seeds, plates, hands, horses, dice, names. Where they stand comes from a
 * layout; colours are the names of `board.css` (`--b-wood` for `"$wood"`). Owns no state.
 */

/** @typedef {import("./types.js").Plan} Plan */

const NS = "http://www.w3.org/2000/svg";

/**
 * Make an SVG element. Values of undefined and null are left out, `"$name"` becomes a colour of the sheet.
 * @param {string} tag
 * @param {Record<string, string|number|null|undefined>} [attributes]
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function el(tag, attributes = {}, ...children) {
  const node = /** @type {SVGElement} */ (document.createElementNS(NS, tag));
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) node.setAttribute(name, paint(value));
  }
  node.append(...children);
  return node;
}

/** @param {string|number} value */
function paint(value) {
  return typeof value === "string" && value.startsWith("$") ? `var(--b-${value.slice(1)})` : String(value);
}

/** The outline of a star with five points. @param {number} x @param {number} y @param {number} r @returns {string} */
export function star(x, y, r) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const reach = i % 2 ? r * 0.45 : r;
    return `${(x + reach * Math.sin((i * Math.PI) / 5)).toFixed(1)} ${(y - reach * Math.cos((i * Math.PI) / 5)).toFixed(1)}`;
  });
  return `M ${points.join(" L ")} Z`;
}

let boards = 0;

/** @returns {string} a start for the ids of one board, so that several can stand on one page */
export function freshIds() {
  boards += 1;
  return `b${boards}-`;
}

/**
 * The scene that never changes.
 * @param {Plan} plan
 * @param {string} ids
 * @returns {SVGElement[]}
 */
export function scenery(plan, ids) {
  const defs = el("defs");
  for (const item of plan.defs) {
    if (item.kind === "clip") {
      defs.append(el("clipPath", { id: ids + item.id }, el("path", { d: item.d })));
      continue;
    }
    const { id, kind, stops, ...ends } = item;
    const gradient = el(`${kind}Gradient`, { id: ids + id, ...ends });
    for (const [offset, colour] of stops) gradient.append(el("stop", { offset, "stop-color": `$${colour}` }));
    defs.append(gradient);
  }
  const art = el("g", { class: "b-art", "aria-hidden": "true" });
  for (const shape of plan.art) {
    const { el: tag, text, class: kind, ...attributes } = shape;
    for (const name of Object.keys(attributes)) {
      if (typeof attributes[name] === "string") attributes[name] = attributes[name].replace("url(#", `url(#${ids}`);
    }
    art.append(el(tag, { class: `b-${kind}`, ...attributes }, ...(text === undefined ? [] : [text])));
  }
  return [defs, art];
}

/** @param {string} text @param {number} x @param {number} y @param {number} size @param {Record<string, string|number>} [more] @returns {SVGElement} */
export function label(text, x, y, size, more = {}) {
  return el("text", { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle", "aria-hidden": "true", ...more }, text);
}

export const HEAP_FROM = 20;

/** How many seeds are drawn for a count: single ones and ones on top of a heap, as `muang.records.layout.drawn_seeds`. @param {number} count */
export function drawnSeeds(count) {
  return count <= HEAP_FROM ? [count, 0] : [HEAP_FROM, Math.min(18, Math.ceil((count - HEAP_FROM) / 4))];
}

/** @param {Plan} plan @param {string} ids @param {number} x @param {number} y @param {number} turn @returns {SVGElement} */
export function seed(plan, ids, x, y, turn) {
  const { r, kind } = /** @type {{r: number, kind: string}} */ (plan.seed);
  return el("ellipse", {
    class: "b-seed",
    cx: x,
    cy: y,
    rx: r,
    ry: r * 0.86,
    transform: `rotate(${turn} ${x} ${y})`,
    fill: `url(#${ids}seed)`,
    stroke: `$${kind}-edge`,
    "stroke-width": r * 0.1,
  });
}

/** The outline of the plate under the digits: round ends for South, pointed for North. @param {string} owner @param {{x: number, y: number, w: number, h: number}} plate */
export function plateShape(owner, { x, y, w, h }) {
  const a = w / 2;
  const b = h / 2;
  if (owner === "S") {
    return `M ${x - a + b} ${y - b} H ${x + a - b} A ${b} ${b} 0 0 1 ${x + a - b} ${y + b} H ${x - a + b} A ${b} ${b} 0 0 1 ${x - a + b} ${y - b} Z`;
  }
  const c = b * 0.55;
  const e = b * 0.35;
  return `M ${x - a + c} ${y - b} H ${x + a - c} L ${x + a + e} ${y} L ${x + a - c} ${y + b} H ${x - a + c} L ${x - a - e} ${y} Z`;
}

/** A widow: a lid with a cross. @param {string} ids @param {number} x @param {number} y @param {number} r @returns {SVGElement} */
export function lid(ids, x, y, r) {
  const a = r * 0.42;
  return el(
    "g",
    { class: "b-lid" },
    el("circle", { cx: x, cy: y, r: r * 0.86, fill: `url(#${ids}wood)`, stroke: "$groove", "stroke-width": r * 0.07 }),
    el("path", {
      d: `M ${x - a} ${y - a} L ${x + a} ${y + a} M ${x - a} ${y + a} L ${x + a} ${y - a}`,
      fill: "none",
      stroke: "$groove",
      "stroke-width": r * 0.16,
      "stroke-linecap": "round",
    }),
  );
}

/** A hand with the number of seeds it holds; moved by its transform. @param {Plan} plan @param {string} seat @returns {SVGElement} */
export function hand(plan, seat) {
  const { size } = /** @type {{r: number, size: number}} */ (plan.hand);
  return el(
    "g",
    { class: `b-hand b-hand-${seat}`, "aria-hidden": "true" },
    el("path", { d: plan.shapes.hand, fill: `$seat-${seat}`, stroke: "$plate", "stroke-width": 4, "stroke-linejoin": "round" }),
    label("", 0, 0, size, { fill: "#ffffff", class: "b-digits" }),
  );
}

/**
 * Put a hand somewhere: its fingers turned towards the place it hovers at, the digits upright in its palm.
 * @param {Plan} plan @param {SVGElement} node as `hand` made it @param {[number, number, number]} at x, y, turn in degrees
 * @param {number} seeds @param {number} size 1 as drawn
 */
export function putHand(plan, node, [x, y, turn], seeds, size) {
  const { r, size: digits } = /** @type {{r: number, size: number}} */ (plan.hand);
  const [palm, text] = node.children;
  palm.setAttribute("transform", `rotate(${turn}) scale(${r / 32})`);
  const angle = (turn * Math.PI) / 180;
  text.setAttribute("x", String(0.44 * r * Math.sin(angle)));
  text.setAttribute("y", String(-0.44 * r * Math.cos(angle) + digits * 0.36));
  const digit = seeds ? String(seeds) : "";
  if (text.textContent !== digit) text.textContent = digit;
  node.setAttribute("transform", `translate(${x} ${y}) scale(${size})`);
}

/** A seat's sign, `size` high. @param {Plan} plan @param {string} seat @param {number} x @param {number} y @param {number} size @param {string} fill @returns {SVGElement} */
export function sign(plan, seat, x, y, size, fill) {
  return el("path", {
    class: "b-sign",
    d: plan.shapes[`sign-${seat}`],
    transform: `translate(${x} ${y}) scale(${size / 20})`,
    fill,
    stroke: "$ink",
    "stroke-width": 1.6,
    "stroke-linejoin": "round",
  });
}

/**
 * A seat's sign and name with its turn mark, which `.on-turn` shows.
 * @param {Plan} plan @param {string} seat @param {string} text @returns {SVGElement}
 */
export function seatName(plan, seat, text) {
  const { name, sign: at, edge } = plan.seats[seat];
  const group = el("g", { class: `b-name b-name-${seat}`, "aria-hidden": "true" });
  if (edge) group.append(el("path", { class: "b-edge", d: edge, fill: "none", stroke: "$light", "stroke-width": (plan.hand?.r ?? 20) * 0.3 }));
  group.append(
    el("circle", { class: "b-turn", cx: at.x, cy: at.y, r: at.size * 0.86, fill: "$light", stroke: "$ink", "stroke-width": at.size * 0.06 }),
    sign(plan, seat, at.x, at.y, at.size * 0.86, `$seat-${seat}`),
    el("text", { x: name.x, y: name.y, "font-size": name.size, "text-anchor": name.anchor, fill: "$text" }, text),
  );
  return group;
}

/** Make a name as long as it has room, now that it can be measured: smaller at first, then cut. @param {Plan} plan @param {string} seat @param {SVGElement} group */
export function fitName(plan, seat, group) {
  const text = /** @type {SVGTextElement|null} */ (group.querySelector("text"));
  const { size, room } = plan.seats[seat].name;
  if (!text) return;
  const whole = group.dataset.whole ?? text.textContent ?? "";
  group.dataset.whole = whole;
  text.textContent = whole;
  text.setAttribute("font-size", String(size));
  const long = text.getComputedTextLength();
  if (!long || long <= room) return;
  text.setAttribute("font-size", String(size * Math.max(0.72, room / long)));
  for (let n = [...whole].length - 1; n > 1 && text.getComputedTextLength() > room; n -= 1) text.textContent = `${[...whole].slice(0, n).join("").trim()}…`;
}

/** A horse, drawn round its own middle, `size` high. @param {Plan} plan @param {string} seat @param {number} size @returns {SVGElement} */
export function horse(plan, seat, size) {
  const { shapes } = plan;
  const line = { stroke: "$ink", "stroke-linejoin": "round", "stroke-linecap": "round", transform: `scale(${size / 104})` };
  const fill = `$seat-${seat}`;
  return el(
    "g",
    { class: `b-horse b-horse-${seat}`, "aria-hidden": "true" },
    el("path", { d: `${shapes.horse} ${shapes.foot}`, ...line, fill: "$plate", stroke: "$plate", "stroke-width": 15 }),
    el("path", { d: shapes.horse, ...line, fill, "stroke-width": 5 }),
    el("path", { d: shapes.foot, ...line, fill, "stroke-width": 5 }),
    el("path", { d: shapes.mane, ...line, fill: "none", "stroke-width": 4 }),
    el("path", { d: shapes.face, ...line, fill: "none", "stroke-width": 4 }),
    el("circle", { cx: -17, cy: -14, r: 4.6, transform: line.transform, fill: "$ink" }),
    el("path", {
      d: shapes[`sign-${seat}`],
      transform: `translate(${size * 0.07} ${size * 0.2}) scale(${size / 56})`,
      fill: "$plate",
      stroke: "$ink",
      "stroke-width": 2,
    }),
  );
}

/** @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** A die round its own middle. @param {number} value @param {number} size @returns {SVGElement} */
export function die(value, size) {
  const half = size / 2;
  const box = { x: -half, width: size, height: size, rx: size * 0.2 };
  const group = el(
    "g",
    { class: "b-die", "aria-hidden": "true" },
    el("rect", { ...box, y: -half + size * 0.06, fill: "$shadow" }),
    el("rect", { ...box, y: -half, fill: "$die", stroke: "$ink", "stroke-width": size * 0.035 }),
  );
  for (const [dx, dy] of PIPS[value] ?? []) {
    group.append(el("circle", { cx: dx * size * 0.27, cy: dy * size * 0.27, r: size * (value === 1 ? 0.128 : 0.095), fill: value === 1 ? "$pip-one" : "$pip" }));
  }
  return group;
}

/** A seat's path with arrows. @param {Plan} plan @param {string} seat @returns {SVGElement} */
export function route(plan, seat) {
  const { d, arrows } = plan.routes[seat];
  const width = plan.cell ? plan.cell * 0.1 : (plan.hand?.r ?? 20) * 0.16;
  const group = el("g", { class: `b-route b-route-${seat}`, "aria-hidden": "true", transform: plan.flipped ? "rotate(180)" : undefined });
  for (const [colour, times] of /** @type {[string, number][]} */ ([["$plate", 1.9], [`$seat-${seat}`, 1]])) {
    group.append(el("path", { d, fill: "none", stroke: colour, "stroke-width": width * times, "stroke-linejoin": "round", "stroke-linecap": "round" }));
  }
  for (const [x, y, turn] of arrows) {
    group.append(
      el("path", {
        d: "M 3.4 0 L -2 -3 L -2 3 Z",
        transform: `translate(${x} ${y}) rotate(${turn}) scale(${width})`,
        fill: `$seat-${seat}`,
        stroke: "$plate",
        "stroke-width": 0.7,
        "stroke-linejoin": "round",
      }),
    );
  }
  return group;
}
