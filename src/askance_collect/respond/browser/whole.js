// How the page speaks of whole numbers: by the first and the last of a range, and by how many there are.
// A page whose form asks for none goes without this module.

import { numberAt } from "./line.js";
import { keeps, pairRows, remainder } from "./partition.js";
import { inUnit, rangeTexts, shown } from "./ranges.js";
import { oddsTexts } from "./speech.js";

/**
 * The whole numbers above a tick, up to another: by the first and the last of them.
 *
 * @param {Line} line
 * @param {number[]} pair
 * @param {Speech} speech
 */
function wholePhrase(line, [above, upTo], speech) {
  const { words } = speech;
  const [first, last] = [numberAt(line, above) + 1, numberAt(line, upTo)];
  if (upTo === line.ticks) return inUnit(line, first, speech, words.orMore);
  if (first === last) return inUnit(line, last, speech);
  return inUnit(line, last, speech, (number, unit) => words.fromTo(shown(line, first, speech), number, unit));
}

/**
 * @param {any} size
 * @param {Speech} speech
 */
const fewerThan = (size, { words }) => words.fewerNumbers(size);

/**
 * Whether a range holds one number. The outer ranges are open: below 0 nothing is counted, and beyond the upper
 * end there may be more.
 *
 * @param {Question} question
 * @param {Cell} cell
 */
function holdsOne({ line, cuts }, cell) {
  const parts = remainder({ line, cuts }, cell);
  /** @param {number[]} pair */
  const isOpen = ([above, upTo]) => upTo === line.ticks || (above === 0 && line.lower !== "-1");
  return line.whole === true && line.step === "1" && parts.length === 1 && parts[0][1] - parts[0][0] === 1 && !isOpen(parts[0]);
}

/**
 * Whether chance can leave some number by itself.
 *
 * @param {Question} question
 */
function canHoldOne(question) {
  const { kind, line, ring } = question;
  /** @param {any} parts */
  const isNext = ({ a, first, last }) => first <= a + 1 && a + 1 <= last && ring.weights[a] > 0;
  if (kind === "ring") return pairRows(ring).some((row) => isNext(row) && holdsOne(question, [row.a, row.a + 1]));
  return kind === "cuts" && line.whole === true && narrowest(question).some((cell) => holdsOne(question, cell) && canBeLeft(question, cell));
}

/**
 * For each step that is not sent exactly the least range that cuts can leave around it. What is sent exactly beside
 * it does not count.
 *
 * @param {Question} question
 */
function narrowest({ line: { ticks }, cuts: { open, weights } }) {
  const isOpen = Array(ticks).fill(false);
  open.forEach(([above, upTo]) => isOpen.fill(true, above, upTo));
  /** @param {number} tick */
  const isEnd = (tick) => tick === 0 || tick === ticks || weights[tick - 1] > 0;
  return isOpen.flatMap((isExact, step) => {
    let [low, high] = [step, step + 1];
    while (!isExact && isOpen[low - 1]) low -= 1;
    while (!isExact && isOpen[high]) high += 1;
    while (low < step && !isEnd(low)) low += 1;
    while (high > step + 1 && !isEnd(high)) high -= 1;
    return !isExact && isEnd(low) && isEnd(high) ? [[low, high]] : [];
  });
}

/**
 * Whether there are cuts enough for a range, and no floor keeps it from being sent.
 *
 * @param {Question} question
 * @param {number[]} pair
 */
function canBeLeft({ line, cuts: { number, floor } }, [low, high]) {
  const sides = [[0, low], [high, line.ticks]].filter(([above, upTo]) => above < upTo);
  const kept = floor?.rule === "skip" ? [[low, high], ...sides] : [[low, high]];
  return sides.length <= number && (floor === null || kept.every((cell) => keeps(floor, cell)));
}

rangeTexts.whole = wholePhrase;
rangeTexts.wholeSize = fewerThan;
Object.assign(oddsTexts, { holdsOne, canHoldOne });
