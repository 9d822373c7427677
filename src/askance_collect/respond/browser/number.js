// A plain number: typed, and sent as the tick of its line that it stands at. The twin of NumberQuestion in
// askance_collect/wire/question.py. A page whose form asks for none goes without this module.

import { checked, isIndex, questionKinds } from "./askance.js";
import { fieldTypes } from "./field.js";
import { ASKED, questionShapes } from "./form.js";
import { register } from "./hooks.js";
import { firstTick, fraction, isInteger, numberAt, stepsAbove } from "./line.js";
import { shown, stepLabel, tickLabel } from "./ranges.js";
import { isLine, LINE } from "./shapes.js";
import { typedField } from "./typed.js";

// Schema: number
const NUMBER = { ...ASKED, line: LINE };
const MOST_TICKS = 1e5;

/** @param {Question} question */
function isNumber({ line }) {
  const [over, below] = fraction(line.step);
  return isLine(line) && (!line.whole || over === below);
}

/**
 * From which number to which, and in what steps.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
function rangeWords({ line }, speech) {
  const { words } = speech;
  const ends = [firstTick(line), line.ticks].map((tick) => shown(line, numberAt(line, tick), speech));
  const areWhole = line.step === "1" && isInteger(fraction(line.lower));
  return areWhole ? words.typeWholeRange(...ends) : words.typeRange(...ends, stepLabel(line, speech));
}

/**
 * The tick that a number stands at; undefined if it stands at none.
 *
 * @param {Line} line
 * @param {Fraction} number
 */
export function tickOf(line, number) {
  const [over, below] = stepsAbove(line, number);
  const tick = Number(over / below);
  return over % below === 0n && tick >= firstTick(line) && tick <= line.ticks ? tick : undefined;
}

questionKinds.number = {
  /** @param {Question} question */
  maxLength: ({ line }) => Math.max(4, `${line.ticks}`.length),
  /**
   * @param {Question} question
   * @param {number} tick
   */
  isValid: ({ line }, tick) => isIndex(tick, line.ticks + 1),
  /**
   * @param {Question} question
   * @param {number} tick
   */
  encode: (question, tick) => checked(question, tick, question.line.ticks + 1, firstTick(question.line)),
  /**
   * @param {Question} question
   * @param {number} tick
   * @param {Speech} speech
   */
  label: ({ line }, tick, speech) => tickLabel(line, tick, speech),
};
questionShapes.number = [NUMBER, isNumber];
register({
  name: "long numbers",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(({ kind, line }) => kind === "number" && line.ticks > MOST_TICKS),
});
fieldTypes.number = (/** @type {Parameters<FieldType>} */ ...[question, draws, answer, speech]) =>
  typedField(question, draws, answer, speech, { locate: tickOf, outOfRangeText: rangeWords });
