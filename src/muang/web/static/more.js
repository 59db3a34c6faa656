// @ts-check
/** Owns the sheets with what has no place in the bar and beside the board: on small screens nearly everything, elsewhere the sound. */

import { languageSwitch, lookSwitch } from "./chrome.js";
import { sheet } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { language, t } from "./i18n.js";
import { volumeField } from "./sound.js";

/**
 * @typedef {Object} MoreHandlers
 * @property {() => void} share
 * @property {() => void} relabel the language has changed
 * @property {() => void} closed
 */

/**
 * @param {import("./session.js").Session} session @param {import("./tools.js").Tools} tools @param {MoreHandlers} on
 */
export function moreSheet(session, tools, on) {
  const again = () => {
    on.relabel();
    moreSheet(session, tools, on);
  };
  const share = () => {
    dialog.close();
    on.share();
  };
  const link = h("button", { type: "button", class: "button tool", id: "share-more", on: { click: share } }, icon("share"), t("Link to this match"));
  const rules = h("a", { class: "button tool", href: `/rules/${session.now.game}?lang=${language()}`, target: "_blank" }, icon("rules"), t("Rules"));
  const chrome = h("div", { class: "more-chrome" }, ...tools.moreButtons(), rules, link, lookSwitch(), languageSwitch(again, "language-more"));
  const dialog = sheet("more", t("More"), [tools.table, chrome, volumeField()]);
  dialog.addEventListener("close", on.closed);
}

/** How loud it is, where there is no sheet with everything else. */
export function soundSheet() {
  sheet("sound-sheet", t("Sound"), [h("p", {}, t("Soft tones when seeds are dropped or captured, when it is your turn, and at the start of a race.")), volumeField()]);
}
