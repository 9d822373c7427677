// How the page speaks of three answers or more that are treated alike: once for all of them. A page whose
// form has none goes without this module.

import { sum } from "./partition.js";
import { oddsTexts } from "./speech.js";

/**
 * Whether three answers or more have the same chances each: itself, any other one, and the same rest.
 *
 * @param {Question} question
 */
function treatsAlike({ answers, reports, table: { rows } }) {
  const [first] = rows;
  /**
   * @param {number} answer
   * @param {number} column
   */
  const isExpected = (answer, column) => first[column < rows.length ? Number(column !== answer) : column];
  /**
   * @param {number[]} row
   * @param {number} answer
   */
  const alike = (row, answer) => reports[answer]?.name === answers[answer].name && row.every((entry, column) => entry === isExpected(answer, column));
  return rows.length > 2 && rows.every(alike);
}

/**
 * @param {any} own
 * @param {any} other
 * @param {string[]} rest
 * @param {Words} words
 */
const alikeText = (own, other, rest, words) => words.alike(own, other, rest.map((share) => `, ${share}`).join(""));

/**
 * The answer itself, all others together, and each of the rest that comes; nothing of answers that are not alike.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
function groupAlike(question, { words, inside }) {
  if (!treatsAlike(question)) return undefined;
  const { reports, table: { rows } } = question;
  const [first, { length }] = [rows[0], rows];
  const rest = [...reports.keys()].filter((column) => column >= length && first[column] > 0);
  const units = [first[0], sum(first.slice(1, length)), ...rest.map((column) => first[column])];
  return [[words.itself, words.another, ...rest.map((column) => inside(reports[column].label))], [units]];
}

oddsTexts.treatsAlike = treatsAlike;
oddsTexts.alikeText = alikeText;
oddsTexts.groupAlike = groupAlike;
