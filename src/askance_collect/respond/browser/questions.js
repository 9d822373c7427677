// One question to a screen: what will be sent is said before an answer is asked for.

import { asksFor } from "./controls.js";
import { button, buttons, heading, paragraph } from "./element.js";
import { fieldFor } from "./field.js";
import { hooks } from "./hooks.js";
import { protection, readField } from "./screens.js";
import { isProtected } from "./speech.js";

/** @param {number} index */
export const questionScreen = (index) => ({ render: (/** @type {Visit} */ visit) => renderQuestion(visit, index) });

/**
 * @param {Visit} visit
 * @param {number} index
 */
export function renderQuestion({ form, draft, speech, forward, back }, index) {
  const { words, text } = speech;
  const draws = draft.draws(index);
  const question = hooks.resolveQuestion(form.questions[index], draws);
  const field = fieldFor(question, draws, draft.answer(index), speech, () => draft.trail(index));
  const proceed = () => {
    const answer = readField(field);
    if (!answer) return;
    draft.give(index, answer);
    forward();
  };
  const about = isProtected(question)
    ? protection(question, draws, speech, field.node)
    : (hooks.renderCoin(question, speech, field.node) ??
      [paragraph(words.plain, "badge open"), paragraph(words.plainHint, "hint"), field.node]);
  return [
    asksFor(heading(text(question.text))),
    ...hooks.renderHints(question, speech),
    ...about,
    buttons(button(words.back, back), button(words.proceed, proceed, "main")),
  ];
}
