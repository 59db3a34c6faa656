// @ts-check
/** Owns the sheets that lie over the board: help with the keys, questions, the end of a round. The result is `result.js`. */

import { fill, h, icon } from "./dom.js";
import { language, number, t } from "./i18n.js";
import { seatSign } from "./names.js";
import { legend } from "./race.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").SowingView} SowingView
 */

/**
 * A sheet over the page; Escape and the cross close it.
 * @param {string} id @param {string} title @param {(Node|string|null)[]} body @param {(Node|null)[]} [foot]
 * @returns {HTMLDialogElement}
 */
export function sheet(id, title, body, foot = []) {
  document.getElementById(id)?.remove();
  const dialog = h(
    "dialog",
    { id, "aria-labelledby": `${id}-title`, on: { close: () => dialog.remove() } },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id: `${id}-title` }, title),
      h("button", { type: "button", class: "button quiet round", "aria-label": t("Close"), title: t("Close"), on: { click: () => dialog.close() } }, icon("close")),
    ),
    h("div", { class: "sheet-body" }, body),
    foot.length ? h("div", { class: "sheet-foot" }, foot) : null,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask, and do it if the answer is yes.
 * @param {string} title @param {string} text @param {{label: string, act: () => void}[]} answers @param {string} [no]
 */
export function question(title, text, answers, no = t("No, go on")) {
  const dialog = sheet(
    "question",
    title,
    [h("p", {}, text)],
    [
      h("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, no),
      ...answers.map(({ label, act }) =>
        h(
          "button",
          {
            type: "button",
            class: "button main",
            on: {
              click: () => {
                dialog.close();
                act();
              },
            },
          },
          label,
        ),
      ),
    ],
  );
}

/** @param {Session} session */
export function help(session) {
  const horses = session.isHorses;
  /** @type {[string[], string][]} */
  const rows = horses
    ? [
        [["→", "↓"], t("the next possible move")],
        [["←", "↑"], t("the one before")],
        [[t("Enter"), t("Space"), "5"], t("make the move (5 on the number pad)")],
      ]
    : [
        [["1", "…", session.now.game === "abalalae" ? "9" : "7"], t("choose a hole and sow")],
        [["←", "→", "↑", "↓"], t("go from hole to hole")],
        [[t("Enter"), t("Space"), "5"], t("lift, or drop a seed (5 on the number pad)")],
        [[t("Shift")], t("with one of these: slip into a widow (by hand)")],
      ];
  rows.push(
    [["<", ">", "="], t("slower, faster, back to normal speed")],
    [["Esc"], t("show the end of what is moving")],
    [["K"], t("pause and go on")],
    [["R"], t("show the last move again")],
    [["[", "]"], t("step back while the match goes on, and forward again")],
    [["P"], t("show the path")],
    [["H"], t("a hint, where nobody plays from another screen")],
  );
  if (!horses) rows.push([["F"], t("turn the board round")]);
  rows.push([["?"], t("this help")]);
  sheet(
    "help",
    t("Keys and help"),
    [
      h(
        "table",
        { class: "keys-table" },
        h(
          "tbody",
          {},
          rows.map(([keys, text]) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, keys.map((key) => (key === "…" ? " … " : [h("kbd", {}, key), " "])).flat()),
              h("td", {}, text),
            ),
          ),
        ),
      ),
      session.isLiveRace && session.isShared ? h("h3", {}, t("In the race")) : null,
      session.isLiveRace && session.isShared ? legend(session) : null,
      h("p", {}, h("a", { href: `/rules/${session.now.game}?lang=${language()}`, target: "_blank" }, t("The rules of this game, with their sources"))),
    ],
  );
}

/** @param {Session} session @param {Seat} seat @returns {HTMLElement} its sign and what it is called */
export function label(session, seat) {
  return h("span", { class: "seat-label", data: { seat } }, h("span", { "aria-hidden": "true" }, `${seatSign(seat)} `), session.called(seat));
}

/**
 * What the round that ended has brought, and how the next one begins. Not modal: nobody has to wait for it.
 * @param {Session} session @param {SowingView} view the view at the beginning of the new round
 * @param {HTMLElement} node where it is shown @param {string} told the sentences about it @param {() => void} close
 */
export function betweenRounds(session, view, node, told, close) {
  const round = view.rounds.at(-1);
  if (!round) return;
  const seats = /** @type {const} */ (["S", "N"]);
  const widows = (/** @type {"S"|"N"} */ seat) => view.board[seat].filter((seeds) => seeds === null).length;
  const button = h("button", { type: "button", class: "button main", on: { click: close } }, t("On to round {round}", { round: view.round }));
  fill(
    node,
    h(
      "div",
      { class: "round-card" },
      h("h2", {}, t("Round {round} is over", { round: view.rounds.length })),
      h(
        "table",
        { class: "figures" },
        h(
          "thead",
          {},
          h("tr", {}, h("th", { scope: "col" }, t("Player")), h("th", { scope: "col" }, t("Seeds")), view.game === "mak-khum" ? h("th", { scope: "col" }, t("Widows next round")) : h("th", { scope: "col" }, t("Laid out"))),
        ),
        h(
          "tbody",
          {},
          seats.map((seat) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, label(session, seat)),
              h("td", { class: round.seeds[seat] > round.seeds[seat === "S" ? "N" : "S"] ? "more" : "" }, number(round.seeds[seat])),
              h("td", {}, number(view.game === "mak-khum" ? widows(seat) : view.board[seat].reduce((/** @type {number} */ sum, seeds) => sum + (seeds || 0), 0))),
            ),
          ),
        ),
      ),
      h("p", {}, told),
      button,
    ),
  );
  node.hidden = false;
  button.focus();
}
