// @ts-check
/** Owns the form in which a match is set up: seats, ruleset, house rules, pace, who goes first. What is allowed comes from the server. */

import { Refused, createMatch } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { gameName, paceName, playerName, seatName, seatSign } from "./names.js";
import { read, write } from "./prefs.js";

/**
 * @typedef {import("./api.js").GameInfo} GameInfo
 * @typedef {{kind: "person"|"computer", name: string, player: string}} Sitter
 *
 * @typedef {Object} Plan what the form says so far
 * @property {string} ruleset
 * @property {Record<string, any>} changes options that differ from the ruleset
 * @property {number} count how many seats
 * @property {Record<string, Sitter>} sitters by seat
 * @property {string} pace
 * @property {number} tempo
 * @property {number} minGap
 * @property {string} first `"lot"` or a seat
 */

/** @param {GameInfo} game @param {string[]} players @returns {Plan} */
function freshPlan(game, players) {
  const seats = [...new Set(game.seats.flat())];
  /** @type {Record<string, Sitter>} */
  const sitters = {};
  seats.forEach((seat, index) => {
    sitters[String(seat)] = { kind: index === 0 ? "person" : "computer", name: "", player: players.includes("greedy") ? "greedy" : players[0] };
  });
  return {
    ruleset: game.rulesets[0].name,
    changes: {},
    count: 2,
    sitters,
    pace: game.name === "abalalae" ? "by_hand" : "steady",
    tempo: 250,
    minGap: 80,
    first: "lot",
  };
}

/** A number to begin with where the default is none. @param {import("./api.js").OptionInfo} option @returns {number} */
function usual(option) {
  if (typeof option.default === "number") return option.default;
  return option.name.endsWith("_seconds") ? 20 : Math.max(option.least || 1, 2);
}

/** The form as it was last sent, where that still makes sense. @param {GameInfo} game @param {string[]} players @returns {Plan} */
function keptPlan(game, players) {
  const fresh = freshPlan(game, players);
  const kept = read(`muang.setup.${game.name}`, /** @type {Partial<Plan>|null} */ (null));
  if (!kept || typeof kept !== "object" || !game.rulesets.some((one) => one.name === kept.ruleset)) return fresh;
  const names = new Set(game.options.map((option) => option.name));
  const changes = Object.fromEntries(Object.entries(kept.changes || {}).filter(([name]) => names.has(name)));
  return { ...fresh, ...kept, changes, sitters: { ...fresh.sitters, ...(kept.sitters || {}) } };
}

/**
 * A row of choices of which one holds: radio buttons that look like one control.
 * @param {string} name
 * @param {string} legend
 * @param {{value: string, label: string, help?: string, sign?: string}[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} choose
 * @param {string} [kind] extra class
 */
function choiceRow(name, legend, choices, chosen, choose, kind = "") {
  return h(
    "fieldset",
    { class: `choices ${kind}` },
    h("legend", {}, legend),
    h(
      "div",
      { class: "options" },
      choices.map(({ value, label, help, sign }) =>
        h(
          "label",
          { class: "choice" },
          h("input", { type: "radio", name, value, checked: value === chosen, on: { change: () => choose(value) } }),
          h("span", { class: "face" }, h("span", { class: "label" }, sign ? h("span", { "aria-hidden": "true", class: "sign" }, `${sign} `) : null, label), help ? h("span", { class: "small" }, help) : null),
        ),
      ),
    ),
  );
}

/** @param {HTMLElement} root the field that has the focus is drawn anew: give it back by its name and value @param {() => void} draw */
function keepingFocus(root, draw) {
  const had = /** @type {HTMLInputElement|null} */ (document.activeElement);
  const name = had && root.contains(had) ? had.name || had.id : "";
  const value = had ? had.value : "";
  draw();
  if (!name) return;
  const same = [...root.querySelectorAll("input, select, summary, button")].filter((node) => /** @type {any} */ (node).name === name || node.id === name);
  const exact = same.find((node) => /** @type {any} */ (node).type !== "radio" || /** @type {any} */ (node).value === value);
  /** @type {HTMLElement|undefined} */ (exact || same[0])?.focus();
}

/**
 * Open the form for a game.
 * @param {import("./api.js").GamesInfo} info
 * @param {string} gameId
 */
export function openSetup(info, gameId) {
  const found = info.games.find((one) => one.name === gameId);
  if (!found) return;
  const game = found;
  const players = info.players;
  const plan = keptPlan(game, players);
  const name = gameName(game.name);
  const horses = game.name === "ca-ngua";
  let busy = false;

  const body = h("div", { class: "sheet-body" });
  const problem = h("p", { class: "problem", role: "alert" });
  const submit = h("button", { type: "submit", class: "button main big" }, icon("play"), t("Play"));
  const form = h(
    "form",
    { method: "dialog", class: "setup", on: { submit: send } },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id: "setup-title" }, h("span", { lang: name.lang }, name.native), name.latin === name.native ? null : ` ${name.latin}`),
      h("button", { type: "button", class: "button quiet round", "aria-label": t("Close"), title: t("Close"), on: { click: () => dialog.close() } }, icon("close")),
    ),
    body,
    h("div", { class: "sheet-foot" }, problem, submit),
  );
  const dialog = h("dialog", { class: "setup-dialog", "aria-labelledby": "setup-title", on: { close: () => dialog.remove() } }, form);

  /** @param {string} option @returns {any} its value in the ruleset */
  function base(option) {
    const ruleset = game.rulesets.find((one) => one.name === plan.ruleset) || game.rulesets[0];
    const own = ruleset.options[option];
    return own === undefined ? game.options.find((one) => one.name === option)?.default : own;
  }

  /** @param {string} option @returns {any} its value as the form stands */
  function value(option) {
    return option in plan.changes ? plan.changes[option] : base(option);
  }

  /** @param {string} option @param {any} chosen */
  function change(option, chosen) {
    if (chosen === base(option)) delete plan.changes[option];
    else plan.changes[option] = chosen;
    redraw();
  }

  /** @returns {(string|number)[]} the seats that are taken */
  function seats() {
    return game.seats.find((set) => set.length === plan.count) || game.seats[0];
  }

  /** Whether an option can change anything as the form stands. @param {string} option */
  function matters(option) {
    const raced = value("race") !== "none";
    switch (option) {
      case "max_rounds":
        return game.name === "abalalae" || value("rounds") === "until_broke";
      case "choice_seconds":
        return raced && plan.pace !== "lockstep";
      case "slips":
        return plan.pace === "by_hand" && value("rounds") !== 1;
      case "widows":
      case "opener":
        return value("rounds") !== 1;
      case "race_loser":
        return raced;
      case "race_rounds":
        return raced && value("max_rounds") !== 1;
      default:
        return true;
    }
  }

  function seatFields() {
    const rows = seats().map((seat) => {
      const key = String(seat);
      const sitter = plan.sitters[key];
      return h(
        "div",
        { class: "seat-row", data: { seat: key } },
        choiceRow(
          `kind-${key}`,
          `${seatSign(seat)} ${seatName(seat)}`,
          [
            { value: "person", label: t("Person") },
            { value: "computer", label: t("Computer") },
          ],
          sitter.kind,
          (kind) => {
            sitter.kind = kind === "person" ? "person" : "computer";
            redraw();
          },
          "inline",
        ),
        sitter.kind === "person"
          ? h("input", {
              class: "field",
              name: `name-${key}`,
              maxlength: 24,
              autocomplete: "off",
              "aria-label": t("Name of {seat}", { seat: seatName(seat) }),
              placeholder: t("Name, if you like"),
              value: sitter.name,
              on: { input: (/** @type {Event} */ event) => (sitter.name = /** @type {HTMLInputElement} */ (event.target).value) },
            })
          : h(
              "select",
              {
                class: "field",
                name: `player-${key}`,
                "aria-label": t("Computer player of {seat}", { seat: seatName(seat) }),
                on: { change: (/** @type {Event} */ event) => (sitter.player = /** @type {HTMLSelectElement} */ (event.target).value) },
              },
              players.map((player) => {
                const called = playerName(player);
                return h("option", { value: player, selected: player === sitter.player }, called.help ? `${called.name}: ${called.help}` : called.name);
              }),
            ),
      );
    });
    return h(
      "section",
      {},
      h("h3", {}, t("Who plays")),
      horses
        ? choiceRow(
            "count",
            t("Players"),
            game.seats
              .map((set) => set.length)
              .filter((count, index, all) => all.indexOf(count) === index)
              .sort()
              .map((count) => ({ value: String(count), label: String(count) })),
            String(plan.count),
            (count) => {
              plan.count = Number(count);
              redraw();
            },
            "inline",
          )
        : null,
      rows,
    );
  }

  function rulesetFields() {
    return h(
      "section",
      {},
      choiceRow(
        "ruleset",
        t("Rules"),
        game.rulesets.map((ruleset) => ({ value: ruleset.name, label: t(ruleset.label), help: t(ruleset.text) })),
        plan.ruleset,
        (ruleset) => {
          plan.ruleset = ruleset;
          plan.changes = {};
          redraw();
        },
        "list",
      ),
      houseRules(),
    );
  }

  let open = false;

  function houseRules() {
    const changed = Object.keys(plan.changes).length;
    const details = h(
      "details",
      { class: "house", open, on: { toggle: () => (open = details.open) } },
      h("summary", { id: "house-rules" }, changed ? t("House rules ({count} changed)", { count: changed }) : t("House rules")),
      h("p", { class: "small" }, t("Where the source leaves something open, other readings can be chosen."), " ", h("a", { href: `/rules/${game.name}`, target: "_blank" }, t("Rules"))),
      h(
        "div",
        { class: "house-grid" },
        game.options.filter((option) => matters(option.name)).map(optionField),
      ),
    );
    return details;
  }

  /** What a value is called. @param {import("./api.js").OptionInfo} option @param {any} choice @returns {string} */
  function valueName(option, choice) {
    const key = choice === null ? "none" : String(choice);
    return option.values[key] ? t(option.values[key]) : key;
  }

  /** @param {import("./api.js").OptionInfo} option */
  function optionField(option) {
    const id = `option-${option.name}`;
    const now = value(option.name);
    const name = t(option.label);
    const numbers = option.least !== null && option.least !== undefined;
    const named = option.choices.findIndex((choice) => choice === now);
    const parts = [];
    if (option.choices.length) {
      const select = h(
        "select",
        {
          class: "field",
          id,
          name: id,
          on: {
            change: () => {
              const index = Number(select.value);
              change(option.name, index < 0 ? usual(option) : option.choices[index]);
            },
          },
        },
        option.choices.map((choice, index) => h("option", { value: index, selected: index === named }, valueName(option, choice))),
        numbers ? h("option", { value: -1, selected: named < 0 }, t("a number")) : null,
      );
      parts.push(select);
    }
    if (numbers && named < 0) {
      parts.push(
        h("input", {
          class: "field number",
          type: "number",
          id: option.choices.length ? `${id}-number` : id,
          name: `${id}-number`,
          "aria-label": name,
          min: option.least,
          max: option.most === null ? undefined : option.most,
          step: 1,
          required: true,
          value: now,
          on: {
            change: (/** @type {Event} */ event) => {
              const field = /** @type {HTMLInputElement} */ (event.target);
              if (field.checkValidity()) change(option.name, Number(field.value));
            },
          },
        }),
      );
    }
    return h("div", { class: "option" }, h("label", { for: id }, name), h("span", { class: "clause" }, option.clause), h("div", { class: "values" }, parts));
  }

  function paceFields() {
    if (horses) return null;
    const raced = value("race") !== "none";
    const paces = raced ? ["steady", "by_hand", "lockstep"] : ["lockstep", "by_hand"];
    if (!paces.includes(plan.pace)) plan.pace = "lockstep";
    const two = seats().filter((seat) => plan.sitters[String(seat)].kind === "person").length === 2;
    return h(
      "section",
      {},
      choiceRow(
        "pace",
        raced ? t("Pace of the race") : t("Pace"),
        paces.map((pace) => {
          const called = paceName(pace);
          return raced || pace === "by_hand"
            ? { value: pace, label: called.name, help: called.help }
            : { value: pace, label: t("By themselves"), help: t("The hands sow by themselves; you choose the holes.") };
        }),
        plan.pace,
        (pace) => {
          plan.pace = pace;
          redraw();
        },
        "list",
      ),
      raced && plan.pace === "steady" ? slider("tempo", t("One seed every"), 100, 1000, 50, plan.tempo, (ms) => (plan.tempo = ms)) : null,
      plan.pace === "by_hand" ? slider("min-gap", t("Shortest time between two drops"), 40, 400, 10, plan.minGap, (ms) => (plan.minGap = ms)) : null,
      two && raced && plan.pace !== "lockstep"
        ? h("p", { class: "small" }, t("Each of you has keys and a half of the screen of your own; they are shown before the race."))
        : null,
    );
  }

  /**
   * @param {string} id @param {string} label @param {number} least @param {number} most @param {number} step @param {number} now
   * @param {(value: number) => void} choose
   */
  function slider(id, label, least, most, step, now, choose) {
    const output = h("output", { for: id }, t("{count} ms", { count: now }));
    return h(
      "div",
      { class: "slider" },
      h("label", { for: id }, label),
      h("input", {
        type: "range",
        id,
        name: id,
        min: least,
        max: most,
        step,
        value: now,
        on: {
          input: (/** @type {Event} */ event) => {
            const chosen = Number(/** @type {HTMLInputElement} */ (event.target).value);
            choose(chosen);
            output.textContent = t("{count} ms", { count: chosen });
          },
        },
      }),
      output,
    );
  }

  function firstFields() {
    const sitting = seats().map(String);
    if (plan.first !== "lot" && !sitting.includes(plan.first)) plan.first = "lot";
    return h(
      "section",
      {},
      choiceRow(
        "first",
        t("Who goes first"),
        [{ value: "lot", label: t("Drawn by lot") }, ...sitting.map((seat) => ({ value: seat, label: seatName(seat), sign: seatSign(seat) }))],
        plan.first,
        (first) => {
          plan.first = first;
        },
        "inline",
      ),
    );
  }

  function redraw() {
    keepingFocus(body, () => {
      const top = body.scrollTop;
      fill(body, seatFields(), rulesetFields(), paceFields(), firstFields());
      body.scrollTop = top;
    });
    problem.textContent = "";
  }

  /** @param {Event} event */
  async function send(event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    submit.disabled = true;
    problem.textContent = "";
    const number = (/** @type {string} */ seat) => (horses ? Number(seat) : seat);
    const options = Object.fromEntries(Object.entries(plan.changes).filter(([name]) => matters(name)));
    try {
      write(`muang.setup.${game.name}`, plan);
      const url = await createMatch({
        game: game.name,
        ruleset: plan.ruleset,
        options,
        pace: horses ? "lockstep" : plan.pace,
        tempo: plan.tempo,
        min_gap: plan.minGap,
        seats: seats().map((seat) => {
          const sitter = plan.sitters[String(seat)];
          return sitter.kind === "person" ? { seat, kind: "person", name: sitter.name.trim() } : { seat, kind: "computer", player: sitter.player };
        }),
        ...(plan.first === "lot" ? {} : { first: number(plan.first) }),
      });
      location.assign(url);
    } catch (error) {
      problem.textContent = error instanceof Refused ? error.message : t("The server does not answer. Is it still running?");
      busy = false;
      submit.disabled = false;
    }
  }

  redraw();
  document.body.append(dialog);
  dialog.showModal();
  submit.focus();
}
