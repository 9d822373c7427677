// Lists to tick whose items are questions of their own, each with a draw and a record: one screen asks
// them all. A page whose form has no such list goes without this module.

import { paragraph } from "./element.js";
import { assert, isWording } from "./form.js";
import { register } from "./hooks.js";
import { renderQuestion } from "./questions.js";
import { isAskedAsOne, isNamed, placesOf } from "./rows.js";
import { derive } from "./screen.js";
import { howMuch, isProtected } from "./speech.js";

// Schema: checklists
const LISTS = { checklists: [{ at: [0], text: isWording, items: [isWording, 2], none: isWording }, 1] };

/**
 * What cannot be asked as one is refused.
 *
 * @param {Form} form
 */
function validateLists(form) {
  form.checklists.forEach((list, index, lists) => {
    const free = index > 0 ? (placesOf(lists[index - 1]).pop() ?? 0) + 1 : 0;
    assert(list.at >= free && isAskedAsOne(list, form, isTicked), `checklists[${index}].at`);
  });
}

/** @param {Question} question */
const isTicked = (question) => isNamed(question) && question.answers.length === 2;

/**
 * What is ticked of a list, as bits; null for no answer, and undefined before there is one.
 *
 * @param {Checklist} list
 * @param {Draft} draft
 * @returns {number | null | undefined}
 */
export function ticked(list, draft) {
  const answers = placesOf(list).map((index) => draft.answer(index));
  if (answers.includes(undefined)) return undefined;
  if (answers.some((answer) => answer?.index === null)) return null;
  return answers.reduce((mask, answer, bit) => mask + (answer?.index === 0 ? 2 ** bit : 0), 0);
}

/**
 * @param {Checklist} list
 * @param {Draft} draft
 * @param {number | null} bits
 */
export function tick(list, draft, bits) {
  placesOf(list).forEach((place, index) => draft.give(place, { index: bits === null ? null : 1 - ((bits >> index) & 1) }));
}

/**
 * A list as one question: of what is said of each item, with the boxes of all.
 *
 * @param {Visit} visit
 * @param {Checklist} list
 */
function renderList(visit, list) {
  const { form, draft, speech } = visit;
  const { at: first, items, text } = list;
  const question = { ...form.questions[first], text, list, ticks: items.length };
  const bits = ticked(list, draft);
  const nodes = renderQuestion(
    derive(visit, {
      form: { ...form, questions: Object.assign([...form.questions], { [first]: question }) },
      draft: { ...draft, answer: () => (bits === undefined ? undefined : { index: bits }), give: (_, answer) => tick(list, draft, answer?.index) },
    }),
    first,
  );
  if (isProtected(question)) {
    const [odds, tells, row] = nodes.splice(-3);
    tells.append(paragraph(wholeLoss(question, speech)));
    nodes.push(paragraph(speech.words.tickEach, "hint"), odds, tells, row);
  }
  return nodes;
}

/**
 * The worst ratio of all records together: that of one, so many times.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
function wholeLoss({ table, ticks, ...question }, speech) {
  /** @type {any} */
  const rows = table.rows.map((row) => row.map((units) => BigInt(units) ** BigInt(ticks)));
  return howMuch({ ...question, ticks, table: { ...table, rows } }, { ...speech, words: { ...speech.words, ratio: speech.words.tickWhole } });
}

/**
 * The steps with one screen for each list.
 *
 * @param {Step[]} steps
 * @param {Form} form
 */
function gatherLists(steps, { checklists = [] }) {
  return steps.flatMap((step) => {
    const list = checklists.find((question) => placesOf(question).includes(step.question ?? -1));
    if (list === undefined) return [step];
    return step.question === list.at ? [{ ...step, screen: { render: (/** @type {Visit} */ visit) => renderList(visit, list) } }] : [];
  });
}

/**
 * The last look with one row for each list: what is ticked.
 *
 * @type {Hooks["renderAnswers"]}
 */
function renderLists(nodes, { form: { checklists = [] }, draft, speech }, row) {
  const shown = [...nodes];
  for (const list of checklists) {
    if (shown[list.at] === "") continue;
    const bits = ticked(list, draft);
    const items = list.items.filter((_, index) => ((bits ?? 0) >> index) & 1).map(speech.inside);
    const label = bits === null ? speech.words.unanswered : speech.list(items) || speech.text(list.none);
    placesOf(list).forEach((place) => {
      shown[place] = place === list.at ? row(speech.text(list.text), label, place) : "";
    });
  }
  return shown;
}

register({
  name: "lists",
  shapes: LISTS,
  validate: validateLists,
  wrap: { renderAnswers: () => renderLists, arrangeSteps: (next) => (steps, form) => next(gatherLists(steps, form), form) },
});
