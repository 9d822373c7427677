// The controls a person answers with: named answers to choose from, and what else a form asks for.

import { questionKinds } from "./askance.js";
import { complain, complaintLine, group, option, radio } from "./controls.js";

// What is asked in another way brings it here: a page goes without those that its form does not ask.
export const fieldTypes = {};

// A field is { node, read }: read gives an answer { index, typed?, steps? }; it gives nothing where
// the field has more to ask, or complains and throws.
export function fieldFor(question, draws, given, speech, trail) {
  if (question.ask === "narrow") return fieldTypes.narrow(question, trail(), given, speech);
  const way = question.ticks ? "ticks" : question.typed ? "typed" : question.kind;
  return (fieldTypes[way] ?? namesField)(question, draws, given, speech);
}

function namesField(question, draws, given, speech) {
  const offered = question.answers.map(({ label }, index) => ({ index, label: speech.text(label) }));
  return radioField(question, given, speech, { offered });
}

// A choice among what is `offered`, an answer and its label each, and of no answer last. What stands before
// and after it may have a choice of its own, of a number that is sent exactly.
export function radioField(question, given, speech, { offered, before = [], after = [], exact }) {
  const { words } = speech;
  const choices = [...offered, { index: null, label: words.rather }];
  const chosen = given?.typed === undefined ? given?.index : undefined;
  const radios = choices.map(({ index }) => radio(index === chosen));
  const rows = choices.map(({ label, note }, at) => option(radios[at], label, note));
  const complaint = complaintLine();
  const last = rows.pop();
  const node = group(question, speech, [...before, ...rows, ...after, last], complaint);
  const read = () => {
    if (exact?.radio.checked) return exact.read(complaint);
    const found = choices[radios.findIndex(({ checked }) => checked)];
    if (!found) throw complain(complaint, words.choose, radios[0]);
    return { index: found.index };
  };
  return { node, read };
}

// A person's own answer in words.
export function answerLabel(question, draws, given, speech) {
  if (!given || given.index === null) return speech.words.unanswered;
  if (given.typed !== undefined) return fieldTypes.numberLabel(question.line, given.typed, speech);
  const kind = questionKinds[question.kind];
  if (kind?.given) return kind.given(question, draws, given, speech);
  return kind ? kind.said(question, given.index, speech) : speech.text(question.answers[given.index].label);
}
