// @ts-check
/** Owns the bar at the top of every page: the name, the language, the look. */

import { h, icon, s } from "./dom.js";
import { LANGUAGES, language, setLanguage, t } from "./i18n.js";
import { look, setLook } from "./prefs.js";

/** @returns {SVGElement} a board like a boat, two holes and a seed */
function mark() {
  return s(
    "svg",
    { viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" },
    s("path", { d: "M2 13c4 11 24 11 28 0-3 1.2-25 1.2-28 0z", fill: "var(--wood)" }),
    s("circle", { cx: 11, cy: 16.6, r: 2.5, fill: "var(--card)" }),
    s("circle", { cx: 21, cy: 16.6, r: 2.5, fill: "var(--card)" }),
    s("circle", { cx: 16, cy: 7, r: 2.6, fill: "var(--accent)" }),
  );
}

/** @returns {HTMLAnchorElement} the name, leading to the start page */
export function wordmark() {
  return h("a", { class: "wordmark", href: "/", "aria-label": t("Muang, to the start page") }, mark(), h("span", {}, "Muang"));
}

/** @param {() => void} changed called when the page has to be written anew @param {string} [id] @returns {HTMLElement} */
export function languageSwitch(changed, id = "language") {
  const select = h(
    "select",
    {
      class: "field language",
      "aria-label": t("Language"),
      id,
      on: {
        change: async () => {
          await setLanguage(/** @type {import("./i18n.js").Language} */ (select.value), true);
          changed();
          document.getElementById(id)?.focus();
        },
      },
    },
    LANGUAGES.map(([code, name]) => h("option", { value: code, lang: code, selected: code === language() }, name)),
  );
  return select;
}

/** @returns {boolean} whether the page is dark now */
function isDark() {
  const chosen = look();
  return chosen === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
}

/** @returns {HTMLButtonElement} light or dark */
export function lookSwitch() {
  const button = h("button", { type: "button", class: "button quiet round" });
  const show = () => {
    const dark = isDark();
    button.replaceChildren(icon(dark ? "sun" : "moon"));
    const name = dark ? t("Light colours") : t("Dark colours");
    button.setAttribute("aria-label", name);
    button.title = name;
  };
  button.addEventListener("click", () => {
    setLook(isDark() ? "light" : "dark");
    show();
  });
  show();
  return button;
}
