// Lists to tick whose items are questions of their own, each with a draw and a record: one screen asks
// them all. A page whose form has no such list goes without this module.

import { canonical, isIndex } from "./askance.js";
import { paragraph } from "./element.js";
import { isList, isWording, assert } from "./form.js";
import { register } from "./hooks.js";
import { renderQuestion } from "./questions.js";
import { derive } from "./screen.js";
import { counted } from "./sections.js";
import { howMuch, isProtected } from "./speech.js";

// What cannot be asked as one is refused.
function validateLists(form) {
  const { checklists, questions, languages } = form;
  assert(isList(checklists) && checklists.length > 0, "checklists");
  checklists.forEach((list, at) => {
    const where = `checklists[${at}]`;
    assert(list !== null && isWording(list.text, languages) && isWording(list.none, languages), where);
    assert(isList(list.items) && list.items.length > 1 && list.items.every((item) => isWording(item, languages)), where);
    const free = at > 0 ? placesOf(checklists[at - 1]).at(-1) + 1 : 0;
    assert(isIndex(list.at, questions.length) && list.at >= free && isAskedAsOne(list, form), `${where}.at`);
  });
}

const placesOf = ({ at, items }) => items.map((_, n) => at + n);

// Whether all that is told once of the items is so of each.
function isAskedAsOne(list, { questions, sections = [], skips = [] }) {
  const places = placesOf(list);
  const asked = questions.slice(list.at, list.at + places.length);
  const [first] = asked;
  const isTicked = ({ kind, coin, groups, answers }) =>
    ["choice", "table"].includes(kind) && coin === undefined && groups === undefined && answers.length === 2;
  if (asked.length < places.length || !asked.every(isTicked)) return false;
  if (sections.some(({ at }) => at > list.at && places.includes(at))) return false;
  const rules = skips.filter(({ question }) => places.includes(question));
  const together = rules.length === 0 || (rules.length === places.length && rules[0].after < list.at);
  const alike = (one, other, keys) => keys.every((key) => canonical(one[key] ?? null) === canonical(other[key] ?? null));
  return (
    together &&
    asked.every((one) => alike(one, first, ["kind", "answers", "reports", "table", "blank"])) &&
    rules.every((one) => alike(one, rules[0], ["after", "answered", "send"]))
  );
}

// What is ticked of a list, as bits; null for no answer, and undefined before there is one.
export function ticked(list, draft) {
  const given = placesOf(list).map((at) => draft.answer(at));
  if (given.some((answer) => answer === undefined)) return undefined;
  if (given.some(({ index }) => index === null)) return null;
  return given.reduce((mask, { index }, at) => mask + (index === 0 ? 2 ** at : 0), 0);
}

export function tick(list, draft, bits) {
  placesOf(list).forEach((place, at) => draft.give(place, { index: bits === null ? null : 1 - ((bits >> at) & 1) }));
}

// A list as one question: of what is told of each item, with the boxes of all.
function renderList(visit, list) {
  const { form, draft, speech } = visit;
  const { at, items, text } = list;
  const question = { ...form.questions[at], text, list, ticks: items.length };
  const bits = ticked(list, draft);
  const nodes = renderQuestion(
    derive(visit, {
      form: { ...form, questions: Object.assign([...form.questions], { [at]: question }) },
      draft: { ...draft, answer: () => bits !== undefined && { index: bits }, give: (_, { index }) => tick(list, draft, index) },
    }),
    at,
  );
  if (isProtected(question)) {
    const [odds, tells, row] = nodes.splice(-3);
    tells.append(paragraph(wholeLoss(question, speech)));
    nodes.push(paragraph(speech.words.tickEach, "hint"), odds, tells, row);
  }
  return nodes;
}

// The worst ratio of all records together: that of one, so many times.
function wholeLoss({ table, ticks, ...question }, speech) {
  const rows = table.rows.map((row) => row.map((units) => BigInt(units) ** BigInt(ticks)));
  return howMuch({ ...question, table: { rows } }, { ...speech, words: { ...speech.words, ratio: speech.words.tickWhole } });
}

// The steps with one screen for each list.
function gathered(steps, { checklists = [] }) {
  return steps.flatMap((step) => {
    const list = checklists.find((one) => placesOf(one).includes(step.question));
    if (list === undefined) return [step];
    return step.question === list.at ? [{ ...step, screen: { render: (visit) => renderList(visit, list) } }] : [];
  });
}

// The last look with one row for each list: what is ticked.
function listed(nodes, { form: { checklists = [] }, draft, speech }, row) {
  const shown = [...nodes];
  for (const list of checklists) {
    if (shown[list.at] === "") continue;
    const given = ticked(list, draft);
    const items = list.items.filter((_, at) => (given >> at) & 1).map(speech.inside);
    const told = given === null ? speech.words.unanswered : speech.list(items) || speech.text(list.none);
    placesOf(list).forEach((at) => {
      shown[at] = at === list.at ? row(speech.text(list.text), told, at) : "";
    });
  }
  return shown;
}

register({
  name: "lists",
  detect: ({ checklists }) => checklists !== undefined,
  validate: validateLists,
  wrap: { renderAnswers: () => listed, arrangeSteps: (next) => (steps, form) => counted(next(gathered(steps, form), form)) },
});
