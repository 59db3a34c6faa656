// @ts-check
/**
 * Owns the board component: one SVG that shows a match, takes acts by touch and keyboard, and plays what happened as motion. Knows no rule and
 * no server: it is given views and traces, and calls `onAct`.
 *
 * Motion is only a view. `onAct` is called at once whatever moves; legality and names always follow the newest view; a new `show` or `animate`
 * brings what runs to its end; a hidden page, or one that wants less motion, sees the end at once (with a short light on what changed).
 * Where two hands are at work at once, `follow` takes the place of `animate`: what comes next goes on from what is seen.
 */

import { Timeline } from "./animate.js";
import { HorseScene } from "./ca_ngua.js";
import { el, fitName, freshIds, route, scenery } from "./draw.js";
import { modelOf, startsMove } from "./fold.js";
import { listen } from "./input.js";
import { Smooth } from "./smooth.js";
import { SowingScene } from "./sowing.js";
import { turned } from "./turn.js";
import { plainName } from "./words.js";

/**
 * @typedef {import("./types.js").Plan} Plan
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").BoardEvent} BoardEvent
 * @typedef {import("./types.js").Translate} Translate
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Scene} Scene
 * @typedef {import("./types.js").Table} Table
 * @typedef {import("./types.js").Options} Options
 * @typedef {import("./types.js").ShowOptions} ShowOptions
 */

/** The orientation that suits a space, in CSS px. @param {string} game @param {number} width @param {number} height @returns {"wide"|"upright"} */
export function suitable(game, width, height) {
  if (game === "mak-khum") return width < 860 && height > width * 0.8 ? "upright" : "wide";
  return width < 600 ? "upright" : "wide";
}

/**
 * Make a board inside `host`.
 *
 *     const board = createBoard(host, {layout, t, onAct});
 *     board.show(view, {mySeats: ["S"]});
 *     await board.animate(events, viewAfter, {speed: 1});
 *
 * @param {HTMLElement} host
 * @param {Options} options
 */
export function createBoard(host, options) {
  const { t, onAct, keys = {} } = options;
  const motion = matchMedia("(prefers-reduced-motion: reduce)");
  const timeline = new Timeline();
  const ids = freshIds();
  const svg = el("svg", { class: "b-board", role: "application", tabindex: -1 });
  const about = el("desc", { id: `${ids}about` });
  svg.setAttribute("aria-describedby", `${ids}about`);
  host.append(svg);

  /** @type {Plan} */
  let plan;
  /** @type {Scene} */
  let scene;
  /** motion of a race; none for horses @type {Smooth|null} */
  let smooth = null;
  /** @type {View|null} what is drawn, or will be when what runs has ended */
  let shown = null;
  /** the view that is sure under what is drawn @type {View|null} */
  let sure = null;
  /** @type {View|null} */
  let newest = null;
  /** `newest` with our own acts that are on their way @type {View|null} */
  let ahead = null;
  /** when the key or touch that is being seen to was made, by `performance.now()` */
  let pressedAt = 0;
  /** @type {string[]} */
  let mine = [];
  /** @type {string|null} the item that Tab leads to */
  let here = null;
  /** @type {string|null} */
  let path = null;
  /** the place or move that a hint is about @type {string|null} */
  let hinted = null;
  /** the view on which a turn has been taken, so that a second touch is not a second move @type {View|null} */
  let taken = null;
  /** @type {{before: View, events: BoardEvent[], after: View}|null} the last move, for `replay` */
  let last = null;
  let orientation = /** @type {"wide"|"upright"} */ ("wide");
  let flipped = false;
  let lights = 0;

  const table = /** @type {Table} */ ({
    t,
    seatName: (seat) => options.names?.[seat] ?? plainName(t, seat),
    act,
    refuse: (item) => {
      item?.node.classList.add("b-no");
      setTimeout(() => item?.node.classList.remove("b-no"), 400);
      options.onRefuse?.(item?.name ?? null);
    },
    go: (item) => focus(item.name, true),
    describe: (text) => (about.textContent = text),
    seen: (kind) => options.onSeen?.(kind),
  });

  /** @param {string} seat @param {string} action @param {string} [otherwise] */
  function act(seat, action, otherwise) {
    const byHand = action === "drop" || action === "slip";
    if (!live() && !byHand && taken === newest) return;
    taken = newest;
    const target = ahead ?? newest;
    if (shown !== target && target) settle(target);
    else timeline.flush();
    onAct(/^\d$/.test(seat) ? Number(seat) : seat, action, { at: pressedAt || performance.now(), otherwise });
  }

  // ── the drawing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  function build() {
    const { layout } = options;
    plan = "wide" in layout ? layout[orientation] : layout;
    orientation = plan.upright ? "upright" : "wide";
    if (flipped && plan.game !== "ca-ngua") plan = turned(plan);
    svg.setAttribute("viewBox", plan.viewBox.join(" "));
    svg.setAttribute("class", `b-board b-${plan.game} b-is-${orientation}`);
    svg.setAttribute("aria-label", boardName(plan.game));
    const [, , width, height] = plan.viewBox;
    host.style.setProperty("--board-ratio", String(width / height));
    smooth?.flush();
    smooth = null;
    if (plan.game === "ca-ngua") scene = new HorseScene(plan, ids, table);
    else {
      const sowing = new SowingScene(plan, ids, table);
      scene = sowing;
      smooth = new Smooth(sowing);
    }
    svg.replaceChildren(about, ...scenery(plan, ids), el("g", { class: "b-routes" }), scene.root);
    for (const seat of Object.keys(plan.seats)) {
      const name = /** @type {SVGElement|null} */ (svg.querySelector(`.b-name-${seat}`));
      if (name) fitName(plan, seat, name);
    }
    if (path !== null) showPath(path);
    scene.hinted = hinted;
    if (shown) scene.paint(shown);
    if (newest) label(newest, ahead ?? newest);
  }

  /** @param {string} game */
  function boardName(game) {
    if (game === "mak-khum") return t("Mak Khum board");
    return game === "abalalae" ? t("Abalala'e board") : t("Cờ cá ngựa board");
  }

  /** Names, legality and the tab stop, as of the newest view. @param {View} view @param {View} [with_] the same with our own acts on their way */
  function label(view, with_ = view) {
    const had = svg.contains(document.activeElement);
    newest = view;
    ahead = with_;
    scene.label(view, mine, with_);
    const items = scene.items();
    if (!items.some(({ name }) => name === here)) here = null;
    if (here === null && items.length) here = (items.find(({ node }) => node.classList.contains("can")) ?? items[0]).name;
    for (const { name, node } of items) node.setAttribute("tabindex", name === here ? "0" : "-1");
    svg.setAttribute("tabindex", items.length ? "-1" : "0");
    // a list of moves is made anew with every view: whoever was on the board stays on it
    if (had && !items.some(({ node }) => node === document.activeElement)) focus(here, true);
  }

  /** @param {string|null} name @param {boolean} really */
  function focus(name, really) {
    const items = scene.items();
    const item = items.find((one) => one.name === name);
    if (!item) {
      if (really && !items.length) svg.focus({ preventScroll: true });
      return;
    }
    here = item.name;
    for (const one of items) one.node.setAttribute("tabindex", one === item ? "0" : "-1");
    scene.chosen(item.name);
    if (really) item.node.focus({ preventScroll: true });
  }

  /** @returns {Item|null} */
  function current() {
    return scene.items().find(({ name }) => name === here) ?? null;
  }

  /** Bring whatever moves to its end. */
  function still() {
    timeline.flush();
    smooth?.flush();
  }

  /** @param {View} view draw it now */
  function settle(view) {
    still();
    shown = view;
    scene.paint(view);
  }

  function light() {
    clearTimeout(lights);
    scene.flash(false);
    void svg.getBoundingClientRect();
    scene.flash(true);
    lights = setTimeout(() => scene.flash(false), 900);
  }

  function live() {
    return newest?.phase === "race" && newest.pace !== "lockstep";
  }

  const onHidden = () => document.hidden && shown && (timeline.running || smooth?.running) && settle(shown);

  const deaf = listen(host, svg, keys, {
    scene: () => scene,
    current,
    focus: (name, really = true) => focus(name, really),
    live: () => live(),
    acts: (at) => (pressedAt = at),
    byHand: () => newest?.pace === "by_hand",
    mine: () => mine,
  });
  document.addEventListener("visibilitychange", onHidden);

  // ── what the page calls ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param {ShowOptions} given */
  function seats({ mySeats }) {
    if (mySeats) mine = mySeats.map(String);
  }

  /** Draw a view now. What ran is over; the marks of the last move stay if it is the view that they led to. @param {View} view @param {ShowOptions} [given] */
  function show(view, given = {}) {
    seats(given);
    settle(view);
    sure = view;
    if (last && last.after !== view) {
      last = null;
      scene.clear();
    }
    label(given.newest ?? view, given.ahead);
  }

  /** A newer view has come, but is not to be drawn yet: take legality and names from it. @param {View} view @param {ShowOptions} [given] */
  function offer(view, given = {}) {
    seats(given);
    label(view, given.ahead);
  }

  /**
   * Play what happened, from what is shown to `after`. What ran before is brought to its end first.
   * @param {BoardEvent[]} events @param {View} after
   * @param {ShowOptions & {speed?: number, number?: number}} [given] `speed`: times normal, `Infinity` for none
   * @returns {Promise<void>} resolves when it has been seen, or brought to its end
   */
  function animate(events, after, given = {}) {
    seats(given);
    still();
    const before = shown ?? after;
    remember(before, events, after);
    label(given.newest ?? after, given.ahead);
    return run(before, events, after, given.speed ?? timeline.speed);
  }

  /** What has happened, for marks and `replay`. @param {View} before @param {BoardEvent[]} events @param {View} after */
  function remember(before, events, after) {
    // a drop by hand goes on with the last move; a lift with an empty hand begins one
    const begins = !last || last.after !== before || startsMove(events, before);
    last = begins || !last ? { before, events, after } : { before: last.before, events: [...last.events, ...events], after };
    sure = after;
    scene.mark(events, before);
  }

  /**
   * Go on from what is seen to `view`: what a race shows, told by the server or foretold. Nothing is brought to its end for it.
   * @param {View} view as it is sure now @param {BoardEvent[]} events that led there
   * @param {ShowOptions & {known?: Seat|null, own?: boolean}} [given] `ahead`: drawn instead of `view`; `known`: the seat whose first act among the
   *   events has been shown already; `own`: an act of this screen has been added, and nothing is told
   */
  function follow(view, events, given = {}) {
    seats(given);
    timeline.flush();
    const before = sure ?? view;
    const target = given.ahead ?? view;
    if (!given.own) remember(before, events, view);
    shown = target;
    if (!smooth || calm() || document.hidden || events.some(([, kind]) => kind === "round")) {
      smooth?.flush();
      scene.paint(target);
      if (calm() && !given.own) light();
    } else {
      const steady = view.pace === "steady" ? (view.tempo ?? 0) : 0;
      const seen = events.findIndex(([seat, kind]) => seat === given.known && ["drop", "slip", "lift"].includes(kind));
      smooth.to(modelOf(target), events.filter((_, i) => i !== seen), { own: given.own, tempo: steady });
      smooth.scene.drawMarks();
      smooth.scene.turns(target);
    }
    label(view, target);
  }

  /** @param {View} before @param {BoardEvent[]} events @param {View} after @param {number} speed @returns {Promise<void>} */
  function run(before, events, after, speed) {
    shown = sure = after;
    timeline.speed = speed > 0 ? speed : 1;
    const less = calm();
    const ticks = document.hidden || !Number.isFinite(speed) ? [] : scene.ticks(events, before, after, less);
    scene.paint(ticks.length ? before : after, !ticks.length || live());
    if (less) light();
    if (!ticks.length) return Promise.resolve();
    return timeline.play(ticks).then(() => {
      // whatever the trace could not say is right now; unless something newer is shown already
      if (shown === after && !timeline.running) scene.paint(after);
    });
  }

  function calm() {
    return options.reducedMotion ?? motion.matches;
  }

  /** Show the last move again. @returns {Promise<void>} */
  function replay() {
    if (!last) return Promise.resolve();
    still();
    return run(last.before, last.events, last.after, timeline.speed);
  }

  /** Show a seat's path over the board, or none. @param {Seat|null} seat */
  function showPath(seat) {
    path = seat === null ? null : String(seat);
    svg.querySelector(".b-routes")?.replaceChildren(...(path === null || !(path in plan.routes) ? [] : [route(plan, path)]));
  }

  /** Draw the board another way. @param {() => void} change */
  function anew(change) {
    still();
    change();
    const had = svg.contains(document.activeElement);
    build();
    if (had) focus(here, true);
  }

  build();
  return {
    /** the SVG element */
    element: svg,
    show,
    offer,
    animate,
    follow,
    replay,
    showPath,
    /** whether something moves now */
    get busy() {
      return timeline.running || Boolean(smooth?.running);
    },
    pause: () => timeline.pause(),
    resume: () => timeline.resume(),
    /** Bring what runs to its end. */
    skip: () => {
      timeline.resume();
      still();
    },
    /** @param {number} speed times normal */
    setSpeed: (speed) => timeline.setSpeed(speed),
    /** @param {"wide"|"upright"} to */
    setOrientation: (to) => {
      if (to !== orientation && "wide" in options.layout) anew(() => (orientation = to));
    },
    /** Show the board from North's side (sowing games). @param {boolean} to */
    setFlipped: (to) => {
      if (to !== flipped) anew(() => (flipped = to));
    },
    get flipped() {
      return flipped;
    },
    /** Other names, or another language: everything is named anew. @param {Record<string, string>} [names] */
    rename: (names) => {
      if (names) options.names = names;
      timeline.flush();
      build();
    },
    /** @param {boolean|undefined} less */
    setReducedMotion: (less) => {
      options.reducedMotion = less;
      if (less && (timeline.running || smooth?.running) && shown) settle(shown);
    },
    /** Show a place or move as the one chosen, without taking the focus. @param {string} name */
    point: (name) => focus(name, svg.contains(document.activeElement)),
    /** Mark the place or move that a hint is about, or none. @param {string|null} name */
    hint: (name) => {
      hinted = scene.hinted = name;
      if (newest) label(newest, ahead ?? newest);
    },
    /** Move the focus to a place or move. @param {string} [place] the present one if left out */
    focusHole: (place) => focus(place ?? here, true),
    destroy: () => {
      still();
      clearTimeout(lights);
      deaf();
      document.removeEventListener("visibilitychange", onHidden);
      svg.remove();
    },
  };
}
