// @ts-check
/** Owns the start page: the three games, the matches of others, and those this browser has a seat in. The form is in `setup.js`. */

import { Refused, deleteMatch, fetchGames, fetchMatch } from "./api.js";
import { languageSwitch, lookSwitch, wordmark } from "./chrome.js";
import { question } from "./dialogs.js";
import { $, fill, h, icon } from "./dom.js";
import { language, preferredLanguage, setLanguage, t } from "./i18n.js";
import { Lobby } from "./lobby.js";
import { gameName } from "./names.js";
import { forgetMatch, keptMatches } from "./prefs.js";
import { failure } from "./refusals.js";
import { openSetup } from "./setup.js";
import { standing } from "./standing.js";

const GAMES = ["mak-khum", "abalalae", "ca-ngua"];
const RETRY_MS = 3000;

/** @type {import("./api.js").GamesInfo|null} */
let info = null;

/** @param {string} ruleset @param {string} game @returns {string} what a ruleset is called */
function called(ruleset, game) {
  const label = info?.games.find((one) => one.name === game)?.rulesets.find((one) => one.name === ruleset)?.label;
  return label ? t(label) : "";
}

const lobby = new Lobby(called);
const offline = h("p", { class: "trouble", role: "alert", hidden: true });

/** What the server said of each kept match: its public view, or null where it knows none. @type {Map<string, any>} */
const known = new Map();

/** The game whose form is to be opened as soon as it is known what can be chosen. */
let wanted = "";

/** @param {string} game */
function open(game) {
  wanted = "";
  if (info) openSetup(info, game);
  else wanted = game;
}

/** @param {string} game */
function card(game) {
  const name = gameName(game);
  const id = `game-${game}`;
  return h(
    "article",
    { class: "game", "aria-labelledby": id },
    h("img", { class: "picture", src: `/api/picture.svg?game=${game}`, alt: "", loading: "lazy" }),
    h(
      "div",
      { class: "about" },
      h("p", { class: "origin" }, name.origin),
      h("h2", { id }, h("span", { lang: name.lang, class: "native" }, name.native), name.latin === name.native ? null : h("span", { class: "latin" }, name.latin)),
      h("p", {}, name.first),
      h("p", {}, name.second),
    ),
    h(
      "div",
      { class: "doors" },
      h(
        "button",
        {
          type: "button",
          class: "button main",
          id: `play-${game}`,
          "aria-label": t("Play {game}", { game: name.latin }),
          on: { click: () => open(game) },
        },
        icon("play"),
        t("Play"),
      ),
      h(
        "a",
        { class: "button", href: `/rules/${game}?lang=${language()}`, "aria-label": t("Rules of {game}", { game: name.latin }) },
        icon("rules"),
        t("Rules"),
      ),
    ),
  );
}

function recent() {
  const kept = keptMatches().slice(0, 8);
  if (!kept.length) return null;
  const date = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
  return h(
    "section",
    { class: "recent", "aria-labelledby": "recent-title" },
    h("h2", { id: "recent-title" }, t("Your matches")),
    h(
      "ul",
      {},
      kept.map((match) => {
        const name = gameName(match.game);
        const told = known.get(match.id);
        const gone = known.has(match.id) && !told;
        const ruleset = called(match.request?.ruleset, match.game);
        return h(
          "li",
          {},
          h(
            "div",
            { class: "what" },
            gone ? h("strong", {}, name.latin) : h("a", { href: `/play/${match.id}` }, h("strong", {}, name.latin)),
            h("span", { class: "small" }, [ruleset, date.format(match.created)].filter(Boolean).join(" · ")),
            h("span", { class: "small" }, gone ? t("no longer on this server") : told ? standing(told) : ""),
          ),
          h(
            "button",
            {
              type: "button",
              class: "button quiet round",
              title: t("Forget this match"),
              "aria-label": t("Forget this match: {game}, {date}", { game: name.latin, date: date.format(match.created) }),
              on: { click: () => forget(match, gone) },
            },
            icon("close"),
          ),
        );
      }),
    ),
  );
}

/** @param {import("./prefs.js").KeptMatch} match @param {boolean} gone whether the server has it no more */
function forget(match, gone) {
  const here = () => {
    forgetMatch(match.id);
    draw();
    /** @type {HTMLElement} */ ($("main").querySelector(".recent button") || $("main")).focus();
  };
  const everywhere = async () => {
    try {
      await deleteMatch(match.id, Object.values(match.tokens)[0]);
      here();
    } catch (error) {
      say(failure(error));
    }
  };
  if (gone) return here();
  const answers = [
    { label: t("Forget it here"), act: here },
    { label: t("Delete it for everybody"), act: () => void everywhere() },
  ];
  question(t("Forget this match?"), t("Forgotten here, it is still on the server, and others may go on. Deleted, it is gone for everybody, with the names in it."), answers, t("Cancel"));
}

/** Something that is wrong; "": nothing is. @param {string} text */
function say(text) {
  offline.hidden = !text;
  offline.textContent = text;
  if (text) offline.scrollIntoView({ block: "nearest" }); // what was pressed may be far below
}

function draw() {
  document.title = t("Muang: three old games");
  $("skip").textContent = t("Skip to the games");
  fill($("bar"), wordmark(), h("span", { class: "grow" }), lookSwitch(), languageSwitch(draw));
  fill(
    $("main"),
    offline,
    h(
      "div",
      { class: "welcome" },
      h("h1", {}, t("Three old games, exactly as they are told")),
      h("p", {}, t("Invite somebody with a link, play on one screen, or against the computer. No account, nothing to install.")),
      h("div", { class: "beads", "aria-hidden": "true" }),
    ),
    h("div", { class: "games" }, GAMES.map(card)),
    h("p", { class: "to-class" }, h("a", { href: `/class?lang=${language()}` }, t("A class or a museum? Set up many tables at once."))),
    lobby.node,
    recent(),
  );
  lobby.draw();
}

/** Ask after the matches shown, a few at a time and once each. */
async function ask() {
  for (const match of keptMatches().slice(0, 8)) {
    if (known.has(match.id)) continue;
    try {
      known.set(match.id, await fetchMatch(match.id));
    } catch (error) {
      if (error instanceof Refused && error.status === 404) known.set(match.id, null);
    }
  }
  if (known.size && !document.querySelector("dialog[open]")) {
    const section = document.querySelector(".recent");
    const fresh = recent();
    if (section && fresh && !section.contains(document.activeElement)) section.replaceWith(fresh);
  }
}

/** Fetch what the page needs; the page says so where that fails, and tries again. */
async function load() {
  try {
    info = await fetchGames();
    say("");
    if (wanted) open(wanted);
    await Promise.all([lobby.ask(), ask()]);
  } catch (error) {
    say(navigator.onLine ? t("The server does not answer. Is it still running?") : t("You are offline. The page comes back by itself."));
    setTimeout(() => void load(), RETRY_MS);
    console.warn(error);
  }
}

await setLanguage(preferredLanguage());
draw();
addEventListener("offline", () => say(t("You are offline. The page comes back by itself.")));
addEventListener("online", () => void load());
const asked = new URLSearchParams(location.search).get("game");
if (asked && GAMES.includes(asked)) wanted = asked;
await load();
