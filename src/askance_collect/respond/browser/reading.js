// Numbers as people write them: in the digits of their language, in groups, with a point or a comma. What could
// mean two numbers is read as none, and what was read is shown. The twin of askance_collect/exact/typed_number.py. A
// page on which no number is typed goes without this module.

import { showComplaint } from "./controls.js";
import { element, privateElement } from "./element.js";
import { fieldTypes } from "./field.js";
import { firstTick, fraction, numberAt, stepOf } from "./line.js";
import { numberLabel } from "./ranges.js";

// A text with the digits and the signs of ASCII, and without marks of direction.
const inAscii = (typed) =>
  typed
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace("\u2212", "-")
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => (digit.charCodeAt(0) - (digit > "\u0900" ? 6 : 0)) & 15);

// What a text can mean where 12,345.5 is written with these two marks: no number, one, or two if a mark before
// three digits may be for decimals or for thousands. The language's own mark for thousands is one. A double holds
// 15 digits.
export function readings(typed, [group, decimal]) {
  const plain = inAscii(typed).trim();
  const own = group === "\u066c" ? "," : group.replace(/[^.,]/, "");
  const grouped = `[1-9]\\d{0,2}([ '\u2019\u066c${own}])(?:\\d{2,3}\\2)*\\d{3}(?!\\2)`;
  const number = new RegExp(`^(?!(?:\\D*\\d){16})([+-]?(?:${grouped}|\\d+))(?:[.\u066b${decimal}](\\d{1,6}))?$`);
  const [, whole, mark, decimals = ""] = number.exec(plain) ?? [];
  if (!whole) return [];
  const digits = whole.replace(/[^\d-]/g, "");
  const isUnclear = !mark && /^\D?[1-9]\d{0,2}[.,]\d{3}$/.test(plain);
  return [`${digits}.${decimals}`, ...(isUnclear ? [digits + decimals] : [])].map(Number);
}

// A place for a number, and below it what was read, and the `preview` of the step or the tick that the number
// stands at, by `locate`. If it can mean two numbers of the line, it is said how to type each. The keys for numbers have no
// minus on some telephones: a line with numbers below 0 keeps all keys. On other lines what is below the first
// number is sent as that number is.
export function numberField({ line }, previous, speech, { label, locate = stepOf, outOfRangeText, preview }) {
  const marks = speech.grouped(12345.5).replace(/\p{Nd}/gu, "");
  const typedAs = ({ typed }) => `${typed}`.replace(/\.\d{3}$/, "$&0").replace(".", marks[1]);
  const inputMode = numberAt(line, firstTick(line)) < 0 ? "text" : line.whole ? "numeric" : "decimal";
  const input = element("input", { type: "text", inputMode, autocomplete: "off" });
  const find = () => {
    const candidates = readings(input.value, marks).map((typed) => ({ typed, index: locate(line, fraction(`${typed}`)) }));
    if (candidates.length < 2 || candidates.some(({ index }) => index === undefined)) return candidates[0] ?? {};
    return { unclear: speech.words.twoNumbers(speech.either(candidates.reverse().map(typedAs))) };
  };
  const status = privateElement("p", "preview");
  const show = () => {
    const { unclear = "", typed, index } = find();
    const read = () => `= ${numberLabel(line, typed, speech)}${preview ? `\n${preview(index)}` : ""}`;
    status.textContent = index === undefined ? unclear : read();
  };
  status.setAttribute("role", "status");
  Object.assign(input, { spellcheck: false, translate: false, className: "number" });
  input.value = previous?.typed === undefined ? "" : typedAs(previous);
  input.addEventListener("input", show);
  show();
  const read = (complaint) => {
    const { unclear = outOfRangeText, ...answer } = find();
    if (answer.index === undefined) throw showComplaint(complaint, unclear, input);
    return answer;
  };
  const unit = element("span", {}, speech.text(line.unit));
  return { input, row: element("label", { className: "typed" }, element("span", {}, label), input, unit), status, show, read };
}

fieldTypes.numberLabel = numberLabel;
