// The controls a person answers with: named answers to choose from, and what else a form asks for.

import { questionKinds } from "./askance.js";
import { complaintLine, group, option, radio, showComplaint } from "./controls.js";

/**
 * What is asked in another way brings it here: a page goes without those that its form does not ask.
 *
 * @type {Record<string, any>}
 */
export const fieldTypes = {};

/**
 * A field is { node, read }: read gives an answer { index, typed?, steps? }; it gives nothing where
 * the field has more to ask, or complains and throws.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 * @param {() => Trail} trail
 * @returns {Field}
 */
export function fieldFor(question, draws, answer, speech, trail) {
  if (question.ask === "narrow") return fieldTypes.narrow(question, trail(), answer, speech);
  const way = question.ticks ? "ticks" : question.typed ? "typed" : question.kind;
  return (fieldTypes[way] ?? namesField)(question, draws, answer, speech);
}

/**
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 */
export function namesField(question, draws, answer, speech) {
  const offered = question.answers.map(({ label }, index) => ({ index, label: speech.text(label) }));
  return radioField(question, answer, speech, { offered });
}

/**
 * A choice among what is `offered`, an answer and its label each, and of no answer last. What stands before
 * and after it may have a choice of its own, of a number that is sent exactly.
 *
 * @param {Question} question
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 * @param {{ offered: { index: number, label: string, note?: string }[], before?: HTMLElement[], after?: HTMLElement[], exact?: any }} choices
 * @returns {Field}
 */
export function radioField(question, answer, speech, { offered, before = [], after = [], exact }) {
  const { words } = speech;
  /** @type {{ index: number | null, label: string, note?: string }[]} */
  const choices = [...offered, { index: null, label: words.rather }];
  const chosen = answer?.typed === undefined ? answer?.index : undefined;
  const radios = choices.map(({ index }) => radio(index === chosen));
  const rows = choices.map(({ label, note }, index) => option(radios[index], label, note));
  const complaint = complaintLine();
  const last = rows.pop();
  const node = group([...before, ...rows, ...after, last ?? ""], complaint, "radiogroup");
  const read = () => {
    if (exact?.radio.checked) return exact.read(complaint);
    const choice = choices[radios.findIndex(({ checked }) => checked)];
    if (!choice) throw showComplaint(complaint, words.choose, radios[0]);
    return { index: choice.index };
  };
  return { node, read };
}

/**
 * A person's own answer in words.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 */
export function answerLabel(question, draws, answer, speech) {
  if (!answer || answer.index === null) return speech.words.unanswered;
  if (answer.typed !== undefined) return fieldTypes.numberLabel(question.line, answer.typed, speech);
  const kind = questionKinds[question.kind];
  if (kind?.answerLabel) return kind.answerLabel(question, draws, answer, speech);
  return kind ? kind.label(question, answer.index, speech) : speech.text(question.answers[answer.index].label);
}
