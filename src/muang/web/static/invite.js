// @ts-check
/** Owns how a match is shown the way to others: its address, copied or handed on, and its QR code. */

import { sheet } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";

/** @returns {string} the address under which others reach this server, if it has been told one */
function publicAddress() {
  return document.querySelector('meta[name="muang-address"]')?.getAttribute("content") ?? "";
}

/** @param {string} id @returns {string} the address of a match, as others may open it */
export function linkOf(id) {
  return `${publicAddress() || location.origin}/play/${encodeURIComponent(id)}`;
}

/** Whether the address of this page leads nowhere but to this machine. */
export function isOnlyHere() {
  return !publicAddress() && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
}

/** @param {string} text @param {HTMLInputElement} field where it stands, for browsers that let pages copy nothing else */
async function copy(text, field) {
  try {
    if (!navigator.clipboard) throw new Error("no clipboard over plain http");
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

/**
 * The address of a match in a field, and a button that copies it.
 * @param {string} id the match @param {(text: string) => void} say
 * @returns {HTMLElement[]}
 */
export function copyField(id, say) {
  const link = linkOf(id);
  const field = h("input", { class: "field link-field", readonly: true, value: link, "aria-label": t("Link to this match"), on: { focus: () => field.select() } });
  const copied = h("span", {}, t("Copy"));
  return [
    field,
    h(
      "button",
      {
        type: "button",
        class: "button copy",
        on: {
          click: async () => {
            const done = await copy(link, field);
            copied.textContent = done ? t("Copied") : t("Copy");
            say(done ? t("The link is copied.") : t("The link is marked; copy it with your keyboard."));
          },
        },
      },
      icon("copy"),
      copied,
    ),
  ];
}

/**
 * The address of a match with all that can be done with it.
 * @param {string} id the match @param {string} game what it is called @param {(text: string) => void} say
 * @returns {HTMLElement}
 */
export function invitation(id, game, say) {
  const link = linkOf(id);
  const parts = copyField(id, say);
  if ("share" in navigator) {
    const share = () => navigator.share({ title: "Muang", text: t("Play {game} with me", { game }), url: link }).catch(() => {}); // given up: nothing to say
    parts.push(h("button", { type: "button", class: "button share", on: { click: share } }, icon("share"), t("Share")));
  }
  return h(
    "div",
    { class: "invitation" },
    h("div", { class: "link-row" }, parts),
    h("img", { class: "qr", src: `/api/matches/${encodeURIComponent(id)}/qr.svg`, alt: t("QR code of the link"), width: 180, height: 180 }),
    isOnlyHere() ? h("p", { class: "small" }, t("This address leads only to this machine. For other phones and computers start the server with “muang serve --lan” and open the address that it prints.")) : null,
  );
}

/** The same in a sheet, at any time. @param {string} id @param {string} game @param {boolean} open whether a seat is free @param {(text: string) => void} say */
export function shareSheet(id, game, open, say) {
  sheet("share", t("Link to this match"), [h("p", {}, open ? t("Whoever opens this link takes a free seat.") : t("Whoever opens this link watches.")), invitation(id, game, say)]);
}
