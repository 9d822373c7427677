// What fields are built of. Whatever is chosen lives in properties: no attribute changes with it.

import { element, own } from "./element.js";
import { firstTick, fraction, numberAt, stepOf } from "./line.js";

export function radio(checked) {
  const made = element("input", { type: "radio", name: "answer", autocomplete: "off" });
  made.checked = checked;
  return made;
}

export function option(control, label, note = "") {
  const told = note ? element("small", {}, note) : "";
  return label && element("label", { className: "option" }, control, element("span", {}, label, told));
}

// The keys for numbers have no minus on some telephones: a line with numbers below 0 keeps all keys.
// On other lines what is below the first number is sent as that number is.
export function numberInput(typed, line) {
  const inputMode = numberAt(line, firstTick(line)) < 0 ? "text" : line.whole ? "numeric" : "decimal";
  const input = element("input", { type: "text", inputMode, autocomplete: "off" });
  Object.assign(input, { spellcheck: false, translate: false, className: "number" });
  input.value = typed ?? "";
  return input;
}

// A number as people type it, with a comma or a point and in groups of three as the language writes it, and
// the step or the tick that it is `at`; undefined where the line has no place for it.
export function readNumber(line, typed, speech, at = stepOf) {
  const mark = speech.grouped(1e5).replace(/\p{Nd}/gu, "").replace(/\s/, "\\s");
  const grouped = new RegExp(`^-?[1-9]\\d{0,2}([${mark}]\\d{2,3})*[${mark}]\\d{3}(?![${mark}\\d])`);
  const bare = (digits) => digits.replace(/[^\d-]/g, "");
  const plain = typed.trim().replace(/^\+/, "").replace("−", "-").replace(grouped, bare);
  const comma = speech.number(1.5).includes(",");
  const written = comma ? plain.replace(",", ".") : plain;
  const number = written.includes("/") ? undefined : fraction(written);
  return number && at(line, number);
}

export function complaintLine() {
  const line = element("p", { className: "complaint", id: "complaint" });
  line.setAttribute("role", "alert");
  return line;
}

// What was complained of goes as soon as something else is chosen or typed.
export function heed(node, line) {
  node.oninput = () => {
    line.textContent = "";
  };
}

export function complain(line, words, control) {
  line.textContent = words;
  control.focus();
  return Object.assign(new Error(words), { name: "Complaint" });
}

export function group(question, speech, rows, complaint) {
  const node = own("fieldset", "answers", complaint, ...rows);
  node.prepend(element("legend", { className: "unseen" }, speech.text(question.text)));
  node.setAttribute("aria-describedby", "complaint");
  heed(node, complaint);
  return node;
}
