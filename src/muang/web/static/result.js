// @ts-check
/** Owns the sheet that tells how a match ended: who has won and why, seeds, widows, rounds, and where its record is. */

import { label, sheet } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { number, t } from "./i18n.js";
import { reasonName } from "./names.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").SowingView} SowingView
 */

/** @param {SowingView} view @param {Session} session @returns {HTMLElement|null} every round that is over */
function roundsTable(view, session) {
  if (!view.rounds.length) return null;
  const seats = /** @type {const} */ (["S", "N"]);
  return h(
    "table",
    { class: "figures" },
    h("caption", {}, t("Rounds")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Round")), seats.map((seat) => h("th", { scope: "col" }, label(session, seat))), h("th", { scope: "col" }, t("Opened by")), h("th", { scope: "col" }, t("Turns")))),
    h(
      "tbody",
      {},
      view.rounds.map((round, index) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, number(index + 1)),
          seats.map((seat) => h("td", { class: round.seeds[seat] > round.seeds[seat === "S" ? "N" : "S"] ? "more" : "" }, number(round.seeds[seat]))),
          h("td", {}, round.opener ? session.called(/** @type {Seat} */ (round.opener)) : t("race")),
          h("td", {}, number(round.turns)),
        ),
      ),
    ),
  );
}

/**
 * How the match ended.
 * @param {Session} session @param {{rematch: (() => void)|null}} on
 */
export function result(session, on) {
  const view = session.now;
  const outcome = view.result;
  if (!outcome) return;
  const winner = outcome.winner;
  const drawn = winner === null || winner === undefined;
  const mine = session.mine();
  const title = drawn ? t("The match is drawn") : mine.length === 1 && mine[0] === winner ? t("You have won") : t("{seat} wins", { seat: session.called(winner) });
  /** @type {Node[]} */
  const body = [h("p", { class: "reason" }, t("By: {reason}", { reason: reasonName(outcome.reason, outcome.winner) }))];
  if (view.game === "ca-ngua") {
    body.push(
      h(
        "table",
        { class: "figures" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Player")), h("th", { scope: "col" }, t("Horses home")))),
        h(
          "tbody",
          {},
          view.seats.map((seat) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, label(session, /** @type {Seat} */ (seat))),
              h("td", { class: seat === winner ? "more" : "" }, number((view.horses[String(seat)] || []).filter((place) => place === "slot3" || place === "slot4").length)),
            ),
          ),
        ),
      ),
    );
  } else {
    const seats = /** @type {const} */ (["S", "N"]);
    const figures = Object.keys(outcome.seeds).length ? outcome.seeds : null;
    if (figures) {
      const widows = view.game === "mak-khum" && Object.keys(outcome.widows).length > 0;
      body.push(
        h(
          "table",
          { class: "figures" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Player")), h("th", { scope: "col" }, t("Seeds")), widows ? h("th", { scope: "col" }, t("Widows")) : null)),
          h(
            "tbody",
            {},
            seats.map((seat) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, label(session, seat)),
                h("td", { class: seat === winner ? "more" : "" }, number(figures[seat])),
                widows ? h("td", {}, number(outcome.widows[seat])) : null,
              ),
            ),
          ),
        ),
      );
    }
    const rounds = roundsTable(view, session);
    if (rounds) body.push(rounds);
  }
  body.push(h("p", {}, h("a", { href: `/api/matches/${session.id}/record`, target: "_blank" }, t("The record of this match"))));
  const dialog = sheet("result", title, body, [
    h("a", { class: "button", href: "/" }, t("Other games")),
    on.rematch ? h("button", { type: "button", class: "button main", id: "rematch", on: { click: on.rematch } }, icon("replay"), t("Play again, sides changed")) : null,
  ]);
  (document.getElementById("rematch") || dialog.querySelector("a.button"))?.focus();
}
