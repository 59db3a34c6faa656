// @ts-check
/** Owns what a form says so far about a match to be made: seats, rules, pace, clock, who goes first; and which options matter. Draws nothing. */

import { lastName, read, rememberName, write } from "./prefs.js";

/**
 * @typedef {import("./api.js").GameInfo} GameInfo
 * @typedef {import("./api.js").OptionInfo} OptionInfo
 * @typedef {"person"|"open"|"computer"} Kind `person`: at this screen; `open`: whoever opens the link
 * @typedef {{kind: Kind, name: string, player: string}} Sitter
 * @typedef {"none"|"per-turn"|"fischer"} ClockKind
 */

/** The computer player that is proposed: one that a beginner may beat. */
const USUAL = "level-2";

export class Plan {
  /** The form as it was last sent for this game, where that still makes sense. @param {GameInfo} game @param {string[]} players */
  constructor(game, players) {
    this.game = game;
    this.horses = game.name === "ca-ngua";
    this.ruleset = game.rulesets[0].name;
    /** options that differ from the ruleset @type {Record<string, any>} */
    this.changes = {};
    this.count = 2;
    /** by seat @type {Record<string, Sitter>} */
    this.sitters = {};
    [...new Set(game.seats.flat())].forEach((seat, index) => {
      const player = players.includes(USUAL) ? USUAL : players[0];
      this.sitters[String(seat)] = { kind: index === 0 ? "person" : "computer", name: index === 0 ? lastName() : "", player };
    });
    this.pace = game.name === "abalalae" ? "by_hand" : "steady"; // AB-46
    this.tempo = 250;
    this.minGap = 80;
    this.first = "lot";
    /** @type {ClockKind} */
    this.clock = "none";
    /** for each turn, in s */
    this.turnSeconds = 60;
    /** for the match, in s, and what each turn gives back */
    this.matchSeconds = 600;
    this.increment = 10;
    this.isPublic = false;
    this.remember(read(this.key, /** @type {any} */ (null)), players);
  }

  get key() {
    return `muang.setup.${this.game.name}`;
  }

  /** @param {any} kept @param {string[]} players */
  remember(kept, players) {
    if (!kept || typeof kept !== "object" || !this.game.rulesets.some((one) => one.name === kept.ruleset)) return;
    const names = new Set(this.game.options.map((option) => option.name));
    this.ruleset = kept.ruleset;
    this.changes = Object.fromEntries(Object.entries(kept.changes || {}).filter(([name]) => names.has(name)));
    this.count = this.game.seats.some((set) => set.length === kept.count) ? kept.count : 2;
    for (const [seat, sitter] of Object.entries(kept.sitters || {})) {
      if (seat in this.sitters && players.includes(sitter.player)) this.sitters[seat] = { ...this.sitters[seat], ...sitter };
    }
    for (const name of /** @type {const} */ (["pace", "first"])) if (typeof kept[name] === "string") this[name] = kept[name];
    if (["none", "per-turn", "fischer"].includes(kept.clock)) this.clock = kept.clock;
    for (const name of /** @type {const} */ (["tempo", "minGap", "turnSeconds", "matchSeconds", "increment"])) if (typeof kept[name] === "number") this[name] = kept[name];
  }

  /** @param {string} option @returns {any} its value in the ruleset */
  base(option) {
    const ruleset = this.game.rulesets.find((one) => one.name === this.ruleset) || this.game.rulesets[0];
    const own = ruleset.options[option];
    return own === undefined ? this.game.options.find((one) => one.name === option)?.default : own;
  }

  /** @param {string} option @returns {any} its value as the form stands */
  value(option) {
    return option in this.changes ? this.changes[option] : this.base(option);
  }

  /** @param {string} option @param {any} chosen */
  change(option, chosen) {
    if (chosen === this.base(option)) delete this.changes[option];
    else this.changes[option] = chosen;
  }

  /** @returns {(string|number)[]} the seats that are taken */
  seats() {
    return this.game.seats.find((set) => set.length === this.count) || this.game.seats[0];
  }

  /** @param {string|number} seat @returns {Sitter} */
  sitter(seat) {
    return this.sitters[String(seat)];
  }

  /** How many seats are of a kind. @param {Kind} kind */
  sitting(kind) {
    return this.seats().filter((seat) => this.sitter(seat).kind === kind).length;
  }

  /** Somebody is invited: the match is played over a network. */
  get online() {
    return this.sitting("open") > 0;
  }

  /** A clock makes sense where nobody shares a screen. */
  get timed() {
    return this.sitting("person") < 2;
  }

  /** Whether round by round, or the first round, begins with a race. */
  get raced() {
    return !this.horses && this.value("race") !== "none";
  }

  /** The paces that make a difference here. Without a race a hand either sows by itself or by the player's fingers. @returns {string[]} */
  paces() {
    return this.raced ? ["steady", "by_hand", "lockstep"] : ["lockstep", "by_hand"];
  }

  /** Whether an option can change anything as the form stands. @param {string} option */
  matters(option) {
    switch (option) {
      case "max_rounds":
        return this.game.name === "abalalae" || this.value("rounds") === "until_broke";
      case "choice_seconds":
        return this.raced && this.pace !== "lockstep";
      case "slips":
        return this.pace === "by_hand" && this.value("rounds") !== 1;
      case "widows":
      case "opener":
        return this.value("rounds") !== 1;
      case "race_loser":
        return this.raced;
      case "race_rounds":
        return this.raced && this.value("max_rounds") !== 1;
      default:
        return true;
    }
  }

  /** What the server is asked for; kept for the next time. @returns {import("./api.js").MatchRequest} */
  request() {
    const { ruleset, changes, count, sitters, pace, tempo, minGap, first, clock, turnSeconds, matchSeconds, increment } = this;
    write(this.key, { ruleset, changes, count, sitters, pace, tempo, minGap, first, clock, turnSeconds, matchSeconds, increment });
    const own = this.seats().filter((seat) => this.sitter(seat).kind === "person");
    if (own.length === 1 && this.online) rememberName(this.sitter(own[0]).name.trim());
    return {
      game: this.game.name,
      ruleset,
      options: Object.fromEntries(Object.entries(changes).filter(([name]) => this.matters(name))),
      pace: this.horses ? "lockstep" : pace,
      tempo,
      min_gap: minGap,
      seats: this.seats().map((seat) => {
        const { kind, name, player } = this.sitter(seat);
        if (kind === "open") return { seat, kind };
        return kind === "person" ? { seat, kind, name: name.trim() } : { seat, kind, player };
      }),
      ...(this.timed && clock === "per-turn" ? { clock: { kind: clock, seconds: turnSeconds } } : {}),
      ...(this.timed && clock === "fischer" ? { clock: { kind: clock, seconds: matchSeconds, increment } } : {}),
      ...(this.online && this.isPublic ? { public: true } : {}),
      ...(first === "lot" ? {} : { first: this.horses ? Number(first) : first }),
    };
  }
}

/** A number to begin with where the default is none. @param {OptionInfo} option @returns {number} */
export function usual(option) {
  if (typeof option.default === "number") return option.default;
  return option.name.endsWith("_seconds") ? 20 : Math.max(option.least || 1, 2);
}
