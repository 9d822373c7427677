// A number that is typed: sent as it is, or kept here while the range that holds it is sent.

import { encode } from "./askance.js";
import { complain, complaintLine, group, numberInput, option, radio, readNumber } from "./controls.js";
import { element, own, paragraph } from "./element.js";
import { FIELDS } from "./field.js";
import { RANGES, isRange, rangeLabel } from "./ranges.js";

// `at` finds the step or the tick of a number; `beyond` says what else to type where there is none.
export function typedField(question, draws, given, speech, { at, beyond } = { beyond: anyWords }) {
  const { words } = speech;
  const unit = element("span", {}, speech.text(question.line.unit));
  const input = numberInput(given?.typed, question.line);
  const refusal = radio(given?.index === null);
  const complaint = complaintLine();
  const rows = [
    element("label", { className: "typed" }, element("span", {}, words.yourNumber), input, unit),
    ...(isRange(question) ? previewOf(question, draws, input, refusal, speech) : []),
    option(refusal, words.rather),
  ];
  input.addEventListener("input", () => {
    refusal.checked &&= input.value === "";
  });
  refusal.addEventListener("click", () => {
    input.value = "";
  });
  const read = () => {
    if (refusal.checked) return { index: null };
    if (input.value.trim() === "") throw complain(complaint, anyWords(question, speech), input);
    const index = readNumber(question.line, input.value, speech, at);
    if (index === undefined) throw complain(complaint, beyond(question, speech), input);
    return { index, typed: input.value };
  };
  return { node: group(question, speech, rows, complaint), read };
}

// The range that a protected number will send, as it is typed.
function previewOf(question, draws, input, refusal, speech) {
  const preview = own("p", "preview");
  preview.setAttribute("role", "status");
  const show = () => {
    const step = readNumber(question.line, input.value, speech);
    preview.textContent = step === undefined ? "" : foretold(question, step, draws, speech);
  };
  input.addEventListener("input", show);
  refusal.addEventListener("click", () => {
    preview.textContent = "";
  });
  show();
  return [paragraph(speech.words.stays, "hint"), preview];
}

// What the number alone would send, the chance of a blank aside.
function foretold(question, step, draws, speech) {
  const cell = encode({ ...question, blank: [0, 1] }, step, draws);
  const { words } = speech;
  return cell === null ? words.tooNarrow : words.sentRange(rangeLabel(question, cell, speech));
}

export const anyWords = ({ line }, { words }) => (line.whole ? words.typeWhole : words.typeOne);

FIELDS.typed = typedField;
RANGES.typed = ({ words }) => words.cutTyped;
