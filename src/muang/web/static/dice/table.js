// @ts-check
/**
 * Owns the table of everyone's rolls beside what was to be expected, for the page of a result and for the page that checks dice. Both
 * need `table.css`.
 */

import { h } from "../dom.js";
import { language, t } from "../i18n.js";
import { seatName, seatSign } from "../names.js";
import { count, expected, verdict } from "./count.js";

/** @typedef {import("./lots.js").DiceInfo} DiceInfo */

/** @param {Pick<DiceInfo, "names">} info @param {import("./lots.js").Seat} seat @returns {string} */
export function called(info, seat) {
  return info.names?.[String(seat)] || seatName(seat);
}

/**
 * @param {Pick<DiceInfo, "seats"|"names"|"rolls">} info
 * @returns {HTMLElement|null} null where nobody has rolled
 */
export function rollsTable(info) {
  const counted = count(info.rolls);
  const seats = info.seats.filter((seat) => counted[String(seat)]);
  if (!seats.length) return null;
  const format = new Intl.NumberFormat(language(), { numberingSystem: "latn", maximumFractionDigits: 1 });
  /** @type {[string, (of: import("./count.js").Counted) => number][]} */
  const rows = [
    ...[1, 2, 3, 4, 5, 6].map((face) => /** @type {[string, any]} */ ([String(face), (/** @type {any} */ of) => of.faces[face - 1]])),
    [t("Doubles"), (of) => of.doubles],
    [t("Release rolls"), (of) => of.releases],
  ];
  const mine = seats.map((seat) => counted[String(seat)]);
  const fair = mine.map((one) => expected(one.total));
  return h(
    "div",
    { class: "rolls" },
    h(
      "table",
      {},
      h("caption", {}, t("Everyone's rolls, and in brackets what fair dice give on average")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          seats.map((seat) => h("th", { scope: "col" }, h("span", { class: `sign seat-${seat}`, "aria-hidden": "true" }, seatSign(seat)), " ", called(info, seat))),
        ),
      ),
      h(
        "tbody",
        {},
        h("tr", {}, h("th", { scope: "row" }, t("Rolls")), mine.map((one) => h("td", {}, String(one.total)))),
        rows.map(([label, of]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, label),
            mine.map((one, i) => h("td", {}, String(of(one)), " ", h("span", { class: "fair" }, `(${format.format(of(fair[i]))})`))),
          ),
        ),
      ),
    ),
    h(
      "ul",
      { class: "luck" },
      seats.map((seat, i) => h("li", {}, h("b", {}, called(info, seat)), ": ", verdict(mine[i]))),
    ),
  );
}
