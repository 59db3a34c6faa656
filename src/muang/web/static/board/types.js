// @ts-check
/** Owns the shapes of the data that boards are given: what `muang.records.layout` and `match.view()` send. No code. */

/** @typedef {"S"|"N"|"0"|"1"|"2"|"3"} SeatKey a seat as it is written in objects */
/** @typedef {string|number} Seat `"S"`, `"N"` or 0…3 */
/** @typedef {any[]} BoardEvent one event of a trace, seat first: `["S", "lift", "S3", 7]` */

/**
 * @typedef {Object} Place
 * @property {"hole"|"store"|"pile"|"square"|"start"|"gate"|"slot"|"stall"} kind
 * @property {Seat|null} owner
 * @property {number} x
 * @property {number} y
 * @property {number} r
 * @property {{x: number, y: number, w: number, h: number, size: number}} [plate] where the digits stand
 * @property {any} [number] the engraved name of a hole; the number of a square or slot
 * @property {Record<string, [number, number, number]>} [hands] where each seat's hand hovers at this place: x, y, turn
 * @property {[number, number, number][]} [spots]
 * @property {[number, number, number][]} [heap]
 */

/**
 * @typedef {Object} SeatPlan
 * @property {{x: number, y: number, anchor: string, size: number, room: number}} name `room`: how long it may be
 * @property {{x: number, y: number, size: number}} sign
 * @property {string} [edge] the side of the board that lights up on turn
 * @property {{x: number, y: number, w: number}} [yard]
 * @property {boolean} [playing]
 */

/**
 * A layout as `muang.records.layout.layout()` makes it.
 * @typedef {Object} Plan
 * @property {"mak-khum"|"abalalae"|"ca-ngua"} game
 * @property {boolean} upright
 * @property {boolean} [flipped] turned by half, North's side below
 * @property {[number, number, number, number]} viewBox
 * @property {any[]} defs
 * @property {any[]} art
 * @property {Record<string, Place>} places
 * @property {Record<string, SeatPlan>} seats
 * @property {Record<string, string[]>} paths
 * @property {Record<string, {d: string, arrows: [number, number, number][]}>} routes
 * @property {Record<string, string>} shapes
 * @property {{r: number, kind: string}} [seed]
 * @property {{r: number, size: number}} [hand]
 * @property {number} [track]
 * @property {number} [cell]
 * @property {Record<string, number>} [starts]
 * @property {{size: number, stalled: number}} [horse]
 * @property {{size: number, places: [number, number][]}} [dice]
 */

/** @typedef {{at: string, seeds: number}} Hand */

/**
 * A match as everybody may see it: `match.view()`.
 * @typedef {Object} View
 * @property {string} game
 * @property {string} [pace]
 * @property {number} [tempo]
 * @property {string} [phase]
 * @property {Seat|null} [turn]
 * @property {Seat[]} [to_act]
 * @property {Record<string, string[]>} [legal]
 * @property {{S: (number|null)[], N: (number|null)[], stores: {S: number, N: number}}} [board]
 * @property {Record<string, Hand|null>} [hands]
 * @property {Seat[]} [chosen]
 * @property {Seat[]} [seats]
 * @property {Record<string, (string|number)[]>} [horses]
 * @property {Seat[]} [left]
 * @property {[number, number]|null} [dice]
 * @property {{action: string, from: string|number, to: string|number, kicks: Seat|null}[]} [moves]
 * @property {any} [result]
 */

/** @typedef {(text: string, args?: Record<string, unknown>) => string} Translate */

/**
 * One thing that can have the focus.
 * @typedef {Object} Item
 * @property {string} name
 * @property {SVGElement} node
 * @property {number} x
 * @property {number} y
 */

/**
 * What one tick of an animation does; made by a scene, timed by `animate.js`.
 * @typedef {Object} Tick
 * @property {number} ms how long it takes at speed 1
 * @property {(k: number) => void} frame draw it at k from 0 to 1
 * @property {() => void} done leave everything as it is after it; called exactly once, also when skipped
 */

/**
 * A board of one game in one orientation.
 * @typedef {Object} Scene
 * @property {SVGElement} root
 * @property {(view: View, marks?: boolean) => void} paint draw a view at once, with the marks of the last move unless `marks` is false
 * @property {(view: View, mine: string[], ahead?: View) => void} label names, what may be focused, as of the newest view; what may be played, as of `ahead`
 * @property {(events: BoardEvent[], before: View, after: View, calm: boolean) => Tick[]} ticks `calm`: nothing moves, but what must be read stands
 * @property {(events: BoardEvent[], before: View) => void} mark take in what the last move did
 * @property {() => void} clear forget the marks
 * @property {() => Item[]} items
 * @property {(item: Item|null, from: "key"|"tap", slip: boolean, point: {x: number, y: number}|null) => void} use act on an item
 * @property {(key: string, now: Item|null, shift: boolean) => Item|null|undefined} move the item that a key leads to; undefined: not a key of this board
 * @property {(seat: string, meaning: string, now: Item|null) => Item|null} own what a seat's own key does; the item it leads to
 * @property {(point: {x: number, y: number}) => Item|null} near what a touch there means
 * @property {(on: boolean) => void} flash a short light on what just changed, instead of motion
 * @property {string|null} hinted the item that a hint is about; shown with the next `label`
 * @property {(name: string|null) => void} chosen the focus has moved to an item
 */

/**
 * What a scene may ask of its board.
 * @typedef {Object} Table
 * @property {Translate} t
 * @property {(seat: string) => string} seatName
 * @property {(seat: string, action: string, otherwise?: string) => void} act
 * @property {(item: Item|null) => void} refuse nothing can be done there now
 * @property {(item: Item) => void} go move the focus
 * @property {(text: string) => void} describe the whole board in words
 * @property {(kind: string) => void} seen an event of this kind has just been seen to happen
 */

/**
 * @typedef {Object} Options
 * @property {Plan|{wide: Plan, upright: Plan}} layout as `muang.records.layout` makes it: one plan, or both to switch between
 * @property {Translate} t
 * @property {(seat: Seat, action: string, info: {at: number, otherwise?: string}) => void} onAct `at`: when the key was pressed or the board touched, by
 *   `performance.now()`; `otherwise`: the act that is meant if the first one turns out impossible (a hole, or a drop: behind a landing nobody knows yet)
 * @property {boolean} [reducedMotion] left out: as the system says
 * @property {Record<string, string>} [names] seat → what its player is called; otherwise South, Red, …
 * @property {Record<string, Record<string, string>>} [keys] seat → `KeyboardEvent.code` → `hole:3` | `act` | `slip` | `next` | `prev`; work wherever
 *   the focus is (except in fields and dialogs). When given, Enter, Space, numpad 5 and digits still work for whoever has the focus on the board,
 *   unless a seat has taken them.
 * @property {(kind: string) => void} [onSeen] an event of this kind (`drop`, `capture`, …) has just been seen to happen in a motion (for a sound)
 * @property {(item: string|null) => void} [onRefuse] an act that is not possible now (for a sentence in a live region)
 */

/**
 * @typedef {Object} ShowOptions
 * @property {Seat[]} [mySeats] seats that this screen may act for; kept until given again
 * @property {View} [newest] a newer view than the one shown, from which legality and names come
 * @property {View} [ahead] the newest view with the acts of this screen that are on their way: from it comes what may be done
 */

export {};
