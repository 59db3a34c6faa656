// @ts-check
/**
 * Owns what the page shows of its own acts before the server has answered: where a drop puts the next seed of the own hand, and that a chosen
 * hole is lifted. What a landing does is never foretold: behind it everything is unknown until it is told. Pure: no clock, no elements.
 */

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SowingView} SowingView
 * @typedef {import("./types.js").Event} GameEvent
 * @typedef {"S"|"N"} Side
 *
 * An act on its way to the server.
 * @typedef {Object} Act
 * @property {Side} seat
 * @property {string} action a hole, `drop` or `slip`
 * @property {number} at the page's clock (ms) when the key was pressed
 */

const SIDES = /** @type {const} */ (["S", "N"]);

/** @param {string} action @returns {boolean} whether it lets a seed fall */
function falls(action) {
  return action === "drop" || action === "slip";
}

/** Whether single acts of hands can be foretold in a view. @param {View} view @returns {view is SowingView} */
export function foretells(view) {
  if (view.game === "ca-ngua" || view.phase === "over") return false;
  return view.pace === "by_hand" || (view.pace === "steady" && view.phase === "race");
}

export class Ahead {
  constructor() {
    /** acts without an answer, by the number under which they were sent, in order @type {Map<number, Act>} */
    this.acts = new Map();
    /** when each hand stepped last, by the page's clock @type {Record<string, number>} */
    this.stepped = {};
    /** the hole that the lap under way was lifted from, where it is known (MK-16) @type {Record<string, string>} */
    this.origin = {};
    /** each seat's path as the server sends it @type {Record<string, string[]>} */
    this.paths = {};
    /** the last view that was worked out @type {{view: View, made: View}|null} */
    this.made = null;
  }

  /**
   * Everything is told anew. What is on its way may be in it already or not, which nobody can tell here: it is shown when it is told.
   * @param {Record<string, string[]>|undefined} paths
   */
  restart(paths) {
    this.paths = paths ?? {};
    this.origin = {};
    this.made = null;
    this.acts.clear();
  }

  /**
   * Whether an act comes too soon after the last step of its hand: it would be void (MK-24).
   * @param {View} view @param {Side} seat @param {number} at
   */
  tooSoon(view, seat, at) {
    if (view.game === "ca-ngua" || view.phase !== "race" || view.pace !== "by_hand") return false;
    return at - (this.stepped[seat] ?? -Infinity) < view.min_gap;
  }

  /** An act goes out. @param {number} n @param {Act} act */
  add(n, act) {
    this.acts.set(n, act);
    this.stepped[act.seat] = act.at;
    this.made = null;
  }

  /**
   * Something has happened: an act of ours is no longer on its way.
   * @param {import("./types.js").Entry|null} entry @param {boolean} mine whether its seat is ours @param {GameEvent[]} events
   * @returns {boolean} whether it has been shown already
   */
  confirm(entry, mine, events) {
    for (const [seat, kind, place] of events) if (kind === "lift") this.origin[seat] = place;
    this.made = null;
    if (!mine || entry?.kind !== "play" || entry.n === null || entry.n === undefined) return false;
    const act = this.acts.get(entry.n);
    if (!act || act.seat !== entry.seat || act.action !== entry.action) return false;
    this.settle(entry.n);
    return !events.some(([seat, kind]) => seat === act.seat && kind === "void");
  }

  /** An act has been answered, or refused. @param {number} n @returns {boolean} whether it was still on its way */
  settle(n) {
    this.made = null;
    return this.acts.delete(n);
  }

  /** A race begins: hands that have been filled for it have just stepped (AB-20). @param {View} view @param {number} at by the page's clock */
  starts(view, at) {
    for (const seat of SIDES) this.stepped[seat] = view.game !== "ca-ngua" && view.hands[seat] ? at : -Infinity;
  }

  /**
   * The place after a hand's on its path: widows are passed over (MK-43), and the hole a lap was lifted from where the ruleset says so (MK-16).
   * @param {SowingView} view @param {Side} seat @param {string} at @param {string|undefined} origin @returns {string|null} null: not known
   */
  next(view, seat, at, origin) {
    const path = this.paths[seat] ?? [];
    const skips = Boolean(view.options.skip_origin);
    if (!path.length || (skips && origin === undefined)) return null;
    const from = path.indexOf(at);
    for (let step = 1; step <= path.length; step += 1) {
      const place = path[(from + step) % path.length];
      if (!closed(view, place) && !(skips && place === origin)) return place;
    }
    return null;
  }

  /**
   * A view with the acts that are on their way. It is the view itself where there are none.
   * @param {View} view @returns {View}
   */
  of(view) {
    if (!this.acts.size || !foretells(view)) return view;
    if (this.made?.view === view) return this.made.made;
    this.made = { view, made: this.fold(view) };
    return this.made.made;
  }

  /** @param {SowingView} view @returns {SowingView} */
  fold(view) {
    const board = { S: [...view.board.S], N: [...view.board.N], stores: { ...view.board.stores } };
    const hands = { S: view.hands.S && { ...view.hands.S }, N: view.hands.N && { ...view.hands.N } };
    const ahead = { ...view, board, hands, legal: { ...view.legal } };
    const origin = { ...this.origin };
    /** hands whose last seed is on its way: dead, resting or full again @type {Record<string, boolean>} */
    const unknown = {};
    /** @type {Record<string, number>} */
    const last = {};
    for (const { seat, action, at } of this.acts.values()) {
      // of two acts at once the possible one counts (MK-24: the next comes too soon)
      if (unknown[seat] || last[seat] === at) continue;
      const hand = hands[seat];
      if (falls(action)) {
        if (!hand?.seeds || view.pace !== "by_hand") continue;
        const place = action === "slip" ? this.widow(view, seat, hand.at) : this.next(view, seat, hand.at, origin[seat]);
        if (place === null) {
          unknown[seat] = true;
          continue;
        }
        put(board, action === "slip" ? `${seat === "S" ? "N" : "S"}H` : place);
        hand.at = place;
        hand.seeds -= 1;
        unknown[seat] = hand.seeds === 0;
      } else {
        const place = Number(action.slice(1)) - 1;
        const seeds = action[0] === seat ? board[seat][place] : 0;
        if (hand?.seeds || !seeds || !view.legal[seat]?.includes(action)) continue;
        board[seat][place] = 0;
        hands[seat] = { at: action, seeds };
        origin[seat] = action;
      }
      last[seat] = at;
    }
    for (const seat of SIDES) ahead.legal[seat] = this.choices(view, ahead, seat, Boolean(unknown[seat]));
    return ahead;
  }

  /**
   * What a seat may try, with its own acts ahead. Behind a landing that is not told yet a hand may be full again, or have died, or rest: so it may
   * try to drop, and in a race with choices to lift as well; what turns out impossible is void.
   * @param {SowingView} view @param {SowingView} ahead @param {Side} seat @param {boolean} unknown @returns {string[]}
   */
  choices(view, ahead, seat, unknown) {
    const hand = ahead.hands[seat];
    if (unknown) {
      const race = view.phase === "race" && view.game === "mak-khum";
      const holes = race ? ahead.board[seat].flatMap((seeds, i) => (seeds ? [`${seat}${i + 1}`] : [])) : [];
      return ["drop", ...holes];
    }
    if (!hand?.seeds || (hand.at === view.hands[seat]?.at && hand.seeds === view.hands[seat]?.seeds)) return view.legal[seat] ?? [];
    if (view.pace !== "by_hand") return [];
    return view.options.slips && this.widow(view, seat, hand.at) !== null ? ["drop", "slip"] : ["drop"];
  }

  /** The place after a hand's, if it is a widow (MK-44). @param {SowingView} view @param {Side} seat @param {string} at @returns {string|null} */
  widow(view, seat, at) {
    const path = this.paths[seat] ?? [];
    const place = path[(path.indexOf(at) + 1) % path.length];
    return place && closed(view, place) ? place : null;
  }
}

/** @param {SowingView} view @param {string} place */
function closed(view, place) {
  return !place.endsWith("H") && view.board[/** @type {Side} */ (place[0])][Number(place.slice(1)) - 1] === null;
}

/** @param {SowingView["board"]} board @param {string} place */
function put(board, place) {
  const side = /** @type {Side} */ (place[0]);
  if (place.endsWith("H")) board.stores[side] += 1;
  else board[side][Number(place.slice(1)) - 1] = (board[side][Number(place.slice(1)) - 1] ?? 0) + 1;
}
