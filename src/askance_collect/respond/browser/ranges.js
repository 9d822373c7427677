// How the page speaks of ranges: what one reads, what chance drew, and what will never be sent.

import { numberAt, roundedUp } from "./line.js";
import { between, cells, largest, pairRows, remainder, sum } from "./partition.js";

/** @param {Question} question */
export const isRange = ({ kind }) => kind === "cuts" || kind === "ring";
/** @param {Question} question */
export const isNarrowed = ({ kind, ask }) => kind === "cuts" && ask === "narrow";
/** @param {Question} question */
export const isWithheld = ({ kind, cuts }) => kind === "cuts" && cuts.floor?.rule === "withhold";
/** @param {Question} question */
export const openOf = ({ kind, cuts }) => (kind === "cuts" ? cuts.open : []);
/**
 * How some are spoken of brings it here: a page goes without what its form has no use for.
 *
 * @type {Record<string, any>}
 */
export const rangeTexts = {};
/** @param {string} phrase */
export const tidy = (phrase) => phrase.replace(/ +/g, " ").trim();

/**
 * A range in words, as a record reads it; the outer ends of the line are open.
 *
 * @param {Question} question
 * @param {Cell} cell
 * @param {Speech} speech
 */
export function rangeLabel(question, cell, speech) {
  return capital(rangePhrase(question, cell, speech), speech);
}

/**
 * @param {string} phrase
 * @param {any} parts
 */
export const capital = (phrase, { language }) => phrase.charAt(0).toLocaleUpperCase(language) + phrase.slice(1);

/**
 * The same in the middle of a sentence.
 *
 * @param {Question} question
 * @param {Cell} cell
 * @param {Speech} speech
 */
export function rangePhrase(question, cell, speech) {
  const parts = remainder(question, cell);
  const plain = parts.length > 0 ? parts : [cell];
  return plain.map((part) => plainPhrase(question.line, part, speech)).join(speech.words.or);
}

/**
 * A range without what is sent exactly. The survey's own words stand for the lowest answer and for the highest: the
 * lowest is said before the rest of its range, the highest where it is alone.
 *
 * @param {Line} line
 * @param {number[]} pair
 * @param {Speech} speech
 * @returns {string}
 */
export function plainPhrase(line, [above, upTo], speech) {
  const { words, inside } = speech;
  const [low, high] = [above, upTo].map((tick) => numberAt(line, tick));
  const isLast = upTo === line.ticks;
  if (isLast && above === 0) return words.anyNumber;
  if (isLast && line.highest && upTo - above === 1) return inside(line.highest);
  if (above === 0 && line.lowest) return lowestPhrase(line, upTo, speech);
  if (line.whole && above > 0) return rangeTexts.whole(line, [above, upTo], speech);
  if (above === 0) return inUnit(line, high, speech, words.orLess);
  if (isLast) return inUnit(line, low, speech, words.moreThan);
  return inUnit(line, high, speech, (number, unit) => words.between(shown(line, low, speech), number, unit));
}

/**
 * @param {Line} line
 * @param {number} upTo
 * @param {Speech} speech
 */
function lowestPhrase({ lowest, ...line }, upTo, speech) {
  const name = speech.inside(/** @type {Wording} */ (lowest));
  const isSingle = line.whole && line.step === "1";
  if (isSingle && upTo === 1) return name;
  return name + speech.words.or + plainPhrase(line, [isSingle ? 1 : 0, upTo], speech);
}

/**
 * What is said of a number with its unit, in the plural that the language has for this number. Where the form does
 * not have it, the unit stands before: so it fits every number.
 *
 * @param {Line} line
 * @param {number} value
 * @param {Speech} speech
 * @param {(number: string, unit: string) => string} say
 */
export function inUnit(line, value, speech, say = (number, unit) => `${number} ${unit}`) {
  const [unit, category] = [speech.inside(line.unit), speech.plural(value)];
  const form = category === "other" ? line.unit : line[/** @type {Plural} */ (category)];
  const counted = (form && speech.inside(form)) || "";
  const phrase = tidy(say(shown(line, value, speech), counted));
  return counted || !unit ? phrase : `${unit}: ${phrase}`;
}

/**
 * A number, and a tick, of the line with its unit.
 *
 * @param {Line} line
 * @param {number} number
 * @param {Speech} speech
 */
export const numberLabel = (line, number, speech) => inUnit(line, number, speech);
/**
 * @param {Line} line
 * @param {number} tick
 * @param {Speech} speech
 */
export const tickLabel = (line, tick, speech) => numberLabel(line, numberAt(line, tick), speech);
/**
 * @param {Line} line
 * @param {Speech} speech
 */
export const stepLabel = (line, speech) => tickLabel({ ...line, lower: "0" }, 1, speech);

/**
 * A number as this line writes it: in groups of three if any needs them, so that years stay years.
 *
 * @param {Line} line
 * @param {number} value
 * @param {Speech} speech
 */
export function shown(line, value, { number, grouped }) {
  return numberAt(line, line.ticks) < 10000 ? number(value) : grouped(value);
}

/**
 * How many of 100 people are in a range, where the form counts them; nothing where steps count alike
 * or everyone is in it.
 *
 * @param {Question} question
 * @param {number[]} pair
 * @param {Speech} speech
 */
export function shareIn({ cuts: { floor } }, [above, upTo], { words, number }) {
  if (floor === null || isEven(floor)) return "";
  const [inside, all] = [between(floor.sizes, above, upTo), sum(floor.sizes)];
  return inside === all ? "" : words.holds(number(Number((100n * BigInt(inside)) / BigInt(all))));
}

/** @param {Sizes} floor */
function isEven({ sizes }) {
  const counted = sizes.filter((size) => size > 0);
  return counted.every((size) => size === counted[0]);
}

/**
 * What chance drew or will show, what is never sent, and what is sent exactly.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Speech} speech
 */
export function rangeSentences(question, draws, speech) {
  return [drawnSentence(question, draws, speech), ...promises(question, speech), ...(rangeTexts.exact?.(question, speech) ?? [])];
}

/**
 * @param {Question} question
 * @param {Draws} draws
 * @param {Speech} speech
 */
function drawnSentence(question, draws, speech) {
  const { words } = speech;
  if (isNarrowed(question)) return words.narrowHow;
  if (question.typed) return rangeTexts.typed(speech);
  /** @param {number} tick */
  const show = (tick) => shown(question.line, numberAt(question.line, tick), speech);
  /** @param {any} end */
  const inside = (end) => end > 0 && end < question.line.ticks;
  const ticks = cells(question, draws).flat().filter(inside);
  const drawn = [...new Set(ticks)].sort((a, b) => a - b).map(show);
  if (drawn.length === 0) return words.cutNone;
  if (isFixed(question)) return words.cutFixed(speech.list(drawn));
  const say = question.kind === "ring" ? words.cutRing : drawn.length > 1 ? words.cutMany : words.cutOne;
  return say(speech.list(drawn), ...reach(question).map(show));
}

/**
 * Whether chance has but one thing to draw.
 *
 * @param {Question} question
 */
function isFixed({ kind, cuts, ring }) {
  /** @param {number[]} weights */
  const single = (weights) => weights.filter((weight) => weight > 0).length === 1;
  if (kind === "cuts") return single(cuts.weights);
  const rows = pairRows(ring);
  return rows.length === 1 && single(ring.weights.slice(rows[0].first - 1, rows[0].last));
}

/**
 * The lowest and the highest tick that chance can draw.
 *
 * @param {Question} question
 */
function reach({ kind, cuts, ring }) {
  const { weights } = kind === "ring" ? ring : cuts;
  const ticks = weights.flatMap((weight, index) => (weight > 0 ? [index + 1] : []));
  if (kind === "cuts") return [ticks[0], ticks[ticks.length - 1]];
  const rows = pairRows(ring);
  const last = largest(rows.map((row) => row.last));
  return [rows[0].a, largest(ticks.filter((tick) => tick <= last))];
}

/**
 * What no range that is sent will ever be; or, where it would be, that nothing is sent.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
export function promises(question, speech) {
  const { words } = speech;
  const floor = question.kind === "ring" ? question.ring : question.cuts.floor;
  if (floor === null) return [];
  const limit = tooNarrow(question.line, floor, speech);
  return [isWithheld(question) ? words.withheld(limit) : words.neverSent(limit)];
}

/**
 * The least size in the line's own unit, or in whole numbers, where every step counts alike, else in people.
 *
 * @param {Line} line
 * @param {Sizes} floor
 * @param {Speech} speech
 */
function tooNarrow(line, floor, speech) {
  const { words, number } = speech;
  const { sizes, least } = floor;
  if (isEven(floor)) {
    const width = numberAt({ ...line, lower: "0" }, Math.ceil(least / largest(sizes)));
    return line.whole ? rangeTexts.wholeSize(shown(line, width, speech), speech) : inUnit(line, width, speech, words.narrowerThan);
  }
  return words.fewerThan(number(Number((BigInt(least) * 1000n) / BigInt(sum(sizes))) / 10));
}

/**
 * What can be learnt beside the range itself, for the curious.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
export function rangeTells(question, speech) {
  const { words } = speech;
  const { blank } = question;
  const sentences = [words.rangeTells];
  if (isNarrowed(question)) sentences.push(words.stopTells);
  if (isWithheld(question) && blank[0] === 0) sentences.push(words.blankRulesOut);
  if (isWithheld(question) && blank[0] > 0) {
    sentences.push(words.blankRatio(speech.number(roundedUp(BigInt(blank[1]), BigInt(blank[0]), 2))));
  }
  return sentences.join(" ");
}
