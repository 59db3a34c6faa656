// @ts-check
/** Owns the names that screen readers give to holes, horses and moves. Sentences about what happened come from the server. */

/**
 * @typedef {import("./types.js").Table} Table
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").View} View
 */

/**
 * The whole name of a place: "your hole 3, 7 seeds, playable".
 * @param {Table} table @param {Place} place @param {string} name
 * @param {import("./fold.js").Model} model
 * @param {{mine: string[], can: boolean, next: boolean, hint: boolean, marks: Record<string, import("./fold.js").Mark>}} more
 * @returns {string}
 */
export function holeName({ t, seatName }, place, name, model, { mine, can, next, hint, marks }) {
  const owner = String(place.owner);
  const yours = mine.length === 1 && mine[0] === owner;
  const seat = seatName(owner);
  const count = model.counts[name];
  const words = [];
  if (place.kind === "hole") words.push(yours ? t("your hole {number}", { number: name.slice(1) }) : t("{seat}'s hole {number}", { seat, number: name.slice(1) }));
  else if (place.kind === "store") words.push(yours ? t("your store") : t("{seat}'s store", { seat }));
  else words.push(yours ? t("your pile") : t("{seat}'s pile", { seat }));
  words.push(count === null ? t("widow") : seeds(t, count ?? 0));
  for (const [hand, held] of Object.entries(model.hands)) {
    if (held?.at !== name) continue;
    const own = mine.length === 1 && mine[0] === hand;
    words.push(own ? t("your hand is here with {count}", { count: held.seeds }) : t("{seat}'s hand is here with {count}", { seat: seatName(hand), count: held.seeds }));
  }
  if (can) words.push(t("playable"));
  if (hint) words.push(t("the hint"));
  if (next) words.push(t("next on your path"));
  for (const mark of Object.values(marks)) {
    if (mark.start === name) words.push(t("the last move began here"));
    if (mark.end === name && mark.end !== mark.start) words.push(t("the last move ended here"));
    if (mark.taken.includes(name)) words.push(t("captured by the last move"));
  }
  return words.join(", ");
}

/** @param {import("./types.js").Translate} t @param {number} count */
function seeds(t, count) {
  if (count === 0) return t("empty");
  return count === 1 ? t("1 seed") : t("{count} seeds", { count });
}

/** @param {Table} table @param {string|number} at a horse's progress (CN-3) @returns {string} */
export function whereName({ t }, at) {
  if (at === "stable") return t("in the stable");
  if (typeof at === "string") return t("slot {number}", { number: at.replace("slot", "") });
  return t("square {number}", { number: at });
}

/**
 * A move in words: "Red: square 12 to square 19, kicks Blue".
 * @param {Table} table @param {string} seat @param {{action: string, from: string|number, to: string|number, kicks: any}} move
 * @param {boolean} [hint] a hint is about it
 * @returns {string}
 */
export function moveName(table, seat, move, hint = false) {
  const { t, seatName } = table;
  if (hint) return `${moveName(table, seat, move)}, ${t("the hint")}`;
  const own = { seat: seatName(seat) };
  if (move.action === "pass") return t("{seat}: pass", own);
  const way =
    move.from === "stable"
      ? t("{seat}: a horse enters", own)
      : t("{seat}: {from} to {to}", { ...own, from: whereName(table, move.from), to: whereName(table, move.to) });
  return move.kicks === null || move.kicks === undefined ? way : t("{move}, kicks {other}", { move: way, other: seatName(String(move.kicks)) });
}

/** The whole board in a sentence for each seat. @param {Table} table @param {View} view @returns {string} */
export function horsesName(table, view) {
  const { t, seatName } = table;
  const left = (view.left ?? []).map(String);
  const said = Object.entries(view.horses ?? {}).map(([seat, horses]) => {
    if (left.includes(seat)) return t("{seat} has left.", { seat: seatName(seat) });
    return t("{seat}: {places}.", { seat: seatName(seat), places: horses.map((at) => whereName(table, at)).join(", ") });
  });
  if (view.dice) said.push(t("Dice: {first} and {second}.", { first: view.dice[0], second: view.dice[1] }));
  return said.join(" ");
}

/** What a seat is called if nobody sits there by name. @param {import("./types.js").Translate} t @param {string} seat @returns {string} */
export function plainName(t, seat) {
  switch (seat) {
    case "S":
      return t("South");
    case "N":
      return t("North");
    case "0":
      return t("Red");
    case "1":
      return t("Blue");
    case "2":
      return t("Yellow");
    case "3":
      return t("Green");
    default:
      return seat;
  }
}
