// Numbers as people write them: in the digits of their language, in groups, with a point or a comma. What could
// mean two numbers is read as none, and what was read is shown. The twin of askance_collect/exact/typed_number.py. A
// page on which no number is typed goes without this module.

import { showComplaint } from "./controls.js";
import { inAscii } from "./digits.js";
import { element, privateElement } from "./element.js";
import { fieldTypes } from "./field.js";
import { firstTick, fraction, isInteger, numberAt, stepOf } from "./line.js";
import { numberLabel } from "./ranges.js";

/**
 * What a text can mean where 12,345.5 is written with these two marks: no number, one, or two if a mark before
 * three digits may be for decimals or for thousands. The language's own mark for thousands is one. A double holds
 * 15 digits.
 *
 * @param {string} typed
 * @param {string} marks
 */
export function readings(typed, [group, decimal]) {
  const plain = inAscii(typed).trim();
  const own = group === "\u066c" ? "," : group.replace(/[^.,]/, "");
  const point = `[.\u066b${decimal}]`;
  const grouped = `[1-9]\\d{0,2}([ '\u02bc\u2018\u2019\u066c${own}])(?:\\d{2,3}\\2)*\\d{3}(?!\\2)`;
  const number = new RegExp(`^(?!(?:\\D*\\d){16})([+-]?(?:${grouped}|\\d+|(?=${point}\\d)))(?:${point}(\\d{1,6}))?$`);
  const [, whole, mark, decimals = ""] = number.exec(plain) ?? [];
  if (whole === undefined) return [];
  const digits = whole.replace(/[^\d-]/g, "");
  const isUnclear = !mark && /^\D?[1-9]\d{0,2}[.,]\d{3}$/.test(plain);
  return [`${digits}.${decimals}`, ...(isUnclear ? [digits + decimals] : [])].map(Number);
}

/**
 * Whether a line goes by thousandths, so that people write three decimals.
 *
 * @param {Line} line
 */
function hasThousandths({ step }) {
  const [over, below] = fraction(step);
  return isInteger([1000n * over, below]) && !isInteger([100n * over, below]);
}

/**
 * What somebody who typed a text means on a line: nothing, the number with the step or the tick that `locate`
 * finds, or two, of which one is on the line at least. That may be the smaller one, which is what 1.000 is where a
 * thousand is too much: it is taken only if the line goes by thousandths.
 *
 * @param {string} typed
 * @param {string} marks
 * @param {Line} line
 * @param {(line: Line, number: any) => number | undefined} locate
 * @returns {{ typed?: number, index?: any }[]}
 */
export function numbersOnLine(typed, marks, line, locate) {
  const candidates = readings(typed, marks).map((number) => ({ typed: number, index: locate(line, fraction(`${number}`)) }));
  if (candidates.length < 2) return candidates;
  const [isOn, isOnInThousands] = candidates.map(({ index }) => index !== undefined);
  if (isOnInThousands) return candidates;
  if (!isOn) return [];
  return hasThousandths(line) ? candidates.slice(0, 1) : candidates;
}

/**
 * A place for a number, and below it what was read, and the `preview` of the step or the tick that the number
 * stands at, by `locate`. If it can mean two numbers, it is said how to type each. The keys for numbers have no
 * minus on some telephones: a line with numbers below 0 keeps all keys. On other lines what is below the first
 * number is sent as that number is.
 *
 * @param {Question} question
 * @param {Answer | undefined} previous
 * @param {Speech} speech
 * @param {{ label: string, locate?: (line: Line, number: any) => number | undefined, outOfRangeText: string, preview?: ((index: number) => string) | false }} about
 * @returns {Rendered}
 */
export function numberField({ line }, previous, speech, { label, locate = stepOf, outOfRangeText, preview }) {
  const marks = speech.grouped(12345.5).replace(/\p{Nd}/gu, "");
  /** @param {{ typed?: number }} answer */
  const typedAs = ({ typed }) => `${typed}`.replace(/\.\d{3}$/, "$&0").replace(".", marks[1]);
  const inputMode = numberAt(line, firstTick(line)) < 0 ? "text" : line.whole ? "numeric" : "decimal";
  const input = element("input", { type: "text", inputMode, autocomplete: "off" });
  /** @returns {{ unclear?: string, typed?: any, index?: any }} */
  const find = () => {
    const [answer = {}, other] = numbersOnLine(input.value, marks, line, locate);
    return other ? { unclear: speech.words.twoNumbers(speech.either([other, answer].map(typedAs))) } : answer;
  };
  const status = privateElement("p", "read-back");
  const show = () => {
    const { unclear = "", typed, index } = find();
    const more = preview && index !== undefined ? `\n${preview(index)}` : "";
    status.textContent = typed === undefined ? unclear : `= ${numberLabel(line, typed, speech)}${more}`;
  };
  status.setAttribute("role", "status");
  Object.assign(input, { spellcheck: false, translate: false, className: "number" });
  input.value = previous?.typed === undefined ? "" : typedAs(previous);
  input.addEventListener("input", show);
  show();
  /**
   * @param {HTMLElement} complaint
   * @returns {Answer}
   */
  const read = (complaint) => {
    const { unclear, ...answer } = find();
    if (answer.index === undefined) throw showComplaint(complaint, unclear ? `${unclear} ${outOfRangeText}` : outOfRangeText, input);
    return answer;
  };
  const unit = element("span", {}, speech.text(line.unit));
  return { input, row: element("label", { className: "typed" }, element("span", {}, label), input, unit), status, show, read };
}

fieldTypes.numberLabel = numberLabel;
