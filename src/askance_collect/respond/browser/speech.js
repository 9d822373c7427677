// How the page speaks one language: its own words, the form's wording, numbers, and the sentences
// that say what a record means. Every count is worked out from the form's integers.

import { questionKinds } from "./askance.js";
import { WORDS_OF, wordsIn } from "./words.js";

const RIGHT_TO_LEFT = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)$/;

/**
 * @param {string} language
 * @returns {Speech}
 */
export function speak(language) {
  const short = language.split("-")[0];
  const own = WORDS_OF[language] ?? WORDS_OF[short];
  const spoken = own ? language : "en";
  /**
   * Made when something is first said with it: the first of a browser's formats takes longer than the first
   * screen, which needs none.
   *
   * @param {any} make
   */
  const late = (make) => (/** @type {any} */ value) => (make.made ??= make()).format(value);
  /** @param {any} useGrouping */
  const written = (useGrouping) => late(() => new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping }));
  /** @param {"conjunction" | "disjunction"} type */
  const joined = (type) => late(() => new Intl.ListFormat(spoken, { type }));
  const sparing = written("min2");
  /** @type {Intl.PluralRules} */
  let plurals;
  const direction = RIGHT_TO_LEFT.test(short) ? "rtl" : "ltr";
  /**
   * Set apart by Unicode's isolates where a sentence of the page runs the other way.
   *
   * @param {string} phrase
   */
  const apart = (phrase) => (direction === "rtl" && phrase ? `\u2068${phrase}\u2069` : phrase);
  const values = new Map();
  /**
   * A number as it is written; which plural it takes is found again by how it is written.
   *
   * @param {number} value
   */
  const number = (value) => {
    const phrase = sparing(value);
    values.set(phrase, value);
    return phrase;
  };
  return {
    language,
    direction,
    words: wordsIn(own ?? WORDS_OF.en, spoken, number, (/** @type {string} */ phrase) => values.get(phrase)),
    /** @param {Wording} wording */
    text: (wording) => wording[language],
    /** @param {Wording} wording */
    inside: (wording) => apart(wording[language]),
    number,
    // What was said may have been an answer.
    clear: () => values.clear(),
    grouped: written("always"),
    /** @param {number} value */
    plural: (value) => (plurals ??= new Intl.PluralRules(language, { maximumFractionDigits: 6 })).select(value),
    list: joined("conjunction"),
    either: joined("disjunction"),
  };
}

/** @param {Question} question */
export const isProtected = (question) => isHidden(question) && (question.kind !== "table" || isShared(question));

/**
 * Whether chance on this device stands between an answer and what is sent.
 *
 * @param {Question} question
 */
export const isHidden = ({ kind }) => kind === "table" || questionKinds[kind]?.drawBounds !== undefined;

/**
 * Whether some record can come from two answers. Where none can, the answer itself is sent, in other
 * words at most.
 *
 * @param {Question} question
 */
function isShared({ reports, table: { rows } }) {
  return reports.some((_, column) => rows.filter((row) => row[column] > 0).length > 1);
}

/**
 * Whether every record that an answer can send is true of it.
 *
 * @param {Question} question
 */
export function isTruthful({ kind, reports, table }) {
  if (kind !== "table") return true;
  return table.rows.every((row, index) =>
    row.every((entry, column) => entry === 0 || reports[column].means.includes(index)),
  );
}

/**
 * How chances are worded besides: once of answers that are treated alike, of sets, as a ratio, and drawn. A
 * page goes without what its form has no use for.
 *
 * @type {Record<string, any>}
 */
export const oddsTexts = {};

/**
 * "Of 100 people whose answer is “Yes”, 60 send “Yes”, …", for each answer, or once for all; blanks
 * aside.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
export function frequencies(question, speech) {
  const { words, inside } = speech;
  const { answers, reports } = question;
  const { rows, total } = question.table;
  /** @param {any} entry */
  const share = (entry) => outOf100(BigInt(entry), BigInt(total), speech);
  /**
   * @param {number[]} row
   * @param {any} from
   */
  const sent = (row, from) =>
    reports.flatMap(({ label }, index) => (index < from || row[index] === 0 ? [] : [words.send(share(row[index]), inside(label))]));
  const [own, other] = rows[0].map(share);
  if (oddsTexts.treatsAlike?.(question)) return [oddsTexts.alikeText(own, other, sent(rows[0], rows.length), words)];
  return answers.map(({ label }, index) => words.of(inside(label), speech.list(sent(rows[index], 0))));
}

/**
 * How many of 100 people with each answer send this record, those whom chance leaves blank among them.
 *
 * @param {Question} question
 * @param {number} column
 * @param {Speech} speech
 */
export function senders({ answers, table: { rows, total }, blank }, column, speech) {
  const [silent, all] = blank.map(BigInt);
  return answers.map(({ label }, index) => {
    const share = outOf100(BigInt(rows[index][column]) * (all - silent), BigInt(total) * all, speech);
    return speech.words.sendThis(speech.inside(label), share);
  });
}

/**
 * The answers that can send a record, unless its own label lists them: by the table, whatever the
 * form says that the record means.
 *
 * @param {Question} question
 * @param {number} column
 * @param {Speech} speech
 */
export function stillPossible({ answers, reports, table }, column, { words, text, inside, either }) {
  const open = answers.filter((_, index) => table.rows[index][column] > 0);
  /** @param {any} say */
  const listed = (say) => either(open.map(({ label }) => say(label)));
  return listed(text) === text(reports[column].label) ? "" : words.possible(listed(inside));
}

/**
 * How often chance alone leaves a record blank; nothing where it never does.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
export function blankSentence({ blank }, speech) {
  if (blank[0] === 0) return "";
  return speech.words.blank(outOf100(BigInt(blank[0]), BigInt(blank[1]), speech));
}

/**
 * Of a hundred people, who are whole: so many, or one of two numbers.
 *
 * @param {any} units
 * @param {any} total
 * @param {Speech} speech
 */
export function outOf100(units, total, { words, number, either }) {
  const hundred = units * 100n;
  if (hundred % total === 0n) return number(Number(hundred / total));
  if (hundred < total) return words.fewer(number(1));
  if (hundred > total * 99n) return words.more(number(99));
  const least = Number(hundred / total);
  return either([least, least + 1].map(number));
}

/**
 * How much a record tells between two answers; of a range, what can be learnt beside it.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
export function howMuch(question, speech) {
  if (questionKinds[question.kind]) return questionKinds[question.kind].describeLoss(question, speech);
  return oddsTexts.worstRatio?.(question, speech) ?? speech.words.noRatio;
}

/**
 * What a record reads, in words.
 *
 * @param {Question} question
 * @param {Value} value
 * @param {Speech} speech
 */
export function recordLabel(question, value, speech) {
  if (questionKinds[question.kind]) return questionKinds[question.kind].label(question, value, speech);
  return speech.inside((question.reports ?? question.answers)[value].label);
}
