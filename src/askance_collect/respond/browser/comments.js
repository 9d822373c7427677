// Texts beside the question before them: comments, on the same screen. A page whose form has none goes
// without this module.

import { clearOnInput, complaintLine } from "./controls.js";
import { element } from "./element.js";
import { register } from "./hooks.js";
import { changeScreen } from "./screen.js";
import { renumberSteps } from "./sections.js";
import { writing } from "./texts.js";

/**
 * The steps with each comment on the screen of its question, which is counted once. A comment keeps a
 * step of its own behind that, so that it can be gone to from the review.
 *
 * @type {Wrapper<"arrangeSteps">}
 */
const joinSteps = (next) => (steps, form) => {
  /** @param {any} parts */
  const isBeside = (/** @type {{ question?: number }} */ { question = -1 }) => form.questions[question]?.beside;
  if (!steps.some(isBeside)) return next(steps, form);
  return renumberSteps(next(steps.filter((step) => !isBeside(step)), form)).flatMap((step) => {
    const comment = (step.question ?? -2) + 1;
    if (!isBeside({ question: comment })) return [step];
    const screen = changeScreen(step.screen, (nodes, visit) => withComment(nodes, comment, visit));
    return [{ ...step, screen }, { question: comment, beside: true, screen }];
  });
};

/**
 * @param {any[]} screenNodes
 * @param {number} comment
 * @param {Visit} visit
 */
function withComment(screenNodes, comment, { form, draft, speech }) {
  const question = form.questions[comment];
  const row = screenNodes.pop();
  const complaint = Object.assign(complaintLine(), { id: "overlong" });
  const { nodes, read } = writing(question, draft.answer(comment), speech, speech.text(question.text), "comment");
  const node = element("div", {}, complaint, ...nodes);
  clearOnInput(node, complaint);
  // Before the button does what it does.
  row.addEventListener(
    "click",
    (/** @type {Event} */ event) => {
      try {
        draft.give(comment, read(complaint));
      } catch {
        event.stopPropagation();
      }
    },
    true,
  );
  return [...screenNodes, node, row];
}

/** @type {Wrapper<"nextStep">} */
const passComments = (next) => (steps, to, by, visit) => {
  let step = next(steps, to, by, visit);
  while (by && steps[step].beside) step = next(steps, step + by, by, visit);
  return step;
};

register({ name: "comments", detect: () => false, wrap: { arrangeSteps: joinSteps, nextStep: passComments } });
