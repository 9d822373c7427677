// The controls a person answers with: named answers and ranges to choose from.

import { KINDS } from "./askance.js";
import { choicesOf, labelOf } from "./choices.js";
import { complain, complaintLine, group, option, radio } from "./controls.js";
import { element } from "./element.js";
import { isNarrowed, openOf, rangePhrase } from "./ranges.js";
import { cells } from "./partition.js";

// What is asked in another way brings it here: a page goes without those that its form does not ask.
export const FIELDS = {};

// A field is { node, read }: read gives an answer { index, typed?, steps? }; it gives nothing where
// the field has more to ask, or complains and throws.
export function fieldFor(question, draws, given, speech, trail) {
  if (isNarrowed(question)) return FIELDS.narrow(question, trail(), given, speech);
  const way = question.ticks ? "ticks" : question.typed ? "typed" : question.kind;
  return (FIELDS[way] ?? radioField)(question, draws, given, speech);
}

function radioField(question, draws, given, speech) {
  const { words } = speech;
  const offered = [...choicesOf(question, draws, speech), { index: null, label: words.rather }];
  const exact = openOf(question).length > 0 ? [FIELDS.exact(question, given, speech)] : [];
  const chosen = given?.typed === undefined ? given?.index : undefined;
  const radios = offered.map(({ index }) => radio(index === chosen));
  const rows = offered.map(({ label, note }, at) => option(radios[at], label, note));
  const complaint = complaintLine();
  const asked = question.kind === "ring" ? [ringAsked(question, draws, speech)] : [];
  const last = rows.pop();
  const told = exact.flatMap((row) => row.nodes);
  const ordered = openOf(question).at(-1)?.[0] === 0 ? [...told, ...rows] : [...rows, ...told];
  const node = group(question, speech, [...asked, ...ordered, last], complaint);
  const read = () => {
    if (exact.some((row) => row.radio.checked)) return exact[0].read(complaint);
    const found = offered[radios.findIndex(({ checked }) => checked)];
    if (!found) throw complain(complaint, words.choose, radios[0]);
    return { index: found.index };
  };
  return { node, read };
}

function ringAsked(question, draws, speech) {
  const [inside] = cells(question, draws);
  return element("h2", { className: "ask" }, speech.words.isIt(rangePhrase(question, inside, speech)));
}

// A person's own answer in words.
export function answerLabel(question, draws, given, speech) {
  if (!given || given.index === null) return speech.words.unanswered;
  if (given.typed) return `${given.typed.trim()} ${speech.inside(question.line.unit)}`.trim();
  if (KINDS[question.kind]) return KINDS[question.kind].said(question, given.index, speech);
  return labelOf(question, draws, given, speech);
}
