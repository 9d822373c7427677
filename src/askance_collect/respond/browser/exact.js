// A number in a stretch of the line that is sent as it is: said beforehand, and never asked for twice. A page whose
// form sends none goes without this module.

import { questionKinds } from "./askance.js";
import { option, radio } from "./controls.js";
import "./cuts.js";
import { fieldTypes } from "./field.js";
import { stepOf } from "./line.js";
import { capital, openOf, plainPhrase, rangeLabel, rangeTexts, stepLabel } from "./ranges.js";
import { numberField } from "./reading.js";

/**
 * One more choice, with a place for the number that shows once it is chosen (controls.css).
 *
 * @param {Question} question
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 */
function exactRow(question, answer, speech) {
  const { words } = speech;
  const chosen = radio(answer?.typed !== undefined);
  const phrase = exactPhrase(question, speech);
  /**
   * @param {Line} line
   * @param {Fraction} number
   */
  const locateOpen = (line, number) => {
    const step = stepOf(line, number);
    return openOf(question).some(([above, upTo]) => step !== undefined && above <= step && step < upTo) ? step : undefined;
  };
  const about = { label: words.exactNumber, locate: locateOpen, outOfRangeText: words.typeExact(phrase) };
  const { row, status, read } = numberField(question, answer, speech, about);
  row.className += " revealed";
  return { radio: chosen, nodes: [option(chosen, capital(phrase, speech), words.sentExactly), row, status], read };
}

/**
 * That row, on the side of the ranges where its numbers are.
 *
 * @param {Question} question
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 */
function besideRanges(question, answer, speech) {
  const open = openOf(question);
  if (open.length === 0) return {};
  const exact = exactRow(question, answer, speech);
  return { [open[open.length - 1][0] === 0 ? "before" : "after"]: exact.nodes, exact };
}

/**
 * Of a range that is narrowed, first: is the answer there?
 *
 * @param {Question} question
 * @param {Trail} trail
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 * @param {any} parts What stages are made of (narrow.js).
 */
function whereStage(question, trail, answer, speech, [askHeading, choice, dropping]) {
  const { radio: control, nodes, read: take } = exactRow(question, answer, speech);
  const elsewhere = choice(rangeLabel(question, [0, question.line.ticks], speech), "", () => {
    trail.outside = true;
  });
  const refusal = dropping(answer?.index === null, speech);
  return {
    nodes: [askHeading(speech.words.where), elsewhere.node, ...nodes, refusal.node],
    choices: [elsewhere, { control, take }, refusal],
  };
}

/**
 * The stretches of the line in which a number is sent as it is.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
function exactSentences(question, speech) {
  const { words } = speech;
  const { line } = question;
  const phrase = exactPhrase(question, speech);
  return phrase ? [words.exactly(phrase, line.step === "1" ? "" : words.inSteps(stepLabel(line, speech)))] : [];
}

/**
 * @param {Question} question
 * @param {Speech} speech
 */
function exactPhrase(question, speech) {
  const phrases = openOf(question).map((stretch) => plainPhrase(question.line, stretch, speech));
  return phrases.join(speech.words.or);
}

/**
 * Whether a record is the number itself.
 *
 * @param {Question} question
 * @param {number[]} pair
 */
function isExact(question, [low, high]) {
  return openOf(question).some(([above, upTo]) => above <= low && high <= upTo && low < high);
}

const { cardTexts, recordHint } = questionKinds.cuts;

// A ring is spoken of by the same object.
Object.assign(questionKinds.cuts, {
  isExact,
  /**
   * What the card says besides, where any number is sent as it is.
   *
   * @param {Question[]} questions
   * @param {Words} words
   */
  cardTexts(questions, words) {
    const { lines } = cardTexts(questions, words);
    return questions.some((question) => openOf(question).length > 0) ? { lines: [...lines, words.cardExact], hidden: words.cardHiddenElse } : { lines };
  },
  /**
   * @param {Question} question
   * @param {number[]} value
   * @param {Speech} speech
   */
  recordHint: (question, value, speech) => (isExact(question, value) ? speech.words.exactHint : recordHint(question, value, speech)),
});
Object.assign(fieldTypes, { besideRanges, where: whereStage });
rangeTexts.exact = exactSentences;
