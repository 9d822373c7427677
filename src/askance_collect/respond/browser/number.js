// A plain number: typed, and sent as the tick of its line that it stands at. The twin of NumberQuestion in
// askance_collect/wire/question.py. A page whose form asks for none goes without this module.

import { questionKinds, checked, isIndex } from "./askance.js";
import { fieldTypes } from "./field.js";
import { validators, MOST_TICKS, checkLine, assert } from "./form.js";
import { register } from "./hooks.js";
import { firstTick, fraction, isInteger, numberAt, stepsAbove } from "./line.js";
import { shown, stepLabel, tickLabel } from "./ranges.js";
import { anyWords, typedField } from "./typed.js";

const MOST_NUMBERS = 1e12;

function checkNumber({ line }, languages, where) {
  checkLine(line, languages, `${where}.line`, MOST_NUMBERS);
  const [over, below] = fraction(line.step);
  assert(line.whole === undefined || over === below, `${where}.line.step`);
}

// From which number to which, and in what steps.
function rangeWords({ line }, speech) {
  const { words } = speech;
  const ends = [firstTick(line), line.ticks].map((tick) => shown(line, numberAt(line, tick), speech));
  const areWhole = line.step === "1" && isInteger(fraction(line.lower));
  return areWhole ? words.typeWholeRange(...ends) : words.typeRange(...ends, stepLabel(line, speech));
}

// The tick that a number stands at; undefined if it stands at none.
export function tickOf(line, number) {
  const [over, below] = stepsAbove(line, number);
  const tick = Number(over / below);
  return over % below === 0n && tick >= firstTick(line) && tick <= line.ticks ? tick : undefined;
}

questionKinds.number = {
  maxLength: ({ line }) => Math.max(4, `${line.ticks}`.length),
  isValid: ({ line }, tick) => isIndex(tick, line.ticks + 1),
  encode: (question, tick) => checked(question, tick, question.line.ticks + 1, firstTick(question.line)),
  label: ({ line }, tick, speech) => tickLabel(line, tick, speech),
};
validators.number = checkNumber;
register({
  name: "long numbers",
  detect: ({ questions }) => questions.some(({ kind, line }) => kind === "number" && line.ticks > MOST_TICKS),
});
fieldTypes.number = (...field) => typedField(...field, { locate: tickOf, outOfRangeText: rangeWords });
