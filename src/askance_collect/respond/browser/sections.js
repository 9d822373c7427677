// Sections: a heading and a text over the first of their questions, and questions whose order chance makes
// anew at each visit, is never kept and never sent. A page whose form has no sections goes without this module.

import { systemWord, uniformBelow } from "./askance.js";
import { element, paragraphs } from "./element.js";
import { assert, isWording } from "./form.js";
import { register } from "./hooks.js";
import { isAsked } from "./questions.js";
import { changeScreen } from "./screen.js";
import { cardScreen } from "./screens.js";
import { isProtected } from "./speech.js";

// Schema: sections
const SECTIONS = { sections: [{ at: [0], title: isWording, text: isWording, "order?": "random" }, 1] };

/** @param {Form} form */
function validateSections({ sections, questions }) {
  sections.forEach(({ at: begins }, index) => {
    assert(begins < questions.length && (index === 0 || begins > sections[index - 1].at), `sections[${index}].at`);
  });
}

/**
 * The steps as they are asked, a section's heading over its first question, and the card where it is due.
 *
 * @type {Hooks["arrangeSteps"]}
 */
function arrangeSections(steps, { sections, questions }) {
  if (sections === undefined) return steps;
  const questionSteps = steps.filter(({ question }) => question !== undefined);
  const inOrder = sections.flatMap((section, index) => {
    const own = questionSteps.filter(({ question = -1 }) => question >= section.at && !(question >= sections[index + 1]?.at));
    return withHeading(section.order ? shuffle(own) : own, section);
  });
  const all = [...questionSteps.filter(({ question = -1 }) => question < sections[0].at), ...inOrder];
  const first = all.findIndex(({ question }) => question !== undefined && isProtected(questions[question]));
  return first < 0 ? all : [...all.slice(0, first), { screen: cardScreen }, ...all.slice(first)];
}

/**
 * The steps of a section: whichever is asked first begins with its heading.
 *
 * @param {Step[]} steps
 * @param {Section} section
 * @returns {Step[]}
 */
const withHeading = (steps, section) =>
  steps.map((step, index) => ({
    ...step,
    screen: changeScreen(step.screen, (nodes, visit) =>
      steps.slice(0, index).some((earlier) => isAsked(earlier, visit.draft)) ? nodes : [...sectionNodes(visit, section), ...nodes],
    ),
  }));

/**
 * @param {Visit} visit
 * @param {any} parts
 */
function sectionNodes({ speech }, { title, text }) {
  const body = speech.text(text);
  return [element("h2", { className: "section", tabIndex: -1 }, speech.text(title)), ...(body ? paragraphs(body) : [])];
}

/**
 * Every order is as likely as any other: Fisher and Yates (1938), Durstenfeld (1964).
 *
 * @template Item
 * @param {Item[]} steps
 * @param {() => number} [words]
 */
export function shuffle(steps, words = systemWord) {
  const mixed = [...steps];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = uniformBelow(index + 1, words);
    [mixed[index], mixed[other]] = [mixed[other], mixed[index]];
  }
  return mixed;
}

register({
  name: "sections",
  shapes: SECTIONS,
  validate: validateSections,
  wrap: { arrangeSteps: () => arrangeSections },
});
