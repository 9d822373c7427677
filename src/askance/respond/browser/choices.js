// What a person can choose from: the named answers, or the ranges that chance has made of a line.

import { cellOf, cells, keeps, stepIn } from "./partition.js";
import { isRange, isWithheld, rangeLabel, rangePhrase } from "./ranges.js";

// Each choice with the answer that it stands for: an index, or a step of the line.
export function choicesOf(question, draws, speech) {
  const { words, text } = speech;
  if (!isRange(question)) return question.answers.map(({ label }, index) => ({ index, label: text(label) }));
  if (question.kind === "ring") {
    const [yes, no] = cells(question, draws).map((cell) => [stepIn(question, cell), rangePhrase(question, cell, speech)]);
    return [
      { index: yes[0], label: words.ringYes(yes[1]) },
      { index: no[0], label: words.ringNo(no[1]) },
    ];
  }
  return cells(question, draws)
    .filter((cell) => stepIn(question, cell) !== undefined)
    .map((cell) => ({
      index: stepIn(question, cell),
      label: rangeLabel(question, cell, speech),
      note: isWithheld(question) && !keeps(question.cuts.floor, cell) ? words.tooNarrow : "",
    }));
}

// What was chosen, in words; a range that is too narrow to be sent has them too.
export function labelOf(question, draws, { index, steps }, speech) {
  if (!isRange(question)) return speech.text(question.answers[index].label);
  const kept = isWithheld(question) ? { ...question, cuts: { ...question.cuts, floor: null } } : question;
  return rangeLabel(question, cellOf(kept, index, draws, steps), speech);
}
