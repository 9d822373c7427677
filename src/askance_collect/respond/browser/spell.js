// A report's value in words, as the collector's table of reports has it: the twin of `columns` and
// `spell` in askance_collect/collect/export.py, so that what another program collects is read as that is.

import { fraction } from "./line.js";
import { isRange } from "./ranges.js";

const FORMULA = /^[=+\-@\t\r']/;
const DECIMALS = 60;

/**
 * A range has two columns: what it is above, and what it reaches up to.
 *
 * @param {Question} question
 * @param {string} [name]
 */
export const columnsOf = (question, name = question.name) => (isRange(question) ? [`${name}_above`, `${name}_upto`] : [name]);

/**
 * The cells of those columns; empty where nothing is sent, and where a range is open. Of the whole range the upper end is written.
 *
 * @param {Question} question
 * @param {Value} value
 */
export function cellsOf(question, value) {
  const { line, answers, reports } = question;
  if (isRange(question)) {
    const ends = /** @type {number[]} */ (value ?? [0, 0]);
    return ends.map((tick) => (tick > 0 && (tick < line.ticks || ends[0] === 0) ? written(line, tick) : ""));
  }
  if (value === null) return [""];
  if (typeof value === "string") return [guarded(value)];
  if (line) return [written(line, value)];
  return [guarded((reports ?? answers)[value].name)];
}

/**
 * @param {Question} question
 * @param {Value} value
 * @param {string} name
 */
export function cellsByColumn(question, value, name) {
  const spelt = cellsOf(question, value);
  return Object.fromEntries(columnsOf(question, name).map((column, index) => [column, spelt[index]]));
}

/**
 * No spreadsheet takes a name for a formula.
 *
 * @param {string} text
 */
const guarded = (text) => (FORMULA.test(text) ? `'${text}` : text);

/**
 * The number at a tick, exactly: as a decimal if it has an end that is read back, else as a fraction.
 *
 * @param {Line} line
 * @param {number} tick
 */
function written(line, tick) {
  const [[low, lowBelow], [step, below]] = [line.lower, line.step].map((text) => fraction(text));
  const [over, under] = lowest(low * below + BigInt(tick) * step * lowBelow, lowBelow * below);
  const places = Math.max(powerOf(2n, under), powerOf(5n, under));
  const scale = 10n ** BigInt(places);
  if (scale % under !== 0n || places > DECIMALS) return `${over}/${under}`;
  const digits = `${magnitude((over * scale) / under)}`.padStart(places + 1, "0");
  const point = digits.length - places;
  return `${over < 0n ? "-" : ""}${digits.slice(0, point)}${places > 0 ? `.${digits.slice(point)}` : ""}`;
}

/** @param {bigint} number */
const magnitude = (number) => (number < 0n ? -number : number);

/**
 * @param {bigint} over
 * @param {bigint} under
 */
function lowest(over, under) {
  let [first, other] = [magnitude(over), under];
  while (other > 0n) [first, other] = [other, first % other];
  return [over / first, under / first];
}

/**
 * @param {bigint} base
 * @param {bigint} number
 */
function powerOf(base, number) {
  let [power, left] = [0, number];
  while (left % base === 0n) [power, left] = [power + 1, left / base];
  return power;
}
