// @ts-check
/** Owns what touches and keys on a board mean (MK-57, CN-40, and the keys that two people on one keyboard have each): knows no game. */

/**
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Scene} Scene
 */

/**
 * @typedef {Object} Desk what listening needs of its board
 * @property {() => Scene} scene
 * @property {() => Item|null} current the item that has the focus, or would get it
 * @property {(name: string, really?: boolean) => void} focus
 * @property {() => boolean} live a race is on in which time counts
 * @property {() => boolean} byHand every seed is an act
 * @property {() => string[]} mine
 * @property {(at: number) => void} acts what follows was brought about at this moment of the page's clock
 */

/** Acts by the code of their key. */
const ACT = ["Enter", "NumpadEnter", "Space", "Numpad5"];

/** A touch in a race makes a click too, up to this many ms later. */
const ECHO = 700;

/** When a key was pressed or a screen touched, by the page's clock (ms); now, where the browser does not tell. @param {Event} event @returns {number} */
export function pressed({ timeStamp }) {
  const now = performance.now();
  return timeStamp > now - 1000 && timeStamp <= now ? timeStamp : now;
}

/** @param {KeyboardEvent} event */
function modified(event) {
  return event.ctrlKey || event.altKey || event.metaKey || event.isComposing;
}

/** Shift with a key. With NumLock on, numpad 5 loses its shift on some systems and says so only by its name. @param {KeyboardEvent} event */
function shifted(event) {
  return event.shiftKey || (event.code === "Numpad5" && event.key === "Clear" && event.getModifierState("NumLock"));
}

/**
 * @param {HTMLElement} host
 * @param {SVGElement} svg
 * @param {Record<string, Record<string, string>>} keys seat → code → meaning
 * @param {Desk} desk
 * @returns {() => void} stop listening
 */
export function listen(host, svg, keys, desk) {
  let touched = -Infinity;

  /** @param {MouseEvent} event */
  function touch(event) {
    if (event.button > 0) return;
    desk.acts(pressed(event));
    const matrix = /** @type {SVGGraphicsElement} */ (svg).getScreenCTM()?.inverse();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const item = desk.scene().near(point);
    if (item) desk.focus(item.name);
    // in a race by hand any touch is a drop, wherever it falls; elsewhere only one on something
    if (item || (desk.live() && desk.byHand())) desk.scene().use(item, "tap", event.shiftKey, point);
  }

  /** @param {PointerEvent} event */
  const onPointer = (event) => {
    if (event.pointerType !== "mouse") host.classList.add("b-touch");
    // in a race the moment of touching counts, and two people may touch at once, for which browsers make no clicks
    if (!desk.live()) return;
    touched = performance.now();
    event.preventDefault();
    touch(event);
  };

  /** @param {MouseEvent} event */
  const onClick = (event) => {
    if (event.detail !== 0) {
      if (performance.now() - touched > ECHO) touch(event);
      return;
    }
    // no pointer: a screen reader presses the element itself
    desk.acts(pressed(event));
    const item = desk.scene().items().find(({ node }) => node.contains(/** @type {Node} */ (event.target)));
    if (item) desk.scene().use(item, "tap", false, null);
  };

  /** @param {FocusEvent} event */
  const onFocus = (event) => {
    const item = desk.scene().items().find(({ node }) => node === event.target);
    if (item && item.name !== desk.current()?.name) desk.focus(item.name, false);
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (modified(event)) return;
    desk.acts(pressed(event));
    if (ACT.includes(event.code)) {
      event.preventDefault();
      if (!event.repeat) desk.scene().use(desk.current(), "key", shifted(event), null);
      return;
    }
    const to = desk.scene().move(event.code, desk.current(), shifted(event));
    if (to === undefined) return;
    event.preventDefault();
    if (to) desk.focus(to.name);
  };

  /** The seats' own keys, wherever the focus is. @param {KeyboardEvent} event */
  const onOwnKey = (event) => {
    if (modified(event)) return;
    desk.acts(pressed(event));
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea, select, [contenteditable], dialog[open]")) return;
    for (const [seat, meanings] of Object.entries(keys)) {
      const meaning = meanings[event.code];
      if (!meaning || !desk.mine().includes(seat)) continue;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat && meaning !== "next" && meaning !== "prev") return;
      const to = desk.scene().own(seat, shifted(event) && meaning === "act" ? "slip" : meaning, desk.current());
      if (to) desk.focus(to.name);
      return;
    }
  };

  svg.addEventListener("pointerdown", onPointer);
  svg.addEventListener("click", onClick);
  svg.addEventListener("focusin", onFocus);
  svg.addEventListener("keydown", onKey);
  document.addEventListener("keydown", onOwnKey, true);
  return () => document.removeEventListener("keydown", onOwnKey, true);
}
