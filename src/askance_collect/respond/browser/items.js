// List experiments: the draw says whether this device shows the list with the sensitive item, and how many items are
// true is sent, not which. The twin of ItemCount in askance_collect/wire/question.py. A page whose form has no such
// question goes without this module.

import { element } from "./element.js";
import { fieldTypes, namesField, radioField } from "./field.js";
import { assert, isWording, LABELS, questionShapes } from "./form.js";
import { register } from "./hooks.js";
import "./proof.js";
import { practiceScreen } from "./screens.js";
import { isProtected, oddsTexts } from "./speech.js";

// Schema: table.count
const COUNT = { "count?": { items: [isWording, 2, undefined, 20], sensitive: isWording, answers: LABELS } };

/** @param {Question} question */
const isCounted = ({ count }) => count;

/**
 * Each group counts its list for certain: of every answer, which is how many items are true without the sensitive
 * one, and then with it.
 *
 * @param {Form} form
 */
function validateCounts({ questions }) {
  for (const { count, groups, table: { rows } } of questions.filter(isCounted)) {
    const size = count.items.length + 1;
    /** @type {(row: number[], type: number) => boolean} */
    const isSent = (row, type) => {
      const columns = [type % size, size + (type % size) + Math.floor(type / size)];
      return `${row.flatMap((units, column) => (units > 0 ? [column] : []))}` === `${columns}`;
    };
    assert(`${groups?.map(({ reports }) => reports)}` === `${[size, size + 1]}`, "count");
    assert(count.answers.length === 2 && rows.length === 2 * size && rows.every(isSent), "count");
  }
}

/**
 * The items that this device's group counts.
 *
 * @param {Question} question
 */
const listOf = ({ count: { items, sensitive }, groups, group }) => (group === groups[1] ? [...items, sensitive] : items);

/**
 * The list, and how many of it are true. A number stands for an answer that sends it.
 *
 * @type {FieldType}
 */
function countField(question, draws, answer, speech) {
  if (!question.count) return namesField(question, draws, answer, speech);
  const { answers } = question;
  const list = listOf(question);
  const offered = [0, ...list.keys()].map((_, number) => {
    const index = number > question.count.items.length ? answers.length - 1 : number;
    return { index, label: speech.text(answers[index].label) };
  });
  const items = list.map((item) => element("li", {}, speech.text(item)));
  return radioField(question, answer, speech, { offered, before: [element("ul", { className: "items" }, ...items)] });
}

/**
 * What both ends of the list say, which no other number does.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
const ends = (question, { words }) => words.countEnds("0", `${listOf(question).length}`);

const { judged, proofBadges, proofText, describeSets } = oddsTexts;

Object.assign(oddsTexts, {
  /** @param {Question} question */
  judged(question) {
    const { count, answers } = question;
    if (!count) return judged?.(question);
    const places = [...answers.keys()];
    const half = answers.length / 2;
    return { ...question, sets: [places.slice(half), places.slice(0, half)].map((own) => ({ answers: own })) };
  },
  /** @type {(question: Question, speech: Speech) => string[]} */
  proofBadges: (question, speech) => (question.count ? [speech.words.partly] : proofBadges(question, speech)),
  /** @type {(question: Question, value: any, speech: Speech) => string} */
  proofText(question, value, speech) {
    if (!question.count) return proofText(question, value, speech);
    const { groups: [{ reports }] } = question;
    const number = value < reports ? value : value - reports;
    const isEnd = [0, listOf(question).length].includes(number);
    return isEnd ? ends(question, speech) : speech.words.countSent;
  },
  /** @type {(question: Question, speech: Speech) => any} */
  describeSets: (question, speech) =>
    question.count ? { lines: [ends(question, speech)], hint: speech.words.countSent } : describeSets?.(question, speech),
});

/**
 * Where all that is protected is counted, there is nothing to practise: no answer is changed by chance.
 *
 * @type {Wrapper<"arrangeRoute">}
 */
const leavePractice = (next) => (steps, form) => {
  const isPractised = form.questions.some((question) => isProtected(question) && !question.count);
  return next(isPractised ? steps : steps.filter(({ screen }) => screen !== practiceScreen), form);
};

/**
 * Of a number that was sent nobody is told who else sends it: an answer here is a number with the sensitive item and
 * one without, which the same label can name.
 *
 * @type {Wrapper<"resolveQuestion">}
 */
const leaveSenders = (next) => (question, draws, value) => {
  const resolved = next(question, draws, value);
  return question.count && !draws ? { ...resolved, answers: [] } : resolved;
};

fieldTypes.table = countField;
Object.assign(questionShapes.table[0], COUNT);
register({
  name: "items",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(isCounted),
  validate: validateCounts,
  wrap: { arrangeRoute: leavePractice, resolveQuestion: leaveSenders },
});
