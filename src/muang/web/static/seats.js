// @ts-check
/** Owns where the strips of the players stand: above and below a sowing board as it lies, all together beside the horses. */

import { $ } from "./dom.js";
import { t } from "./i18n.js";
import { isDuel, keyLabel } from "./race.js";
import { Strip } from "./strips.js";

/**
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").View} View
 */

export class Seats {
  /** @param {import("./session.js").Session} session @param {import("./strips.js").StripHandlers} on */
  constructor(session, on) {
    this.session = session;
    this.strips = session.seats.map(({ seat }) => new Strip(session, seat, on));
  }

  /** @param {Seat} seat @returns {HTMLElement|undefined} */
  node(seat) {
    return this.strips.find((strip) => strip.seat === seat)?.node;
  }

  /** @param {View} shown the view on the board @param {boolean} flipped whether North lies near */
  draw(shown, flipped) {
    const { session, strips } = this;
    const duel = isDuel(session);
    for (const strip of strips) {
      const keys = session.isByHand && matchMedia("(pointer: fine)").matches ? (strip.seat === "N" && duel ? keyLabel("KeyA") : t("Space")) : "";
      strip.draw(shown, keys);
    }
    const top = strips.filter(({ seat }) => (session.isHorses ? false : (seat === "N") !== flipped)).map(({ node }) => node);
    const bottom = strips.filter(({ node }) => !top.includes(node)).map(({ node }) => node);
    if (top[0]?.parentNode !== $("north")) $("north").replaceChildren(...top);
    if (bottom[0]?.parentNode !== $("south")) $("south").replaceChildren(...bottom);
  }

  /** Called at every frame. @param {Record<string, string>} counts what the board shows in the stores at this moment of its motion */
  tick(counts) {
    for (const strip of this.strips) {
      strip.tick();
      if (String(strip.seat) in counts) strip.showCount(counts[String(strip.seat)]);
    }
  }
}
