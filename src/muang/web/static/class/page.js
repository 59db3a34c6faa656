// @ts-check
/**
 * Owns the page for a class or a museum: many tables of one game at once, each with its link and QR code, and how each of them is getting on.
 * Whoever makes them only watches. The list is kept in this browser; the tables themselves are matches like any others.
 */

import { Refused, fetchGames, fetchMatch, makeMatch } from "../api.js";
import { languageSwitch, lookSwitch, wordmark } from "../chrome.js";
import { $, fill, h, icon } from "../dom.js";
import { choiceRow } from "../fields.js";
import { language, preferredLanguage, setLanguage, t } from "../i18n.js";
import { copyField, isOnlyHere, linkOf } from "../invite.js";
import { gameName, paceName, seatName } from "../names.js";
import { Plan } from "../plan.js";
import { read, write } from "../prefs.js";
import { failure } from "../refusals.js";
import { standing } from "../standing.js";

const KEY = "muang.class";
const MOST = 20;
const EVERY_MS = 4000;

/** @typedef {{game: string, ids: string[]}} Kept */

/** @type {import("../api.js").GamesInfo|null} */
let info = null;
/** @type {Kept} */
let kept = read(KEY, { game: "mak-khum", ids: [] });
if (!kept || !Array.isArray(kept.ids)) kept = { game: "mak-khum", ids: [] };
let game = kept.game;
let count = Math.min(MOST, Math.max(1, kept.ids.length || 6));
let pace = "steady";
let players = 2;
let problem = "";
let busy = false;
/** What the server said of each table; null where it knows none. @type {Map<string, any>} */
const known = new Map();

function plan() {
  const found = info?.games.find((one) => one.name === game);
  return found && info ? new Plan(found, info.players) : null;
}

async function make() {
  const chosen = plan();
  if (!chosen || busy) return;
  busy = true;
  problem = "";
  draw();
  const seats = (chosen.game.seats.find((set) => set.length === (chosen.horses ? players : 2)) || chosen.game.seats[0]).map((seat) => ({ seat, kind: /** @type {const} */ ("open") }));
  /** @type {string[]} */
  const ids = [];
  try {
    for (let table = 0; table < count; table += 1) {
      const made = await makeMatch({ game, ruleset: chosen.game.rulesets[0].name, options: {}, pace: chosen.horses ? "lockstep" : pace, tempo: 250, min_gap: 80, seats });
      ids.push(made.id);
    }
  } catch (error) {
    problem = failure(error);
  }
  if (ids.length) {
    kept = { game, ids };
    write(KEY, kept);
    known.clear();
  }
  busy = false;
  draw();
  await ask();
}

/** @param {string} id @param {number} index */
function table(id, index) {
  const told = known.get(id);
  const name = t("Table {number}", { number: index + 1 });
  const sitting = told ? told.seats.filter((/** @type {any} */ one) => one.kind !== "open").map((/** @type {any} */ one) => one.name || seatName(one.seat)) : [];
  const free = told ? told.seats.filter((/** @type {any} */ one) => one.kind === "open").length : 0;
  const state = told === null ? t("no longer on this server") : !told ? "" : free ? (free === 1 ? t("1 free seat") : t("{count} free seats", { count: free })) : standing(told);
  return h(
    "li",
    { class: "table", "aria-label": name },
    h("h2", {}, name),
    h("img", { class: "qr", src: `/api/matches/${encodeURIComponent(id)}/qr.svg`, alt: t("QR code of the link"), width: 150, height: 150 }),
    told === null ? null : h("div", { class: "link-row" }, copyField(id, () => {})), // for computers without a camera
    h("p", { class: "who" }, sitting.length ? sitting.join(" – ") : t("Nobody yet")),
    h("p", { class: "small state" }, state),
    h("a", { class: "button quiet", href: linkOf(id), target: "_blank", "aria-label": t("Watch {table}", { table: name }) }, t("Watch")),
  );
}

function form() {
  const chosen = plan();
  const names = info ? info.games.map((one) => one.name) : [];
  return h(
    "form",
    {
      class: "make",
      on: {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void make();
        },
      },
    },
    choiceRow("game", t("Game"), names.map((one) => ({ value: one, label: gameName(one).lang === language() ? gameName(one).native : gameName(one).latin })), game, (value) => {
      game = value;
      pace = value === "abalalae" ? "by_hand" : "steady";
      draw();
    }, "inline"),
    chosen && !chosen.horses
      ? choiceRow("pace", t("Pace of the race"), ["steady", "by_hand", "lockstep"].map((one) => ({ value: one, label: paceName(one).name })), pace, (value) => (pace = value), "inline")
      : null,
    chosen?.horses ? choiceRow("players", t("Players"), ["2", "3", "4"].map((one) => ({ value: one, label: one })), String(players), (value) => (players = Number(value)), "inline") : null,
    h("label", { class: "count" }, t("Tables"), h("input", {
      class: "field number", type: "number", name: "tables", min: 1, max: MOST, step: 1, required: true, value: count,
      on: { change: (/** @type {Event} */ event) => (count = Math.min(MOST, Math.max(1, Number(/** @type {HTMLInputElement} */ (event.target).value) || 1))) },
    })),
    h("button", { type: "submit", class: "button main", disabled: busy }, icon("play"), kept.ids.length ? t("Set up new tables") : t("Set up the tables")),
    kept.ids.length ? h("button", { type: "button", class: "button", on: { click: () => print() } }, t("Print")) : null,
    h("p", { class: "problem", role: "alert" }, problem),
  );
}

function draw() {
  document.title = `${t("A class at many tables")} · Muang`;
  $("skip").textContent = t("Skip to the tables");
  fill($("bar"), wordmark(), h("span", { class: "grow" }), lookSwitch(), languageSwitch(draw));
  fill(
    $("main"),
    h("div", { class: "intro" }, h("h1", {}, t("A class at many tables")), h("p", {}, t("Set up as many tables as you need. Whoever opens a link or scans a code takes a free seat there; you watch from here. No accounts, no names needed."))),
    isOnlyHere() ? h("p", { class: "small warn" }, t("This address leads only to this machine. For other phones and computers start the server with “muang serve --lan” and open the address that it prints.")) : null,
    form(),
    h("ol", { class: "tables", id: "tables" }, kept.ids.map(table)),
  );
  document.documentElement.lang = language();
}

/** How the tables are getting on. */
async function ask() {
  await Promise.all(
    kept.ids.map(async (id) => {
      try {
        known.set(id, await fetchMatch(id));
      } catch (error) {
        if (error instanceof Refused && error.status === 404) known.set(id, null);
      }
    }),
  );
  const list = document.getElementById("tables");
  if (list && !list.contains(document.activeElement)) fill(list, kept.ids.map(table));
}

await setLanguage(preferredLanguage());
draw();
try {
  info = await fetchGames();
} catch (error) {
  problem = t("The server does not answer. Is it still running?");
  console.warn(error);
}
draw();
await ask();
setInterval(() => !document.hidden && kept.ids.length && void ask(), EVERY_MS);
