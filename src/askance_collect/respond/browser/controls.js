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
  node.oninput = () => {
    line.textContent = "";
  };
}

/**
 * @param {HTMLElement} line
 * @param {string} words
 * @param {HTMLElement} control
 * @returns {Error}
 */
export function showComplaint(line, words, control) {
  line.textContent = words;
  control.focus();
  return Object.assign(new Error(words), { name: "Complaint" });
}

/**
 * @param {Pick<Question, "text">} question
 * @param {Speech} speech
 * @param {any[]} rows
 * @param {HTMLElement} complaint
 * @returns {HTMLFieldSetElement}
 */
export function group(question, speech, rows, complaint) {
  const node = privateElement("fieldset", "answers", complaint, ...rows);
  node.prepend(element("legend", { className: "unseen" }, speech.text(question.text)));
  node.setAttribute("aria-describedby", "complaint");
  clearOnInput(node, complaint);
  return node;
}
