// A number that is typed: sent as it is, or kept here while the range that holds it is sent.

import { encode } from "./askance.js";
import { complaintLine, group, option, radio, showComplaint } from "./controls.js";
import { paragraph } from "./element.js";
import { fieldTypes } from "./field.js";
import { isRange, rangeLabel, rangeTexts } from "./ranges.js";
import { numberField } from "./reading.js";

/**
 * `locate` finds the step or the tick of a number; `outOfRangeText` says what else to type where there is none.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer | undefined} previous
 * @param {Speech} speech
 * @param {{ locate?: (line: Line, number: Fraction) => number | undefined, outOfRangeText: (question: Question, speech: Speech) => string }} [about]
 * @returns {Field}
 */
export function typedField(question, draws, previous, speech, { locate, outOfRangeText } = { outOfRangeText: anyWords }) {
  const { words } = speech;
  const refusal = radio(previous?.index === null);
  const complaint = complaintLine();
  const preview = isRange(question) && ((/** @type {number} */ step) => foretold(question, step, draws, speech));
  const about = { label: words.yourNumber, locate, outOfRangeText: outOfRangeText(question, speech), preview };
  const { input, row, status, show, read } = numberField(question, previous, speech, about);
  const stays = preview ? [paragraph(words.stays, "hint")] : [];
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
    if (input.value.trim() === "") throw showComplaint(complaint, anyWords(question, speech), input);
    return read(complaint);
  };
  return { node: group(rows, complaint), read: answer };
}

/**
 * What the number alone would send, the chance of a blank aside.
 *
 * @param {Question} question
 * @param {number} step
 * @param {Draws} draws
 * @param {Speech} speech
 */
function foretold(question, step, draws, speech) {
  const cell = encode({ ...question, blank: [0, 1] }, step, draws);
  const { words } = speech;
  return cell === null ? words.tooNarrow : words.sentRange(rangeLabel(question, cell, speech));
}

/**
 * @param {Question} question
 * @param {Speech} speech
 */
export const anyWords = ({ line }, { words }) => (line.whole ? words.typeWhole : words.typeOne);

fieldTypes.typed = typedField;
rangeTexts.typed = (/** @type {Speech} */ { words }) => words.cutTyped;
