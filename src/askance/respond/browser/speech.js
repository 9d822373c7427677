// How the page speaks one language: its own words, the form's wording, numbers, and the sentences
// that say what a record means. Every count is worked out from the form's integers.

import { isRange, rangeFigures, rangeLabel, tickLabel } from "./ranges.js";
import { WORDS_OF } from "./words-en.js";

const RIGHT_TO_LEFT = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];

export function speak(language) {
  const short = language.split("-")[0];
  const spoken = WORDS_OF[short] ? language : "en";
  const written = (useGrouping) => new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping });
  const [sparing, always] = ["min2", "always"].map(written);
  const list = new Intl.ListFormat(spoken);
  const choice = new Intl.ListFormat(spoken, { type: "disjunction" });
  return {
    language,
    direction: RIGHT_TO_LEFT.includes(short) ? "rtl" : "ltr",
    words: WORDS_OF[short] ?? WORDS_OF.en,
    text: (wording) => wording[language],
    number: (value) => sparing.format(value),
    grouped: (value) => always.format(value),
    list: (parts) => list.format(parts),
    either: (parts) => choice.format(parts),
  };
}

export const isProtected = (question) => question.kind === "table" || isRange(question);

// Whether every record that an answer can send is true of it.
export function isTruthful({ kind, reports, table }) {
  if (kind !== "table") return true;
  return table.rows.every((row, at) =>
    row.every((entry, column) => entry === 0 || reports[column].means.includes(at)),
  );
}

// "Of 100 people whose answer is “Yes”, 60 send “Yes”, …", for each answer; blanks aside. Of many sets
// that always hold the answer, only how many there are.
export function frequencies(question, speech) {
  const { words, text } = speech;
  const { rows, total } = question.table;
  if (isTruthful(question) && rows.some((row) => row.filter((entry) => entry > 0).length > 3)) {
    const sent = question.reports.filter((_, column) => rows.some((row) => row[column] > 0));
    return [words.sets(sent.length)];
  }
  return question.answers.map(({ label }, at) => {
    const row = rows[at];
    const share = (column) => outOf100(BigInt(row[column]), BigInt(total), speech);
    const alike = row.every((entry, column) => entry > 0 && (column === at || entry === row[at ? 0 : 1]));
    const send = (column) => words.send(share(column), text(question.reports[column].label));
    const parts =
      alike && row.length > 3 && row[at] > 0
        ? [send(at), words.sendOthers(share(at ? 0 : 1))]
        : row.flatMap((entry, column) => (entry === 0 ? [] : [send(column)]));
    return words.of(text(label), speech.list(parts));
  });
}

// How many of 100 people with each answer send this record, where it is not blank.
export function senders(question, column, speech) {
  const total = BigInt(question.table.total);
  return question.answers.map(({ label }, at) => {
    const share = outOf100(BigInt(question.table.rows[at][column]), total, speech);
    return speech.words.sendThis(speech.text(label), share);
  });
}

// The answers that a record leaves open, unless its own label lists them.
export function stillPossible({ answers, reports }, column, { words, text, either }) {
  const listed = either(reports[column].means.map((at) => text(answers[at].label)));
  return listed === text(reports[column].label) ? "" : words.possible(listed);
}

// How often chance alone leaves a record blank; nothing where it never does.
export function blankSentence({ blank }, speech) {
  if (blank[0] === 0) return "";
  return speech.words.blank(outOf100(BigInt(blank[0]), BigInt(blank[1]), speech));
}

function outOf100(units, total, { words, number }) {
  const hundred = units * 100n;
  if (hundred % total === 0n) return number(Number(hundred / total));
  if (hundred * 10n < total) return words.fewer(number(0.1));
  if ((total * 100n - hundred) * 10n < total) return words.more(number(99.9));
  return number(Number((hundred * 20n + total) / (2n * total)) / 10);
}

// The worst ratio that any record gives between two answers, rounded up, and its logarithm.
export function worstRatio(question, speech) {
  const { words, number } = speech;
  if (isRange(question)) return rangeFigures(question, speech);
  const { table } = question;
  let worst = 1;
  for (let column = 0; column < table.rows[0].length; column += 1) {
    const entries = table.rows.map((row) => row[column]);
    if (Math.max(...entries) > 0) worst = Math.max(worst, Math.max(...entries) / Math.min(...entries));
  }
  if (worst === Infinity) return words.noRatio;
  const up = (value) => number(Math.ceil(value * 1000 - 1e-6) / 1000);
  return words.ratio(up(worst), up(Math.log(worst)));
}

// What a record reads, in words.
export function recordLabel(question, value, speech) {
  if (question.kind === "table") return speech.text(question.reports[value].label);
  if (question.kind === "choice") return speech.text(question.answers[value].label);
  if (isRange(question)) return rangeLabel(question, value, speech);
  return tickLabel(question.line, value, speech);
}
