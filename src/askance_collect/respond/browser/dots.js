// The chances of a question as a picture: a hundred dots for each answer, one a person, in as many shapes
// as there are records, and the sentences one tap away. A page whose form has no such question goes
// without this module.

import { element, foldOut, paragraph } from "./element.js";
import { sum } from "./partition.js";
import { oddsTexts } from "./speech.js";

const SHAPES = ["", "ring", "square", "square ring"];

/**
 * What is shown of the sentences, listed in `list`; nothing where dots could not be distinguished.
 *
 * @param {Question} question
 * @param {string[]} lines
 * @param {HTMLElement} list
 * @param {Speech} speech
 */
function drawDots(question, lines, list, speech) {
  const { words, inside } = speech;
  /** @type {[string[], number[][]]} */
  const [labels, crowds] = oddsTexts.groupAlike?.(question, speech) ?? byAnswer(question, speech);
  if (labels.length > SHAPES.length) return undefined;
  const shapes = [...SHAPES.slice(0, labels.length), "either"];
  const people = crowds.map((units) => inPeople(units, question.table.total));
  const pictures = people.map((counts, index) => crowd(counts, shapes, lines[index]));
  if (people.some((counts) => counts.at(-1))) labels.push(words.oneOfThese);
  const key = labels.map((label, index) => element("li", {}, dot(shapes[index]), label));
  const legend = element("ul", { className: "key" }, ...key);
  if (!lines[1]) return [list, ...pictures, legend];
  const titled = pictures.flatMap((picture, index) => [paragraph(words.crowd(inside(question.answers[index].label))), picture]);
  return [...titled, legend, foldOut(words.inWords, list)];
}

/**
 * The records that come at all, and how often each comes from each answer.
 *
 * @param {Question} question
 * @param {Speech} speech
 * @returns {[string[], number[][]]}
 */
function byAnswer({ reports, table: { rows } }, { inside }) {
  const sent = [...reports.keys()].filter((column) => rows.some((row) => row[column] > 0));
  return [sent.map((column) => inside(reports[column].label)), rows.map((row) => sent.map((column) => row[column]))];
}

/**
 * Of a hundred people: how many send each record for certain, and how many are left, who send one of them.
 *
 * @param {number[]} units
 * @param {number} total
 */
export function inPeople(units, total) {
  const whole = units.map((unit) => Number((BigInt(unit) * 100n) / BigInt(total)));
  return [...whole, 100 - sum(whole)];
}

/**
 * @param {number[]} counts
 * @param {string[]} shapes
 * @param {string} label
 */
function crowd(counts, shapes, label) {
  const dots = counts.flatMap((count, index) => Array(count).fill(shapes[index])).map(dot);
  const picture = element("div", { className: "dots" }, ...dots);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  return picture;
}

/** @param {string} className */
const dot = (className) => element("i", { className });

oddsTexts.drawDots = drawDots;
