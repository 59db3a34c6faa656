// @ts-check
/**
 * Owns the reading of a sowing trace: what each event does to counts and hands, forwards and backwards, and what a move leaves to be marked.
 * Pure: no elements, no time. It repeats what events say and knows no rule.
 */

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").BoardEvent} BoardEvent
 * @typedef {import("./types.js").Hand} Hand
 */

/**
 * What is drawn: seeds by place (null: a widow) and hands by seat.
 * @typedef {{counts: Record<string, number|null>, hands: Record<string, Hand|null>}} Model
 */

/**
 * What the last moves left: where a walk began, where it is or ended, what it took.
 * @typedef {{start: string|null, end: string|null, taken: string[]}} Mark
 */

/** What a view shows. An empty hand is one of which it is not told yet whether it goes on. @param {View} view @returns {Model} */
export function modelOf(view) {
  /** @type {Model} */
  const model = { counts: {}, hands: {} };
  const { board } = view;
  if (!board) return model;
  for (const seat of /** @type {const} */ (["S", "N"])) {
    board[seat].forEach((count, i) => (model.counts[`${seat}${i + 1}`] = count));
    model.counts[`${seat}H`] = board.stores[seat];
    const hand = view.hands?.[seat];
    model.hands[seat] = hand ? { ...hand } : null;
  }
  return model;
}

/** @param {Model} model @returns {Model} */
export function copy(model) {
  const hands = Object.fromEntries(Object.entries(model.hands).map(([seat, hand]) => [seat, hand && { ...hand }]));
  return { counts: { ...model.counts }, hands };
}

/** @param {string} seat */
export function otherSeat(seat) {
  return seat === "S" ? "N" : "S";
}

/**
 * The holes that a sweep empties: the seat's own if they hold just what it gets (MK-31, AB-44), else all (AB-31).
 * @param {Model} model @param {string} seat @param {number} count @returns {string[]}
 */
export function swept(model, seat, count) {
  const holes = Object.keys(model.counts).filter((name) => !name.endsWith("H") && model.counts[name]);
  const own = holes.filter((name) => name[0] === seat);
  const total = own.reduce((sum, name) => sum + (model.counts[name] ?? 0), 0);
  return total === count ? own : holes;
}

/**
 * Let an event happen.
 * @param {Model} model changed in place
 * @param {BoardEvent} event
 */
export function fold(model, event) {
  const [seat, kind, place, count] = event;
  const { counts, hands } = model;
  const hand = hands[seat];
  switch (kind) {
    case "lift":
      counts[place] = 0;
      hands[seat] = { at: place, seeds: count };
      break;
    case "drop":
      counts[place] = (counts[place] ?? 0) + 1;
      if (hand) {
        hand.seeds -= 1;
        hand.at = place;
      }
      break;
    case "slip":
      counts[`${otherSeat(seat)}H`] = (counts[`${otherSeat(seat)}H`] ?? 0) + 1;
      if (hand) {
        hand.seeds -= 1;
        hand.at = place;
      }
      break;
    case "capture":
      counts[place] = (counts[place] ?? 0) - count;
      counts[`${seat}H`] = (counts[`${seat}H`] ?? 0) + count;
      break;
    case "rest":
    case "die":
      hands[seat] = null;
      break;
    case "sweep":
      for (const hole of swept(model, seat, count)) counts[hole] = 0;
      counts[place] = (counts[place] ?? 0) + count;
      break;
    default:
  }
}

/**
 * The model before some events, from the one after them; null where it cannot be told (a sweep does not say from where).
 * @param {Model} after @param {BoardEvent[]} events @returns {Model|null}
 */
export function unfold(after, events) {
  const model = copy(after);
  const { counts, hands } = model;
  for (const [seat, kind, place, count] of [...events].reverse()) {
    const hand = hands[seat];
    switch (kind) {
      case "lift":
        counts[place] = count;
        hands[seat] = null;
        break;
      case "drop":
        counts[place] = (counts[place] ?? 0) - 1;
        hands[seat] = { at: place, seeds: (hand?.seeds ?? 0) + 1 };
        break;
      case "slip":
        counts[`${otherSeat(seat)}H`] = (counts[`${otherSeat(seat)}H`] ?? 0) - 1;
        hands[seat] = { at: place, seeds: (hand?.seeds ?? 0) + 1 };
        break;
      case "capture":
        counts[place] = (counts[place] ?? 0) + count;
        counts[`${seat}H`] = (counts[`${seat}H`] ?? 0) - count;
        break;
      case "sweep":
        return null;
      default:
    }
  }
  return model;
}

/**
 * The parts of a trace that follow from one board: a new round lays it out anew, and a late input in a race makes the steps since be played
 * again. Each with the model it begins from; null where it cannot be told.
 * @param {BoardEvent[]} events @param {View} before @param {View} after
 * @returns {{start: Model|null, events: BoardEvent[]}[]}
 */
export function parts(events, before, after) {
  /** @type {{start: Model|null, events: BoardEvent[]}[]} */
  const list = [{ start: modelOf(before), events: [] }];
  for (const event of events) {
    if (event[1] === "round" || event[1] === "again") list.push({ start: null, events: [] });
    else list[list.length - 1].events.push(event);
  }
  const last = list[list.length - 1];
  if (list.length > 1) last.start = unfold(modelOf(after), last.events);
  return list;
}

/**
 * Single steps of hands (MK-21), with what each brings about: `[[lift], [drop, capture, die], …]`. Events of the table (`"-"`) stand alone.
 * @param {BoardEvent[]} events @returns {BoardEvent[][]}
 */
export function steps(events) {
  /** @type {BoardEvent[][]} */
  const list = [];
  /** @type {Record<string, BoardEvent[]|null>} */
  const open = {};
  for (const event of events) {
    const [seat, kind] = event;
    const step = open[seat];
    const follows = kind === "capture" || kind === "die" || kind === "rest" || kind === "lift";
    if (step && follows && step[step.length - 1][1] !== "lift" && step[step.length - 1][1] !== "rest" && step[step.length - 1][1] !== "die") {
      step.push(event);
    } else {
      open[seat] = [event];
      list.push(open[seat]);
    }
  }
  return list;
}

/** @returns {Mark} */
function noMark() {
  return { start: null, end: null, taken: [] };
}

/**
 * The marks after some events. A chosen lift (the hand was empty) begins new ones: in a race its own seat's, in turns both.
 * @param {Record<string, Mark>} marks by seat @param {BoardEvent[]} events @param {View} before @returns {Record<string, Mark>}
 */
export function markOf(marks, events, before) {
  let now = { S: marks.S ?? noMark(), N: marks.N ?? noMark() };
  /** @type {Record<string, boolean>} */
  const holding = { S: Boolean(before.hands?.S?.seeds), N: Boolean(before.hands?.N?.seeds) };
  let race = before.phase === "race";
  for (const [seat, kind, place] of events) {
    if (kind === "race" || kind === "open") race = kind === "race";
    if (kind === "round") now = { S: noMark(), N: noMark() };
    if (seat !== "S" && seat !== "N") continue;
    const own = { ...now[/** @type {"S"|"N"} */ (seat)] };
    if (kind === "lift" && !holding[seat]) {
      if (!race) now = { S: noMark(), N: noMark() };
      own.start = place;
      own.end = place;
      own.taken = [];
    }
    if (kind === "lift" || kind === "drop") own.end = place;
    if (kind === "slip") own.end = place;
    if (kind === "capture" && place[0] !== seat) own.taken = [...own.taken, place];
    if (kind === "lift") holding[seat] = true;
    if (kind === "rest" || kind === "die") holding[seat] = false;
    now = { ...now, [seat]: own };
  }
  return now;
}

/** Whether a trace begins a move of its own. @param {BoardEvent[]} events @param {View} before */
export function startsMove(events, before) {
  const first = events.find(([seat]) => seat !== "-");
  if (!first) return false;
  if (before.game === "ca-ngua") return true;
  return first[1] === "lift" && !before.hands?.S?.seeds && !before.hands?.N?.seeds;
}
