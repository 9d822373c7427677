// Grids: questions with the same answers, asked on one screen in a row each. Each has its own draw and its own
// record. A page whose form has no grid goes without this module.

import { element, paragraph } from "./element.js";
import { fieldFor } from "./field.js";
import { assert, isWording } from "./form.js";
import { register } from "./hooks.js";
import { renderQuestion } from "./questions.js";
import { isAskedAsOne, isNamed, placesOf } from "./rows.js";
import { derive } from "./screen.js";
import { isProtected } from "./speech.js";

// Schema: grids
const GRIDS = { grids: [{ at: [0], text: isWording, items: [isWording, 2] }, 1] };

/**
 * What cannot be asked as one is refused.
 *
 * @param {Form} form
 */
function validateGrids(form) {
  const taken = new Set((form.checklists ?? []).flatMap(placesOf));
  form.grids.forEach((grid, index, grids) => {
    const places = placesOf(grid);
    const isFree = (index === 0 || grid.at > (placesOf(grids[index - 1]).pop() ?? 0)) && !places.some((place) => taken.has(place));
    const isGrid = isAskedAsOne(grid, form, isRow) && !form.questions[grid.at + places.length]?.beside;
    assert(isFree && isGrid, `grids[${index}].at`);
  });
}

/** @param {Question} question */
const isRow = (question) => isNamed(question) && question.ticks === undefined && question.piped === undefined;

/**
 * A grid as one question, whose answers are those of all rows.
 *
 * @param {Visit} visit
 * @param {Grid} grid
 */
function renderGrid(visit, grid) {
  const { form, draft, speech } = visit;
  const places = placesOf(grid);
  const question = { ...form.questions[grid.at], text: grid.text };
  const rows = places.map((place, index) => rowField(visit, place, speech.text(grid.items[index])));
  /** @type {any} */
  const field = {
    node: element("div", { className: "grid" }, ...rows.map(({ node }) => node)),
    read() {
      const answers = rows.map((row) => row.read());
      answers.forEach((answer, index) => draft.give(places[index], answer));
      return answers[0];
    },
  };
  const questions = Object.assign([...form.questions], { [grid.at]: question });
  const nodes = renderQuestion(derive(visit, { form: { ...form, questions } }), grid.at, field);
  return isProtected(question) ? nodes.flatMap((node) => (node === field.node ? [node, paragraph(speech.words.tickEach, "hint")] : [node])) : nodes;
}

/**
 * The choices of one row, under names of their own.
 *
 * @param {Visit} visit
 * @param {number} place
 * @param {string} item
 */
function rowField({ form, draft, speech }, place, item) {
  const field = fieldFor(form.questions[place], draft.draws(place), draft.answer(place), speech, () => draft.trail(place));
  const title = element("h2", { id: `row${place}` }, item);
  const complaint = field.node.children[0];
  complaint.id += place;
  field.node.setAttribute("aria-labelledby", `asked ${title.id}`);
  field.node.setAttribute("aria-describedby", complaint.id);
  for (const control of field.node.querySelectorAll("input")) control.name += place;
  field.node.prepend(title);
  return field;
}

/**
 * The steps with one for each grid. A row keeps a step of its own behind it, to be gone to from the review.
 *
 * @type {Wrapper<"arrangeSteps">}
 */
const joinRows = (next) => (steps, form) => {
  /** @param {number | undefined} question */
  const gridOf = (question = -1) => form.grids?.find((grid) => placesOf(grid).includes(question));
  const joined = steps.flatMap((step) => {
    const grid = gridOf(step.question);
    if (!grid) return [step];
    const screen = { render: (/** @type {Visit} */ visit) => renderGrid(visit, grid) };
    return step.question === grid.at ? [{ ...step, rows: grid.items.length, screen }] : [];
  });
  return next(joined, form).flatMap((step) => {
    const [, ...others] = step.rows ? placesOf(/** @type {Grid} */ (gridOf(step.question))) : [];
    return [step, ...others.map((question) => ({ question, beside: true, screen: step.screen }))];
  });
};

/** @type {Wrapper<"nextStep">} */
const passRows = (next) => (steps, to, by, visit) => {
  let step = next(steps, to, by, visit);
  while (by && steps[step].beside) step = next(steps, step + by, by, visit);
  return step;
};

register({
  name: "grids",
  shapes: GRIDS,
  validate: validateGrids,
  wrap: { arrangeSteps: joinRows, nextStep: passRows },
});
