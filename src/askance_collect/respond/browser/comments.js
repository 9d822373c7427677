// Texts beside the question before them: comments, on the same screen. A page whose form has none goes
// without this module.

import { clearOnInput, complaintLine } from "./controls.js";
import { element, partOf } from "./element.js";
import { register } from "./hooks.js";
import { derive } from "./screen.js";
import { readField } from "./screens.js";
import { writing } from "./texts.js";

/**
 * The steps with each comment on the screen of its question, with which it is counted. A comment keeps a
 * step of its own behind that, so that it can be gone to from the review.
 *
 * @type {Wrapper<"arrangeSteps">}
 */
const joinSteps = (next) => (steps, form) => {
  /** @param {Pick<Step, "question">} step */
  const isBeside = ({ question = -1 }) => form.questions[question]?.beside;
  return next(steps.filter((step) => !isBeside(step)), form).flatMap((step) => {
    const comment = (step.question ?? -2) + 1;
    if (!isBeside({ question: comment })) return [step];
    const screen = { render: (/** @type {Visit} */ visit) => renderWithComment(step.screen, comment, visit) };
    return [{ ...step, screen }, { question: comment, beside: true, screen }];
  });
};

/**
 * Both fields are looked at before the screen is left.
 *
 * @param {PageScreen} screen
 * @param {number} comment
 * @param {Visit} visit
 */
function renderWithComment(screen, comment, visit) {
  const { form, draft, speech, forward } = visit;
  const question = form.questions[comment];
  const complaint = Object.assign(complaintLine(), { id: "overlong" });
  const { nodes, read } = writing(question, draft.answer(comment), speech, speech.text(question.text), "comment");
  const node = element("div", {}, complaint, ...nodes);
  clearOnInput(node, complaint);
  const summary = element("div", {});
  const own = screen.render(derive(visit, { forward: () => complaint.textContent === "" && forward() }));
  const row = own.splice(-1)[0];
  const fields = [...own, node];
  const look = () => {
    const answer = readField({ read: () => read(complaint) });
    if (answer) draft.give(comment, answer);
  };
  // Before the button does what it does, and after it.
  row.addEventListener("click", look, true);
  row.addEventListener("click", () => summarize(summary, fields, speech)?.focus());
  for (const part of fields) part.addEventListener("input", () => summarize(summary, fields, speech));
  return [summary, ...fields, row];
}

/**
 * What is wrong on a screen of several fields, and where: with a link to each of them.
 *
 * @param {HTMLElement} summary
 * @param {HTMLElement[]} nodes
 * @param {Speech} speech
 */
function summarize(summary, nodes, { words }) {
  /** @type {HTMLElement[]} */
  const inside = nodes.flatMap((node) => [node, ...node.querySelectorAll(/** @type {"input"} */ ("[aria-invalid]"))]);
  const invalid = inside.filter((node) => node.matches("[aria-invalid]"));
  const items = invalid.map((field, index) => element("li", {}, linkTo(field, `field-${index}`)));
  summary.className = items.length > 0 ? "problems" : "";
  summary.replaceChildren(...(items.length > 0 ? [element("h2", { tabIndex: -1 }, words.problems), element("ul", {}, ...items)] : []));
  return summary.querySelector("h2");
}

/**
 * A link that moves no entry of the history.
 *
 * @param {HTMLElement} field
 * @param {string} id
 */
function linkTo(field, id) {
  field.id ||= id;
  const complaint = partOf(field.getAttribute("aria-errormessage") ?? "");
  const link = element("a", { href: `#${field.id}` }, complaint.textContent);
  link.addEventListener("click", (press) => {
    press.preventDefault();
    const control = field.matches("fieldset") ? field.querySelector("input") : field;
    control?.focus();
  });
  return link;
}

/** @type {Wrapper<"nextStep">} */
const passComments = (next) => (steps, to, by, visit) => {
  let step = next(steps, to, by, visit);
  while (by && steps[step].beside) step = next(steps, step + by, by, visit);
  return step;
};

register({ name: "comments", detect: () => false, wrap: { arrangeSteps: joinSteps, nextStep: passComments } });
