// @ts-check
/** Owns the sheet that tells how a match ended: who has won and why, seeds, widows, rounds, rolls, lags, and where its record is. */

import { fetchDice, fetchRecord } from "./api.js";
import { label, sheet } from "./dialogs.js";
import { rollsTable } from "./dice/table.js";
import { fill, h, icon } from "./dom.js";
import { number, t } from "./i18n.js";
import { reasonName } from "./names.js";
import { sound } from "./sound.js";

const HASTY_MS = 600;

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
 * Everyone's rolls, beside what was to be expected, and how they can be checked.
 * @param {Session} session @param {HTMLElement} node
 */
async function rolls(session, node) {
  try {
    const info = await fetchDice(session.id);
    const table = rollsTable(info);
    const lines = [
      [t("Seal, shown before the first roll"), info.commitment],
      [t("Secret, told now"), info.secret],
    ].filter(([, word]) => word);
    fill(
      node,
      table,
      lines.length ? h("dl", { class: "lots" }, lines.map(([name, word]) => [h("dt", {}, name), h("dd", {}, h("code", {}, word))]).flat()) : null,
    );
  } catch (error) {
    console.warn(error); // the result stands without it
  }
}

/**
 * How far the server dated back what came late in the races, for each player.
 * @param {Session} session @param {HTMLElement} node
 */
async function lags(session, node) {
  if (!session.isOnline) return;
  try {
    const { entries } = await fetchRecord(session.id);
    /** @type {Record<string, number>} */
    const most = {};
    for (const { seat, lag } of entries) if (seat !== undefined && lag !== undefined) most[seat] = Math.max(most[seat] ?? 0, lag);
    const told = session.seats.filter(({ seat }) => String(seat) in most);
    if (!told.length) return;
    fill(
      node,
      h("p", { class: "small" }, t("In the races every act counted from the moment it was made. The server dated back what came over slow lines:")),
      h("ul", { class: "racers small" }, told.map(({ seat }) => h("li", {}, label(session, seat), " ", t("up to {count} ms", { count: most[String(seat)] })))),
    );
  } catch (error) {
    console.warn(error);
  }
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
  const more = h("div", { class: "result-more" });
  const links = h("p", { class: "result-links" }, h("a", { href: `/api/matches/${session.id}/record`, target: "_blank" }, t("The record of this match")));
  if (session.table.commitment) {
    links.append(" · ", h("a", { href: `/dice?match=${encodeURIComponent(session.id)}`, target: "_blank" }, session.isHorses ? t("Check the dice") : t("Check the lot that was drawn")));
  }
  body.push(more, links);
  void (session.isHorses ? rolls(session, more) : lags(session, more));
  sound.play("end");
  const dialog = sheet("result", title, body, [
    h("a", { class: "button", href: "/" }, t("Other games")),
    on.rematch ? h("button", { type: "button", class: "button main", id: "rematch", on: { click: on.rematch } }, icon("replay"), t("Play again, sides changed")) : null,
  ]);
  (document.getElementById("rematch") || dialog.querySelector("a.button"))?.focus();
  notYet(dialog);
}

/** Whoever was racing still hits keys, or the board, when the sheet opens: that means nothing yet. @param {HTMLElement} dialog */
function notYet(dialog) {
  /** @param {Event} event */
  const hold = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  dialog.addEventListener("keydown", (event) => {
    if (event.repeat) event.preventDefault(); // nor does a key that was never let go
  });
  dialog.dataset.hasty = "";
  dialog.addEventListener("click", hold, true);
  setTimeout(() => {
    delete dialog.dataset.hasty;
    dialog.removeEventListener("click", hold, true);
  }, HASTY_MS);
}
