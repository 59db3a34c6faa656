// @ts-check
/** Owns the parts that forms are made of: rows of choices, sliders, and keeping the focus where a form is drawn anew. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * A row of choices of which one holds: radio buttons that look like one control.
 * @param {string} name
 * @param {string} legend
 * @param {{value: string, label: string, help?: string, sign?: string}[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} choose
 * @param {string} [kind] extra class
 */
export function choiceRow(name, legend, choices, chosen, choose, kind = "") {
  return h(
    "fieldset",
    { class: `choices ${kind}` },
    h("legend", {}, legend),
    h(
      "div",
      { class: "options" },
      choices.map(({ value, label, help, sign }) =>
        h(
          "label",
          { class: "choice" },
          h("input", { type: "radio", name, value, checked: value === chosen, on: { change: () => choose(value) } }),
          h("span", { class: "face" }, h("span", { class: "label" }, sign ? h("span", { "aria-hidden": "true", class: "sign" }, `${sign} `) : null, label), help ? h("span", { class: "small" }, help) : null),
        ),
      ),
    ),
  );
}

/** @param {HTMLElement} root the field that has the focus is drawn anew: give it back by its name and value @param {() => void} draw */
export function keepingFocus(root, draw) {
  const had = /** @type {HTMLInputElement|null} */ (document.activeElement);
  const name = had && root.contains(had) ? had.name || had.id : "";
  const value = had ? had.value : "";
  draw();
  if (!name) return;
  const same = [...root.querySelectorAll("input, select, summary, button")].filter((node) => /** @type {any} */ (node).name === name || node.id === name);
  const exact = same.find((node) => /** @type {any} */ (node).type !== "radio" || /** @type {any} */ (node).value === value);
  /** @type {HTMLElement|undefined} */ (exact || same[0])?.focus();
}

/**
 * A length of time in ms, chosen with a slider.
 * @param {string} id @param {string} label @param {number} least @param {number} most @param {number} step @param {number} now
 * @param {(value: number) => void} choose
 */
export function slider(id, label, least, most, step, now, choose) {
  const output = h("output", { for: id }, t("{count} ms", { count: now }));
  return h(
    "div",
    { class: "slider" },
    h("label", { for: id }, label),
    h("input", {
      type: "range",
      id,
      name: id,
      min: least,
      max: most,
      step,
      value: now,
      on: {
        input: (/** @type {Event} */ event) => {
          const chosen = Number(/** @type {HTMLInputElement} */ (event.target).value);
          choose(chosen);
          output.textContent = t("{count} ms", { count: chosen });
        },
      },
    }),
    output,
  );
}

/** @param {number} seconds @returns {string} `10 s`, `5 min`, `1 h` */
export function lengthText(seconds) {
  if (seconds >= 3600 && seconds % 3600 === 0) return t("{count} h", { count: seconds / 3600 });
  return seconds >= 60 && seconds % 60 === 0 ? t("{count} min", { count: seconds / 60 }) : t("{count} s", { count: seconds });
}

/**
 * One of a few lengths of time in s.
 * @param {string} id @param {string} label @param {number[]} lengths @param {number} now @param {(value: number) => void} choose
 */
export function steps(id, label, lengths, now, choose) {
  const all = lengths.includes(now) ? lengths : [...lengths, now].sort((one, other) => one - other);
  const select = h(
    "select",
    { class: "field", id, name: id, on: { change: () => choose(Number(select.value)) } },
    all.map((seconds) => h("option", { value: seconds, selected: seconds === now }, lengthText(seconds))),
  );
  return h("div", { class: "length" }, h("label", { for: id }, label), select);
}
