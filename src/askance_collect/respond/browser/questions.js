// One question to a screen: what will be sent is said before an answer is asked for.

import { asksFor } from "./controls.js";
import { button, buttons, heading, paragraph } from "./element.js";
import { fieldFor } from "./field.js";
import { hooks } from "./hooks.js";
import { protection, readField } from "./screens.js";
import { isHidden, isProtected } from "./speech.js";

/** @param {number} index */
export const questionScreen = (index) => ({ render: (/** @type {Visit} */ visit) => renderQuestion(visit, index) });

/**
 * A question with its own controls, or with others in their place.
 *
 * @param {Visit} visit
 * @param {number} index
 * @param {Field} [controls]
 */
export function renderQuestion(visit, index, controls) {
  const { form, draft, speech, forward, back } = visit;
  const { words, text } = speech;
  const draws = draft.draws(index);
  const question = hooks.resolveQuestion(form.questions[index], draws);
  const field = controls ?? fieldFor(question, draws, draft.answer(index), speech, () => draft.trail(index));
  const proceed = () => {
    const answer = readField(field);
    if (!answer) return;
    draft.give(index, answer);
    forward();
  };
  const mark = () => (isFirstPlain(visit, index) ? [paragraph(words.plain, "badge open"), paragraph(words.plainHint, "hint")] : []);
  const about = isProtected(question)
    ? protection(question, draws, speech, field.node)
    : (hooks.renderCoin(question, speech, field.node) ?? [...mark(), field.node]);
  return [
    asksFor(heading(text(question.text))),
    ...hooks.renderHints(question, speech),
    ...about,
    buttons(button(words.back, back), button(words.proceed, proceed, "main")),
  ];
}

/**
 * Whether a step asks this person a question, by what is known so far.
 *
 * @param {Step} step
 * @param {Pick<Draft, "answer">} draft
 */
export const isAsked = ({ question, beside }, draft) => question !== undefined && !beside && !draft.answer(question)?.skipped;

/**
 * Whether a plain question is the first in its section, or behind one that is protected: it says so, and
 * those after it need not.
 *
 * @param {Visit} visit
 * @param {number} index
 */
function isFirstPlain({ form: { questions, sections = [] }, draft, steps, state }, index) {
  /** @param {number} question */
  const section = (question) => sections.filter(({ at: begins }) => begins <= question).length;
  const before = steps.slice(0, state.step).reverse().find((step) => isAsked(step, draft))?.question;
  if (before === undefined || state.returning) return true;
  return isHidden(questions[before]) || questions[before].coin || section(before) !== section(index);
}
