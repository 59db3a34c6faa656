// @ts-check
/** Owns the page `/dice`: it works out every lot of a match again, in the browser, and says whether all of them fit (CN-50). */

import { Refused, fetchDice } from "../api.js";
import { languageSwitch, lookSwitch, wordmark } from "../chrome.js";
import { $, fill, h } from "../dom.js";
import { preferredLanguage, setLanguage, t } from "../i18n.js";
import { keptMatch } from "../prefs.js";
import { check, lotsOf } from "./lots.js";
import { BadRecord, readRecord } from "./record.js";
import { called, rollsTable } from "./table.js";

/**
 * @typedef {import("./lots.js").DiceInfo} DiceInfo
 * @typedef {import("./lots.js").Check} Check
 */

const id = new URLSearchParams(location.search).get("match") || "";

/** What is checked. @type {DiceInfo|null} */
let info = null;
/** Why nothing is. */
let problem = "";
let pasted = "";

/** @param {DiceInfo} of @param {Check} one @returns {string} what a lot was drawn for */
function aboutLot(of, one) {
  switch (one.what) {
    case "commitment":
      return t("The seal");
    case "first":
      return t("Who is first");
    case "seed":
      return t("The seed of the computer's choices");
    default:
      return t("Roll {number}, {seat}", { number: (one.roll?.n ?? 0) + 1, seat: called(of, one.roll?.seat ?? "") });
  }
}

/** @param {DiceInfo} of @param {Check} one @param {string} value */
function value(of, one, value) {
  if (one.what === "commitment") return `${value.slice(0, 8)}…`; // it stands above in full
  return one.what === "first" ? called(of, value) : value;
}

/** @param {DiceInfo} of @returns {{good: boolean|null, text: string}} all in one sentence */
function verdict(of) {
  if (!of.commitment) return { good: null, text: t("All lots of this match come from a seed that whoever made it chose. There is nothing to check.") };
  const kept = keptMatch(of.match);
  if (kept?.commitment && kept.commitment !== of.commitment) {
    return { good: false, text: t("Your browser was shown another seal before this match. Do not trust its lots.") };
  }
  if (!of.secret) return { good: null, text: t("The match is not over. Its secret is told at the end; keep the seal until then.") };
  const mixed = Object.values(of.entropy);
  if (kept?.entropy && !mixed.includes(kept.entropy)) {
    return { good: false, text: t("The word that your browser mixed in is not among those of this match.") };
  }
  const wrong = check(of).filter((one) => !one.fits).length;
  if (wrong) return { good: false, text: t("{count} of these do not fit the secret.", { count: wrong }) };
  return { good: true, text: t("Everything fits: the secret is the one that was sealed, and every lot follows from it.") };
}

/** @param {DiceInfo} of */
function result(of) {
  const { good, text } = verdict(of);
  const checks = check(of);
  const kept = keptMatch(of.match);
  const mixed = of.seats.filter((seat) => of.entropy[String(seat)]);
  /** @type {[string, Node|string][]} */
  const facts = [];
  if (of.commitment) facts.push([t("Seal, shown before the first roll"), h("code", {}, of.commitment)]);
  if (of.secret) facts.push([t("Secret, told now"), h("code", {}, of.secret)]);
  if (of.commitment) {
    const words = mixed.map((seat) => h("span", { class: "word" }, `${called(of, seat)}: `, h("code", {}, of.entropy[String(seat)])));
    facts.push([t("Words that the players mixed in"), mixed.length ? h("span", {}, words) : t("none")]);
  }
  const lots = lotsOf(of);
  return h(
    "section",
    { id: "result", "aria-labelledby": "result-title" },
    h("h2", { id: "result-title" }, t("The check")),
    h("p", { id: "verdict", class: `verdict ${good === null ? "open" : good ? "good" : "bad"}`, role: "status", data: { good: String(good) } }, good === null ? "" : good ? "✓ " : "✗ ", text),
    good && kept?.commitment ? h("p", {}, t("Your browser kept this seal from before the match.")) : null,
    h("dl", {}, facts.map(([name, what]) => [h("dt", {}, name), h("dd", {}, what)]).flat()),
    rollsTable(of),
    checks.length
      ? h(
          "details",
          { class: "lots", open: checks.some((one) => !one.fits) },
          h("summary", {}, t("Every lot")),
          h(
            "table",
            {},
            h("thead", {}, h("tr", {}, [t("Lot"), t("In the match"), t("From the secret"), ""].map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {}))))),
            h(
              "tbody",
              {},
              checks.map((one) =>
                h(
                  "tr",
                  { class: one.fits ? "fits" : "wrong" },
                  h("th", { scope: "row" }, aboutLot(of, one)),
                  h("td", {}, h("code", {}, value(of, one, one.said))),
                  h("td", {}, h("code", {}, value(of, one, one.drawn))),
                  h("td", {}, one.fits ? t("✓ fits") : t("✗ does not fit")),
                ),
              ),
            ),
          ),
          lots ? [h("p", {}, t("What is hashed for the first roll, with the secret as the key of HMAC-SHA-256:")), h("pre", { tabindex: "0" }, lots.message("dice", 0))] : null,
        )
      : null,
  );
}

function form() {
  const area = h("textarea", { id: "record", rows: 6, class: "field", spellcheck: "false", autocapitalize: "off", autocomplete: "off", value: pasted });
  return h(
    "form",
    {
      on: {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          pasted = area.value;
          try {
            info = readRecord(pasted);
            problem = "";
          } catch (error) {
            info = null;
            problem = error instanceof BadRecord ? error.message : t("This record cannot be read.");
          }
          draw();
          (document.getElementById("result-title") || document.getElementById("problem"))?.scrollIntoView({ block: "nearest" });
        },
      },
    },
    h("h2", {}, t("Check a record")),
    h("label", { for: "record" }, t("Paste a record that you have kept, as text or JSON")),
    area,
    h("button", { type: "submit", class: "button main" }, t("Check")),
  );
}

function draw() {
  document.title = `${t("Were the lots fair?")} · Muang`;
  $("skip").textContent = t("Skip to the check");
  fill($("bar"), wordmark(), h("span", { class: "grow" }), lookSwitch(), languageSwitch(draw));
  fill(
    $("main"),
    h("h1", {}, t("Were the lots fair?")),
    h("p", {}, t("Before anything was drawn, the server chose a secret and showed its seal, from which nobody can guess the secret. Then each player's browser mixed in a random word. The secret and these words decide every roll, and who is first.")),
    h("p", {}, t("The secret is told when the match is over. With it this page draws every lot again, in your browser, and compares.")),
    problem ? h("p", { id: "problem", class: "trouble", role: "alert" }, problem) : null,
    info ? result(info) : null,
    info?.match && !problem && info.match === id ? h("p", {}, h("a", { href: `/play/${id}` }, t("To the match"))) : null,
    form(),
  );
}

await setLanguage(preferredLanguage());
draw();
if (id) {
  try {
    info = await fetchDice(id);
  } catch (error) {
    problem = error instanceof Refused && error.status === 404 ? t("There is no such match on this server.") : t("The server does not answer. Is it still running?");
  }
  draw();
}
