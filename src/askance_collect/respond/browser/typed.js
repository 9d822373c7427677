// A number that is typed: sent as it is, or kept here while the range that holds it is sent.

import { encode } from "./askance.js";
import { complain, complaintLine, group, option, radio } from "./controls.js";
import { paragraph } from "./element.js";
import { fieldTypes } from "./field.js";
import { rangeTexts, isRange, rangeLabel } from "./ranges.js";
import { numberField } from "./reading.js";

// `at` finds the step or the tick of a number; `beyond` says what else to type where there is none.
export function typedField(question, draws, given, speech, { at, beyond } = { beyond: anyWords }) {
  const { words } = speech;
  const refusal = radio(given?.index === null);
  const complaint = complaintLine();
  const told = isRange(question) && ((step) => foretold(question, step, draws, speech));
  const about = { label: words.yourNumber, at, beyond: beyond(question, speech), told };
  const { input, row, status, show, read } = numberField(question, given, speech, about);
  const stays = told ? [paragraph(words.stays, "hint")] : [];
  const rows = [row, ...stays, status, option(refusal, words.rather)];
  input.addEventListener("input", () => {
    refusal.checked &&= input.value === "";
  });
  refusal.addEventListener("click", () => {
    input.value = "";
    show();
  });
  const answer = () => {
    if (refusal.checked) return { index: null };
    if (input.value.trim() === "") throw complain(complaint, anyWords(question, speech), input);
    return read(complaint);
  };
  return { node: group(question, speech, rows, complaint), read: answer };
}

// What the number alone would send, the chance of a blank aside.
function foretold(question, step, draws, speech) {
  const cell = encode({ ...question, blank: [0, 1] }, step, draws);
  const { words } = speech;
  return cell === null ? words.tooNarrow : words.sentRange(rangeLabel(question, cell, speech));
}

export const anyWords = ({ line }, { words }) => (line.whole ? words.typeWhole : words.typeOne);

fieldTypes.typed = typedField;
rangeTexts.typed = ({ words }) => words.cutTyped;
