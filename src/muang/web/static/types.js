// @ts-check
/** Owns the types of what the server sends, as JSDoc. No code. */

/**
 * @typedef {"S"|"N"|0|1|2|3} Seat
 * @typedef {any[]} Event seat first: `["S", "lift", "S3", 7]`
 * @typedef {[string, Record<string, any>]} Said a msgid with its arguments
 *
 * @typedef {Object} RaceClock
 * @property {boolean} running
 * @property {number} ms since the race began, when the frame was sent
 *
 * @typedef {Object} SeatInfo
 * @property {Seat} seat
 * @property {"person"|"computer"|"absent"|"open"} kind
 * @property {string} name
 * @property {string|null} player
 * @property {boolean} yours
 *
 * @typedef {Object} TurnClocks
 * @property {"per-turn"|"fischer"} kind
 * @property {Record<string, number>} left seat → ms when the running clock began to go
 * @property {Seat|null} running
 * @property {number|null} since on the server's clock; may lie in the future, while the last walk is still watched
 *
 * @typedef {Object} TableView the people at the table
 * @property {"meeting"|"playing"|"over"} stage
 * @property {number} now the server's clock when it was sent, ms since 1970
 * @property {Seat[]} here seats with a screen
 * @property {number} watchers
 * @property {Record<string, number>} pings seat → round trip in ms
 * @property {Record<string, number>} away seat → ms until it counts as absent
 * @property {TurnClocks|null} clocks
 * @property {{by: Seat[], match: string|null}|null} rematch
 * @property {string|null} commitment
 * @property {Record<string, string>} entropy
 * @property {string|null} secret
 * @property {boolean} public
 *
 * @typedef {Object} MatchResult
 * @property {Seat|null} winner
 * @property {Record<string, number>} seeds
 * @property {Record<string, number>} widows
 * @property {string} reason
 *
 * @typedef {Object} RoundCount
 * @property {Record<string, number>} seeds
 * @property {string|null} opener
 * @property {string[]|null} deaths
 * @property {number} turns
 *
 * @typedef {Object} SowingView
 * @property {"mak-khum"|"abalalae"} game
 * @property {string} ruleset
 * @property {Record<string, any>} options
 * @property {"lockstep"|"steady"|"by_hand"} pace
 * @property {number} tempo
 * @property {number} min_gap
 * @property {number} round
 * @property {"race"|"turn"|"over"} phase
 * @property {"S"|"N"} first
 * @property {"S"|"N"|null} opened
 * @property {{S: (number|null)[], N: (number|null)[], stores: {S: number, N: number}}} board null: a widow
 * @property {Record<"S"|"N", {at: string, seeds: number}|null>} hands
 * @property {"S"|"N"|null} turn
 * @property {("S"|"N")[]} to_act
 * @property {Record<string, string[]>} legal
 * @property {("S"|"N")[]} chosen seats whose hidden choice is made
 * @property {number} quiet
 * @property {number} ms
 * @property {RoundCount[]} rounds
 * @property {MatchResult|null} result
 *
 * @typedef {Object} HorseMove
 * @property {string} action
 * @property {string|number} from
 * @property {string|number} to
 * @property {number|null} kicks
 *
 * @typedef {Object} HorsesView
 * @property {"ca-ngua"} game
 * @property {string} ruleset
 * @property {Record<string, any>} options
 * @property {number[]} seats
 * @property {"roll"|"move"|"over"} phase
 * @property {number|null} turn
 * @property {[number, number]|null} dice
 * @property {boolean} again
 * @property {boolean} extra
 * @property {Record<string, (string|number)[]>} horses
 * @property {number[]} left
 * @property {number[]} to_act
 * @property {Record<string, string[]>} legal
 * @property {HorseMove[]} moves
 * @property {MatchResult|null} result
 *
 * @typedef {SowingView|HorsesView} View
 *
 * @typedef {Object} Entry
 * @property {string} kind
 * @property {Seat|null} seat
 * @property {string|null} action
 * @property {[number, number]|null} dice
 * @property {number|null} at
 * @property {number|null} n
 * @property {"player"|"system"|"computer"} by
 *
 * @typedef {Object} StateFrame
 * @property {"state"} type
 * @property {number} version
 * @property {View} match
 * @property {SeatInfo[]} seats
 * @property {any} layout
 * @property {RaceClock|null} race_clock
 * @property {number|null} countdown
 * @property {Seat[]} awaiting
 * @property {{seat: Seat, about: "draw"|"takeback"}|null} offer
 * @property {Record<string, number>} clock
 * @property {Seat[]} exact
 * @property {TableView} table
 * @property {string} client
 *
 * @typedef {Object} EventFrame
 * @property {"event"} type
 * @property {number} version
 * @property {Entry|null} entry
 * @property {Event[]} events
 * @property {Said[]} say
 * @property {View} match
 * @property {RaceClock|null} race_clock
 * @property {SeatInfo[]|null} seats
 * @property {Seat[]} awaiting
 * @property {{seat: Seat, about: "draw"|"takeback"}|null} offer
 * @property {Record<string, number>} clock
 * @property {Seat[]} exact
 * @property {TableView} table
 * @property {boolean} late
 * @property {number} pause
 *
 * @typedef {Object} ToldLine something that has happened; the last ones with boards, to be seen again
 * @property {Said[]} say
 * @property {Seat|null} seat
 * @property {Event[]} [events]
 * @property {View} [before]
 * @property {View} [after]
 *
 * @typedef {Object} HintTold
 * @property {number} version of the match that it is about
 * @property {Seat} seat
 * @property {string[]} actions the choices of this turn, the first one now
 * @property {boolean} exact
 * @property {number|null} share of 100, where the choice is best drawn by lot
 * @property {Said[]} say what it is worth
 *
 * @typedef {Object} ErrorFrame
 * @property {"error"} type
 * @property {number|null} n
 * @property {string} code
 * @property {string} clause
 * @property {string} message
 * @property {string[]} allowed
 */

export {};
