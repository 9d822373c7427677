// What fields are built of. Whatever is chosen lives in properties: no attribute changes with it.

import { element, privateElement } from "./element.js";

/** @param {boolean} checked */
export function radio(checked) {
  const made = element("input", { type: "radio", name: "answer", autocomplete: "off" });
  made.checked = checked;
  return made;
}

/**
 * @param {HTMLInputElement} control
 * @param {string} label
 * @param {string} [note]
 */
export function option(control, label, note = "") {
  const small = note ? element("small", {}, note) : "";
  return label && element("label", { className: "option" }, control, element("span", {}, label, small));
}

export function complaintLine() {
  const line = element("p", { className: "complaint", id: "complaint" });
  line.setAttribute("role", "alert");
  return line;
}

/**
 * What was complained of goes as soon as something else is chosen or typed.
 *
 * @param {HTMLElement} node
 * @param {HTMLElement} line
 */
export function clearOnInput(node, line) {
  node.oninput = () => clearComplaint(node, line);
}

/**
 * @param {HTMLElement} node
 * @param {HTMLElement} line
 */
export function clearComplaint(node, line) {
  line.textContent = "";
  for (const field of [node, ...node.querySelectorAll("[aria-invalid]")]) field.removeAttribute("aria-invalid");
}

/**
 * The field that is wrong is marked so, and what is wrong with it is read out with it: of choices, all of them.
 *
 * @param {HTMLElement} line
 * @param {string} words
 * @param {HTMLElement} control
 * @returns {Error}
 */
export function showComplaint(line, words, control) {
  const field = control.matches("[type=radio]") ? (control.closest("fieldset") ?? control) : control;
  const described = new Set(field.getAttribute("aria-describedby")?.split(" ")).add(line.id);
  line.textContent = words;
  field.setAttribute("aria-describedby", [...described].join(" "));
  field.setAttribute("aria-errormessage", line.id);
  field.setAttribute("aria-invalid", "true");
  control.focus();
  return Object.assign(new Error(words), { name: "Complaint" });
}

// The heading that says what is asked: it names the controls.
export const ASKED = "asked";

/**
 * @template {HTMLElement} Heading
 * @param {Heading} title
 */
export const asksFor = (title) => Object.assign(title, { id: ASKED });

/**
 * Controls that the heading names, and what is wrong with them.
 *
 * @param {(HTMLElement | "")[]} rows
 * @param {HTMLElement} complaint
 * @param {"group" | "radiogroup"} [role]
 * @returns {HTMLFieldSetElement}
 */
export function group(rows, complaint, role = "group") {
  const node = privateElement("fieldset", "answers", complaint, ...rows);
  node.setAttribute("role", role);
  node.setAttribute("aria-labelledby", ASKED);
  node.setAttribute("aria-describedby", complaint.id);
  clearOnInput(node, complaint);
  return node;
}
