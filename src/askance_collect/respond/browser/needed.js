// Questions that need an answer: said below each, with no choice of giving none. Whoever wants to give
// none leaves the survey. A page whose form needs no answer goes without this module.

import { paragraph } from "./element.js";
import { NEWER, need } from "./form.js";

function neededFit({ questions }) {
  const marked = questions.filter(({ needed }) => needed !== undefined);
  marked.forEach(({ name, needed }) => need(needed === true, `${name}.needed`));
  return marked.length > 0;
}

// What is said where nothing may be left out; without its words the choice of no answer is not made.
function insisting(speech) {
  const { words } = speech;
  return { ...speech, words: { ...words, rather: "", choose: words.needed, typeOne: words.typeNeeded, typeWhole: words.wholeNeeded } };
}

const others = { ...NEWER };

const insistent = (steps, form) =>
  others.arranged(steps, form).map((step) => {
    if (!form.questions[step.question]?.needed) return step;
    return { ...step, screen: (visit) => step.screen({ ...visit, speech: insisting(visit.speech) }) };
  });

const toldNeeded = (question, speech) => [...others.told(question, speech), ...(question.needed ? [paragraph(speech.words.needed, "hint")] : [])];

NEWER.parts.push(neededFit);
NEWER.arranged = insistent;
NEWER.told = toldNeeded;
