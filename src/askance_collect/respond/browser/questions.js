// One question to a screen: what will be sent is said before an answer is asked for.

import { button, buttons, element, heading, paragraph } from "./element.js";
import { fieldFor } from "./field.js";
import { hooks } from "./hooks.js";
import { attempt, protection } from "./screens.js";
import { isProtected } from "./speech.js";

export const questionScreen = (at) => ({ render: (visit) => renderQuestion(visit, at) });

export function renderQuestion({ form, draft, speech, forward, back }, at) {
  const { words, text } = speech;
  const draws = draft.draws(at);
  const question = hooks.resolveQuestion(form.questions[at], draws);
  const field = fieldFor(question, draws, draft.answer(at), speech, () => draft.trail(at));
  const proceed = () => {
    const answer = attempt(field);
    if (!answer) return;
    draft.give(at, answer);
    forward();
  };
  const about = isProtected(question)
    ? protection(question, draws, speech, field.node)
    : (hooks.renderCoin(question, speech, field.node) ??
      [paragraph(words.plain, "badge open"), paragraph(words.plainHint, "hint"), field.node]);
  return [
    element("p", { className: "step" }, words.step(at + 1, form.questions.length)),
    heading(text(question.text)),
    ...hooks.renderHints(question, speech),
    ...about,
    buttons(button(words.back, back), button(words.proceed, proceed, "main")),
  ];
}
