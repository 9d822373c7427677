// Sections: a screen of its own before the question at which one begins, and questions whose order
// chance makes anew at each visit, is never kept and never sent. A page whose form has no sections goes
// without this module.

import { systemWord, uniformBelow } from "./askance.js";
import { button, buttons, heading, paragraphs } from "./element.js";
import { assert, isWording } from "./form.js";
import { register } from "./hooks.js";
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
 * The steps as they are asked, a section's screen before its questions, and the card where it is due.
 *
 * @type {Hooks["arrangeSteps"]}
 */
function arrangeSections(steps, { sections, questions }) {
  if (sections === undefined) return steps;
  const questionSteps = steps.filter(({ question }) => question !== undefined);
  /** @type {Step[]} */
  const inOrder = sections.flatMap((section, index) => {
    const own = questionSteps.filter(({ question = -1 }) => question >= section.at && !(question >= sections[index + 1]?.at));
    const over = own.map(({ question = -1 }) => question);
    return [{ over, screen: sectionScreen(section) }, ...(section.order ? shuffle(own) : own)];
  });
  const all = [...questionSteps.filter(({ question = -1 }) => question < sections[0].at), ...inOrder];
  const first = all.findIndex(({ question }) => question !== undefined && isProtected(questions[question]));
  return first < 0 ? all : [...all.slice(0, first), { screen: cardScreen }, ...all.slice(first)];
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

/** @param {Section} section */
const sectionScreen = (section) => ({ render: (/** @type {Visit} */ visit) => renderSection(visit, section) });

/**
 * @param {Visit} visit
 * @param {any} parts
 */
function renderSection({ speech, forward, back }, { title, text }) {
  const { words } = speech;
  const body = speech.text(text);
  return [
    heading(speech.text(title)),
    ...(body ? paragraphs(body) : []),
    buttons(button(words.back, back), button(words.proceed, forward, "main")),
  ];
}

register({
  name: "sections",
  shapes: SECTIONS,
  validate: validateSections,
  wrap: { arrangeSteps: () => arrangeSections },
});
