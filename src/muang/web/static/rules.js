// @ts-check
/** Owns the bar above a rule page; the text is the server's. Another language is another page. */

import { lookSwitch, wordmark } from "./chrome.js";
import { $, fill, h, icon } from "./dom.js";
import { LANGUAGES, language, setLanguage, t } from "./i18n.js";

const lang = LANGUAGES.find(([code]) => code === document.documentElement.lang)?.[0] ?? "en";
await setLanguage(lang);

const select = h(
  "select",
  {
    class: "field language",
    "aria-label": t("Language"),
    on: {
      change: async () => {
        const code = /** @type {import("./i18n.js").Language} */ (select.value);
        await setLanguage(code, true);
        location.assign(`${location.pathname}?lang=${code}${location.hash}`);
      },
    },
  },
  LANGUAGES.map(([code, name]) => h("option", { value: code, lang: code, selected: code === language() }, name)),
);
const game = document.body.dataset.game || "";
$("skip").textContent = t("Skip to the rules");
fill(
  $("bar"),
  wordmark(),
  h("span", { class: "grow" }),
  h("a", { class: "button main", href: `/?game=${game}` }, icon("play"), t("Play")),
  lookSwitch(),
  select,
);
