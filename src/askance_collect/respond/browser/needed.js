// Questions that need an answer: said below each, with no choice of giving none. Whoever wants to give
// none leaves the survey. A page whose form needs no answer goes without this module.

import { paragraph } from "./element.js";
import { register } from "./hooks.js";
import { derive } from "./screen.js";

/** @param {Question} question */
const isMarked = ({ needed }) => needed !== undefined;

/**
 * What is said where nothing may be left out; without its words the choice of no answer is not made.
 *
 * @param {Speech} speech
 */
function insisting(speech) {
  const { words } = speech;
  return { ...speech, words: { ...words, rather: "", choose: words.needed, typeOne: words.typeNeeded, typeWhole: words.wholeNeeded } };
}

/** @type {Wrapper<"arrangeSteps">} */
const insist = (next) => (steps, form) =>
  next(steps, form).map((step) => {
    if (!form.questions[step.question ?? -1]?.needed) return step;
    /** @param {Visit} visit */
    const render = (/** @type {Visit} */ visit) => step.screen.render(derive(visit, { speech: insisting(visit.speech) }));
    return { ...step, screen: { ...step.screen, render } };
  });

/** @type {Wrapper<"renderHints">} */
const hintNeeded = (next) => (question, speech) => [...next(question, speech), ...(question.needed ? [paragraph(speech.words.needed, "hint")] : [])];

register({
  name: "needed",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(isMarked),
  wrap: { arrangeSteps: insist, renderHints: hintNeeded },
});
