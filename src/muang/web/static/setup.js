// @ts-check
/** Owns the form in which a match is set up: seats, ruleset, house rules, pace, clock, who goes first. What is allowed comes from the server. */

import { createMatch } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { choiceRow, keepingFocus, slider, steps } from "./fields.js";
import { language, t } from "./i18n.js";
import { gameName, offered, paceName, playerName, seatName, seatSign } from "./names.js";
import { Plan, usual } from "./plan.js";
import { failure } from "./refusals.js";

/** What can be chosen for the clocks, in s. */
const TURN_SECONDS = [10, 20, 30, 60, 120, 300, 86_400];
const MATCH_SECONDS = [60, 180, 300, 600, 900, 1800, 3600];
const INCREMENTS = [0, 2, 5, 10, 15, 30, 60];

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
  const plan = new Plan(game, players);
  const name = gameName(game.name);
  const { horses } = plan;
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

  /** @param {string} option @param {any} chosen */
  function change(option, chosen) {
    plan.change(option, chosen);
    redraw();
  }

  function seatFields() {
    const rows = plan.seats().map((seat) => {
      const key = String(seat);
      const sitter = plan.sitter(seat);
      return h(
        "div",
        { class: "seat-row", data: { seat: key } },
        choiceRow(
          `kind-${key}`,
          `${seatSign(seat)} ${seatName(seat)}`,
          [
            { value: "person", label: t("Here") },
            { value: "open", label: t("Invite") },
            { value: "computer", label: t("Computer") },
          ],
          sitter.kind,
          (kind) => {
            sitter.kind = /** @type {import("./plan.js").Kind} */ (kind);
            redraw();
          },
          "inline",
        ),
        sitter.kind === "open"
          ? h("p", { class: "small" }, t("Whoever opens your link sits here."))
          : sitter.kind === "person"
          ? h("input", {
              class: "field",
              name: `name-${key}`,
              maxlength: 40,
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
              offered(players).map((player) => {
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
      plan.online ? publicField() : null,
    );
  }

  /** Shown to strangers, or only to those who have the link. */
  function publicField() {
    const box = h("input", { type: "checkbox", id: "public", name: "public", checked: plan.isPublic, on: { change: () => (plan.isPublic = box.checked) } });
    return h("p", { class: "option tick" }, box, h("label", { for: "public" }, t("Show this match on the start page: anybody there may take the seat or watch")));
  }

  /** The clock of turns. */
  function clockFields() {
    if (!plan.timed) return null;
    return h(
      "section",
      {},
      choiceRow(
        "clock",
        t("Clock"),
        [
          { value: "none", label: t("None") },
          { value: "per-turn", label: t("For each turn") },
          { value: "fischer", label: t("For the match (Fischer)") },
        ],
        plan.clock,
        (clock) => {
          plan.clock = /** @type {import("./plan.js").ClockKind} */ (clock);
          redraw();
        },
        "inline",
      ),
      plan.clock === "per-turn" ? steps("turn-seconds", t("Each turn"), TURN_SECONDS, plan.turnSeconds, (seconds) => (plan.turnSeconds = seconds)) : null,
      plan.clock === "fischer" ? steps("match-seconds", t("Each player has"), MATCH_SECONDS, plan.matchSeconds, (seconds) => (plan.matchSeconds = seconds)) : null,
      plan.clock === "fischer" ? steps("increment", t("Each turn gives back"), INCREMENTS, plan.increment, (seconds) => (plan.increment = seconds)) : null,
      plan.clock === "none" ? null : h("p", { class: "small" }, t("Watching a move costs nobody time: the clock goes on when the last seed has been seen to fall.")),
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
      h("p", { class: "small" }, t("Where the source leaves something open, other readings can be chosen."), " ", h("a", { href: `/rules/${game.name}?lang=${language()}`, target: "_blank" }, t("Rules"))),
      h(
        "div",
        { class: "house-grid" },
        game.options.filter((option) => plan.matters(option.name)).map(optionField),
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
    const now = plan.value(option.name);
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
    const { raced } = plan;
    const paces = plan.paces();
    if (!paces.includes(plan.pace)) plan.pace = "lockstep";
    const two = plan.seats().filter((seat) => plan.sitter(seat).kind === "person").length === 2;
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

  function firstFields() {
    const sitting = plan.seats().map(String);
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
      fill(body, seatFields(), rulesetFields(), paceFields(), clockFields(), firstFields());
      fill(submit, icon(plan.online ? "share" : "play"), plan.online ? t("Make the link") : t("Play"));
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
    try {
      const url = await createMatch(plan.request());
      location.assign(url);
    } catch (error) {
      problem.textContent = failure(error);
      busy = false;
      submit.disabled = false;
    }
  }

  redraw();
  document.body.append(dialog);
  dialog.showModal();
  submit.focus();
}
