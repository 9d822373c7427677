// The controls a person answers with. What is chosen lives in properties and memory; no attribute,
// name or address ever changes with it.

import { encode } from "./askance.js";
import { element, own, paragraph } from "./element.js";
import { fraction, numberAt, stepOf, tickOf } from "./line.js";
import { cells } from "./partition.js";
import { rangeLabel } from "./speech.js";

// A field is { node, read }: read gives an answer { index, typed? }, or complains and throws.
export function fieldFor(question, draws, given, speech) {
  const typed = question.kind === "number" || question.typed;
  return typed ? typedField(question, draws, given, speech) : radioField(question, draws, given, speech);
}

function radioField(question, draws, given, speech) {
  const choices = [...offered(question, draws, speech), [null, speech.words.rather]];
  const at = given ? choices.findIndex(([index]) => index === given.index) : -1;
  const radios = choices.map((_, n) => radio(n === at));
  const rows = choices.map(([, label], n) =>
    element("label", { className: "option" }, radios[n], element("span", {}, label)),
  );
  const complaint = complaintLine();
  const node = group(question, speech, rows, complaint);
  return {
    node,
    read() {
      const chosen = choices[radios.findIndex(({ checked }) => checked)];
      if (!chosen) throw complain(complaint, speech.words.choose, radios[0]);
      return { index: chosen[0] };
    },
  };
}

// A person's own answer in words.
export function answerLabel(question, draws, given, speech) {
  if (!given || given.index === null) return speech.words.unanswered;
  if (given.typed) return `${given.typed.trim()} ${speech.text(question.line.unit)}`.trim();
  return offered(question, draws, speech).find(([index]) => index === given.index)[1];
}

// The answers of a named question, or the ranges that chance has cut a line into.
function offered(question, draws, speech) {
  if (question.kind !== "cuts") {
    return question.answers.map(({ label }, at) => [at, speech.text(label)]);
  }
  return cells(question, draws).map((cell) => [cell[0], rangeLabel(question, cell, speech)]);
}

function typedField(question, draws, given, speech) {
  const { words } = speech;
  const unit = element("span", {}, speech.text(question.line.unit));
  const input = element("input", { type: "text", inputMode: "decimal", autocomplete: "off" });
  Object.assign(input, { spellcheck: false, translate: false, className: "number" });
  input.value = given?.typed ?? "";
  const refusal = radio(given?.index === null);
  const complaint = complaintLine();
  const rows = [
    element("label", { className: "typed" }, element("span", {}, words.yourNumber), input, unit),
    ...(question.kind === "cuts" ? previewOf(question, draws, input, refusal, speech) : []),
    element("label", { className: "option" }, refusal, element("span", {}, words.rather)),
  ];
  input.addEventListener("input", () => {
    refusal.checked &&= input.value === "";
  });
  refusal.addEventListener("click", () => {
    input.value = "";
  });
  const read = () => {
    if (refusal.checked) return { index: null };
    if (input.value.trim() === "") throw complain(complaint, words.typeOne, input);
    const index = readNumber(question, input.value, speech);
    if (index === undefined) throw complain(complaint, rangeWords(question, speech), input);
    return { index, typed: input.value };
  };
  return { node: group(question, speech, rows, complaint), read };
}

// The range that a protected number will send, as it is typed.
function previewOf(question, draws, input, refusal, speech) {
  const preview = own("p", "preview");
  preview.setAttribute("role", "status");
  const show = () => {
    const step = readNumber(question, input.value, speech);
    preview.textContent =
      step === undefined
        ? ""
        : speech.words.sentRange(rangeLabel(question, encodeOpen(question, step, draws), speech));
  };
  input.addEventListener("input", show);
  refusal.addEventListener("click", () => {
    preview.textContent = "";
  });
  show();
  return [paragraph(speech.words.stays, "hint"), preview];
}

// The range without the chance of a blank: what the number alone would send.
function encodeOpen(question, answer, draws) {
  return encode({ ...question, blank: [0, 1] }, answer, draws);
}

// A number as people type it, with a comma or a point; undefined where the line has no place for it.
function readNumber(question, typed, speech) {
  const plain = typed.trim().replace(/^\+/, "").replace("−", "-");
  const comma = speech.number(1.5).includes(",");
  const written = comma ? plain.replace(",", ".") : plain;
  const number = written.includes("/") ? undefined : fraction(written);
  if (number === undefined) return undefined;
  return question.kind === "number" ? tickOf(question.line, number) : stepOf(question.line, number);
}

function rangeWords({ kind, line }, { words, number }) {
  if (kind === "cuts") return words.typeOne;
  return words.typeRange(number(numberAt(line, 0)), number(numberAt(line, line.ticks)));
}

function radio(checked) {
  const made = element("input", { type: "radio", name: "answer", autocomplete: "off" });
  made.checked = checked;
  return made;
}

function complaintLine() {
  const line = element("p", { className: "complaint", id: "complaint" });
  line.setAttribute("role", "alert");
  return line;
}

function complain(line, words, control) {
  line.textContent = words;
  control.focus();
  return Object.assign(new Error(words), { name: "Complaint" });
}

function group(question, speech, rows, complaint) {
  const node = own("fieldset", "answers", ...rows, complaint);
  node.prepend(element("legend", { className: "unseen" }, speech.text(question.text)));
  node.setAttribute("aria-describedby", "complaint");
  return node;
}
