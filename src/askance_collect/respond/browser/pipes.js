// Answers piped into later texts: what was answered plainly stands in the place of {name|otherwise}, on the
// screens of questions alone. In the review every such text has its other words, so that nothing but an
// answer's own place holds it. The twin of askance_collect/wire/form.py. A page whose form pipes nothing goes
// without this module.

import { fieldTypes } from "./field.js";
import { assert } from "./form.js";
import { register } from "./hooks.js";
import { speak } from "./speech.js";

const PIPE = /\{([a-z][a-z0-9_]{0,39})\|([^{}|]*)\}/g;

/** @param {string} text */
const namesIn = (text) => Array.from(text.matchAll(PIPE), ([, name]) => name);

/** @param {Question} question */
const isPiped = ({ piped }) => piped !== undefined;

/**
 * What may not be seen again, or may not be known by then, is refused.
 *
 * @param {Form} form
 */
function validatePipes({ questions, sections = [], checklists = [] }) {
  /** @param {Question} question */
  const isShown = ({ kind, coin }) => ["choice", "number", "text"].includes(kind) && coin === undefined;
  questions.forEach(({ piped, text }, index) => {
    if (piped === undefined) return;
    const { at: begins = 0, order } = sections.filter((section) => section.at <= index).at(-1) ?? {};
    /** @param {string} name */
    const isKnown = (name) => {
      const after = questions.findIndex((other) => other.name === name);
      return after >= 0 && after < index && isShown(questions[after]) && !(order && begins <= after);
    };
    assert(!checklists.some((list) => index >= list.at && index < list.at + list.items.length), `questions[${index}].text`);
    const wanted = Object.values(text).map(namesIn);
    assert(wanted.every((names) => names.length > 0 && names.every(isKnown)), `questions[${index}].piped`);
  });
}

/**
 * A form with its texts as they are shown: with answers, or with their other words.
 *
 * @param {Form} form
 * @param {(index: number) => Answer | undefined} answer
 * @returns {Form}
 */
function fillForm(form, answer) {
  /**
   * @param {Question} question
   * @param {any} answer
   * @param {string} tag
   */
  const inWords = ({ kind, answers, line }, { index, typed }, tag) => {
    if (kind === "choice") return answers[index].label[tag];
    return kind === "text" ? index : fieldTypes.numberLabel(line, typed, speak(tag));
  };
  /**
   * @param {string} text
   * @param {string} tag
   */
  const fill = (text, tag) =>
    text.replace(PIPE, (_, name, otherwise) => {
      const index = form.questions.findIndex((question) => question.name === name);
      return (answer(index)?.index ?? null) === null ? otherwise : inWords(form.questions[index], answer(index), tag);
    });
  const questions = form.questions.map((question) => {
    if (!question.piped) return question;
    return { ...question, text: Object.fromEntries(Object.entries(question.text).map(([tag, text]) => [tag, fill(text, tag)])) };
  });
  return { ...form, questions };
}

/**
 * Pages are not translated elsewhere that hold an answer in a question.
 *
 * @type {Hooks["resolveForm"]}
 */
function fillStep(form, { question }, { draft }) {
  document.documentElement.translate = false;
  return fillForm(form, question === undefined ? () => undefined : draft.answer);
}

register({
  name: "pipes",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(isPiped),
  validate: validatePipes,
  wrap: { resolveForm: () => fillStep },
});
