// A number in a range: chance cuts its line, or draws two numbers of it, before any answer, and what is sent
// is the part that holds the answer. The twin of CutsQuestion and RingQuestion in askance_collect/wire/question.py.
// A page whose form asks for no range goes without this module.

import { checked, isBlank, isIndex, questionKinds } from "./askance.js";
import { element } from "./element.js";
import { fieldTypes, radioField } from "./field.js";
import { isTotal, questionShapes, WHOLE } from "./form.js";
import { between, cellOf, cells, keeps, pairRows, stepIn, sum } from "./partition.js";
import { isNarrowed, isRange, isWithheld, numberLabel, rangeLabel, rangePhrase, rangeSentences, rangeTells } from "./ranges.js";
import { either, FLOOR, isLine, RANGE } from "./shapes.js";
import { openTrail } from "./trail.js";

// Schema: cuts
const CUTS = { ...RANGE, cuts: { number: [1, 16], weights: WHOLE, floor: either(null, { ...FLOOR, rule: /^(skip|withhold)$/ }), open: [[[0], 2, undefined, 2], 0] }, ask: /^(cells|narrow)$/ };
// Schema: ring
const RING = { ...RANGE, ring: { ...FLOOR, weights: WHOLE }, ask: "cells" };
/** @type {any} */
const NO_FLOOR = null;

/** @param {Question} question */
function areCuts({ line, cuts, ask }) {
  const { open, floor } = cuts;
  const ends = open.flat();
  const isRising = ends.every((end, index) => end <= line.ticks && (index === 0 || end > ends[index - 1]));
  if (!isRising || (ends.length === 2 && ends[1] - ends[0] === line.ticks) || !isLine(line) || !areWeights(cuts, line)) return false;
  const isEmpty = () => open.every(([above, upTo]) => between(floor.sizes, above, upTo) === 0);
  return floor === null || (isFloor(floor, line) && isEmpty() && someRange(cuts, line) && (ask === "cells" || floor.rule !== "withhold"));
}

/** @param {Question} question */
const isRing = ({ line, ring }) =>
  isLine(line) && areWeights(ring, line) && isFloor(ring, line) && isTotal(sum(pairRows(ring).map((row) => row.units)));

/**
 * @param {{ weights: number[] }} law
 * @param {Line} line
 */
const areWeights = ({ weights }, { ticks }) => weights.length === ticks - 1 && isTotal(sum(weights));

/**
 * @param {Sizes} floor
 * @param {Line} line
 */
const isFloor = ({ sizes, least }, { ticks }) => sizes.length === ticks && isTotal(sum(sizes)) && least <= sum(sizes);

/**
 * Whether some cut leaves a range that is large enough to be sent: by "skip" both its sides must be.
 *
 * @param {Cuts} cuts
 * @param {Line} line
 */
function someRange({ weights, floor }, { ticks }) {
  return weights.some((weight, index) => {
    const sides = [keeps(floor, [0, index + 1]), keeps(floor, [index + 1, ticks])];
    return weight > 0 && (floor.rule === "skip" ? sides[0] && sides[1] : sides[0] || sides[1]);
  });
}

/** @param {Question} question */
function rangeDrawn({ kind, blank, cuts, ring }) {
  if (kind === "ring") return [blank[1], sum(pairRows(ring).map(({ units }) => units))];
  return [blank[1], ...Array(cuts.number).fill(sum(cuts.weights))];
}

/**
 * @param {Question} question
 * @param {number} answer
 * @param {Draws} draws
 * @param {number} [steps]
 */
function rangeSent(question, answer, draws, steps) {
  const cell = cellOf(question, checked(question, answer, question.line.ticks), draws, steps);
  return isBlank(question, draws) ? null : cell;
}

/**
 * What was chosen, in words; a range that is too narrow to be sent has them too.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer} answer
 * @param {Speech} speech
 */
function rangeGiven(question, draws, { index, steps }, speech) {
  const kept = isWithheld(question) ? { ...question, cuts: { ...question.cuts, floor: NO_FLOOR } } : question;
  return rangeLabel(question, cellOf(kept, index, draws, steps), speech);
}

/**
 * The ranges that chance has made of a line, each with the step that it stands for.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Speech} speech
 */
function rangesOf(question, draws, speech) {
  return cells(question, draws)
    .filter((cell) => stepIn(question, cell) !== undefined)
    .map((cell) => ({
      index: stepIn(question, cell),
      label: rangeLabel(question, cell, speech),
      note: isWithheld(question) && !keeps(question.cuts.floor, cell) ? speech.words.tooNarrow : "",
    }));
}

/**
 * Around them, where the question says so, the place for a number that is sent exactly (exact.js).
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 */
function cutsField(question, draws, answer, speech) {
  const offered = rangesOf(question, draws, speech);
  return radioField(question, answer, speech, { offered, ...fieldTypes.besideRanges?.(question, answer, speech) });
}

/**
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 */
function ringField(question, draws, answer, speech) {
  const { words } = speech;
  const [inside, outside] = cells(question, draws);
  /** @param {Cell} cell */
  const phrase = (cell) => rangePhrase(question, cell, speech);
  const offered = [
    { index: stepIn(question, inside), label: words.ringYes(phrase(inside)) },
    { index: stepIn(question, outside), label: words.ringNo(phrase(outside)) },
  ];
  const before = [element("h2", { className: "ask" }, words.isIt(phrase(inside)))];
  return radioField(question, answer, speech, { offered, before });
}

/**
 * What the card says besides, where any question is of this kind.
 *
 * @param {Question[]} questions
 * @param {Words} words
 */
function rangeCard(questions, words) {
  /** @param {(question: Question) => boolean} is */
  const any = (is) => questions.some(is);
  const sentences = [
    [any(isRange), words.cardRange],
    [any(isNarrowed), words.cardNarrow],
    [any(isWithheld), words.cardWithheld],
  ];
  return { lines: sentences.flatMap(([is, sentence]) => (is ? [sentence] : [])) };
}

questionKinds.cuts = questionKinds.ring = {
  /** @param {Question} question */
  maxLength: ({ line }) => `[${line.ticks},${line.ticks}]`.length,
  drawBounds: rangeDrawn,
  /**
   * @param {Question} question
   * @param {Value} value
   */
  isValid: ({ line }, value) => value.length === 2 && value.every((/** @type {number} */ tick) => isIndex(tick, line.ticks + 1)),
  encode: rangeSent,
  label: rangeLabel,
  answerLabel: rangeGiven,
  describeLoss: rangeTells,
  describeOdds: rangeSentences,
  /**
   * @param {Question} _
   * @param {Value} __
   * @param {Speech} speech
   */
  recordHint: (_, __, { words }) => words.broadHint,
  isWithheld,
  numberLabel,
  cardTexts: rangeCard,
  trail: openTrail,
};
Object.assign(questionShapes, { cuts: [CUTS, areCuts], ring: [RING, isRing] });
Object.assign(fieldTypes, { cuts: cutsField, ring: ringField });
