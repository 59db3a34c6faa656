// @ts-check
/** Owns the making of elements. No element is made from text that could be markup: children are nodes or plain text. */

/**
 * @typedef {Node|string|number|null|undefined|false} Child
 * @typedef {Record<string, any>} Props `class`, `on` (event → listener), `data`, `hidden`, … ; anything else becomes an attribute
 */

/**
 * Make an element: `h("button", {type: "button", on: {click}}, "Play")`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  dress(node, props);
  append(node, children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...(Child|Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, props = {}, ...children) {
  const node = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  dress(node, props);
  append(node, children);
  return node;
}

/** @param {Element} node @param {Props} props */
function dress(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, /** @type {EventListener} */ (listener));
    } else if (name === "data") {
      for (const [key, item] of Object.entries(value)) /** @type {HTMLElement} */ (node).dataset[key] = String(item);
    } else if (name === "value" && "value" in node) {
      /** @type {any} */ (node).value = value;
    } else if (name === "checked" && "checked" in node) {
      /** @type {any} */ (node).checked = Boolean(value);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/** @param {Element} node @param {(Child|Child[])[]} children */
export function append(node, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    node.append(typeof child === "number" ? String(child) : child);
  }
}

/** Put new children in place of the old ones. @param {Element} node @param {...(Child|Child[])} children */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/**
 * The element with this id; the pages are ours, so one that is missing is a mistake of ours.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function $(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/** @type {Record<string, string>} paths drawn on a 24 × 24 grid, in strokes */
const ICONS = {
  back: "M15 5l-7 7 7 7",
  before: "M15 5l-7 7 7 7",
  after: "M9 5l7 7-7 7",
  close: "M6 6l12 12M18 6L6 18",
  flag: "M6 21V4M6 5h11l-2.5 3.5L17 12H6",
  flip: "M7 4v14M7 4L4 7M7 4l3 3M17 20V6M17 20l-3-3M17 20l3-3",
  draw: "M5 9h14M5 15h14",
  hint: "M9 18h6M10 21h4M8.5 14.5A6 6 0 1 1 15.5 14.5c-.6.6-.8 1.2-.8 2h-5.4c0-.8-.2-1.4-.8-2z",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9v.6M12 17.6v.1",
  list: "M8 6h12M8 12h12M8 18h12M4 6v.1M4 12v.1M4 18v.1",
  more: "M5 12v.1M12 12v.1M19 12v.1",
  moon: "M19 14.5A7.5 7.5 0 0 1 9.5 5 7.5 7.5 0 1 0 19 14.5z",
  path: "M5 19c0-6 14-4 14-10a4 4 0 0 0-8 0M19 9v.1M5 19l-2-2.5M5 19l2.5-2",
  pause: "M9 5v14M15 5v14",
  play: "M8 5l11 7-11 7z",
  replay: "M5 12a7 7 0 1 0 2.2-5.1M5 4v4h4",
  rules: "M6 4h9a3 3 0 0 1 3 3v13H8.5A2.5 2.5 0 0 1 6 17.5zM6 17.5A2.5 2.5 0 0 1 8.5 15H18",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  say: "M4 5h16v11h-9l-4 4v-4H4z",
  sound: "M4 10v4h3l5 4V6L7 10zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  share: "M12 15V4M12 4L8 8M12 4l4 4M6 12v7h12v-7",
  skip: "M6 5l8 7-8 7zM18 5v14",
  speed: "M4 17a8 8 0 1 1 16 0M12 17l4-6",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
};

/** @param {string} name one of the drawn signs @returns {SVGElement} hidden from screen readers: a button has its own name */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" }, s("path", { d: ICONS[name] || "" }));
}
