// @ts-check
/**
 * Owns the language of the page: which one it is, how a text is looked up and how its placeholders are filled, as `muang.i18n` does it
 * on the server. Knows no text of its own.
 */

/** @typedef {"en"|"th"|"vi"|"pt"} Language */

/** @type {ReadonlyArray<readonly [Language, string]>} every language with what it calls itself */
export const LANGUAGES = [
  ["en", "English"],
  ["th", "ไทย"],
  ["vi", "Tiếng Việt"],
  ["pt", "Português"],
];

const KEY = "muang.language";

/** @type {Record<string, string>} */
let catalogue = {};

/** @type {Language} */
let current = "en";

/** @param {string} tag a language tag such as `pt-BR` @returns {Language|null} */
function known(tag) {
  const base = tag.toLowerCase().split(/[-_]/)[0];
  const found = LANGUAGES.find(([code]) => code === base);
  return found ? found[0] : null;
}

/** The language chosen in the page, else the browser's first one that we have, else English. @returns {Language} */
export function preferredLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  let chosen = null;
  try {
    chosen = localStorage.getItem(KEY);
  } catch {
    // a browser that keeps nothing still plays
  }
  for (const tag of [asked, chosen, ...navigator.languages]) {
    const code = tag ? known(tag) : null;
    if (code) return code;
  }
  return "en";
}

/** @returns {Language} the language of the page now */
export function language() {
  return current;
}

/**
 * Load a language's texts and make it the page's. Keeps the present one if its texts cannot be fetched.
 * @param {Language} code
 * @param {boolean} [remember] keep the choice for the next visit
 */
export async function setLanguage(code, remember = false) {
  if (code !== "en") {
    try {
      const answer = await fetch(`/i18n/${code}.json`);
      if (!answer.ok) throw new Error(String(answer.status));
      catalogue = await answer.json();
    } catch (error) {
      console.warn("the texts could not be fetched:", code, error);
      return;
    }
  } else {
    catalogue = {};
  }
  current = code;
  document.documentElement.lang = code;
  if (remember) {
    try {
      localStorage.setItem(KEY, code);
      // an address that names a language would win over the choice just made
      const here = new URL(location.href);
      if (here.searchParams.has("lang")) {
        here.searchParams.delete("lang");
        history.replaceState(null, "", here);
      }
    } catch {
      // see above
    }
  }
}

/**
 * The text in the page's language with its `{named}` placeholders filled; one without an argument stays as it stands.
 * @param {string} msgid the English text
 * @param {Record<string, unknown>} [args]
 * @returns {string}
 */
export function t(msgid, args = {}) {
  const text = catalogue[msgid] || msgid;
  return text.replace(/\{([a-z_][a-z0-9_]*)\}/g, (whole, name) => (name in args ? String(args[name]) : whole));
}

/** @param {number} value @returns {string} the number as the language writes it, in Latin digits */
export function number(value) {
  return new Intl.NumberFormat(current, { numberingSystem: "latn" }).format(value);
}
