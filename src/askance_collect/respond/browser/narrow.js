// One step narrower at a time: the range first and what it tells, then a yes or no to a narrower
// one, and only then the number. To stop takes one press, and nothing leads anyone on.

import { clearComplaint, complaintLine, group, option, radio, showComplaint } from "./controls.js";
import { button, element, paragraph } from "./element.js";
import { fieldTypes } from "./field.js";
import { openOf, rangeLabel, rangePhrase, shareIn, tickLabel } from "./ranges.js";

/**
 * @param {Question} question
 * @param {Trail} trail
 * @param {Answer | undefined} previous
 * @param {Speech} speech
 * @returns {Field}
 */
function narrowField(question, trail, previous, speech) {
  const complaint = complaintLine();
  const stage = element("div", {});
  const node = group([stage], complaint, "radiogroup");
  /** @type {any[]} */
  let choices;
  const show = () => {
    const screen = stageOf(question, trail, previous, speech, restart);
    clearComplaint(node, complaint);
    choices = screen.choices;
    stage.replaceChildren(...screen.nodes);
    return stage.querySelector("h2");
  };
  const advance = () => void show()?.focus();
  function restart() {
    trail.restart();
    advance();
  }
  show();
  const read = () => {
    const chosen = choices.find(({ control }) => control.checked);
    if (!chosen) throw showComplaint(complaint, speech.words.choose, choices[0].control);
    const answer = chosen.take(complaint);
    if (!answer) advance();
    return answer;
  };
  return { node, read };
}

/**
 * @param {Question} question
 * @param {Trail} trail
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 * @param {() => void} restart
 * @returns {{ nodes: any[], choices: any[] }}
 */
function stageOf(question, trail, answer, speech, restart) {
  if (openOf(question).length > 0 && !trail.outside) return fieldTypes.where(question, trail, answer, speech, [askHeading, choice, dropping]);
  if (trail.revealed()) return sideStage(question, trail, speech);
  return offerStage(question, trail, answer, speech, restart);
}

/**
 * The range that has been reached, and whether to go on.
 *
 * @param {Question} question
 * @param {Trail} trail
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 * @param {() => void} restart
 */
function offerStage(question, trail, answer, speech, restart) {
  const { words } = speech;
  const hasMoved = trail.moved() || trail.outside;
  const share = shareIn(question, trail.cell(), speech);
  const keep = choice(words.keepRange, "", () => trail.answer(), answer && answer.index !== null);
  const on = choice(words.narrower, words.narrowPromise, () => trail.reveal());
  const refusal = dropping(answer?.index === null, speech);
  const offers = trail.next() ? [keep, on, refusal] : [keep, refusal];
  const again = button(words.again, restart, "small");
  return {
    nodes: [
      askHeading(words.soFar(rangePhrase(question, trail.cell(), speech))),
      paragraph(hasMoved ? `${words.tellsInside} ${share}`.trim() : words.tellsNothing, "hint"),
      ...(trail.next() ? [] : [paragraph(words.narrowest)]),
      ...offers.map(({ node }) => node),
      ...(hasMoved ? [again] : []),
    ],
    choices: offers,
  };
}

/**
 * The next number, where it has been revealed.
 *
 * @param {Trail} trail
 * @returns {Stop}
 */
const stopOf = (trail) => trail.next() ?? { tick: 0, sides: [], steps: 0 };

/**
 * The number, after it was agreed to: its two sides, or nothing at all.
 *
 * @param {Question} question
 * @param {Trail} trail
 * @param {Speech} speech
 */
function sideStage(question, trail, speech) {
  const { words } = speech;
  const { tick, sides } = stopOf(trail);
  const options = sides.map((side) =>
    choice(rangeLabel(question, side, speech), "", () => {
      trail.take(side);
    }),
  );
  const offers = [...options, dropping(false, speech)];
  return {
    nodes: [askHeading(words.sideOf(tickLabel(question.line, tick, speech))), ...offers.map(({ node }) => node), paragraph(words.committed, "hint")],
    choices: offers,
  };
}

/**
 * @param {string} label
 * @param {string} note
 * @param {(complaint: HTMLElement) => Answer | void} take
 * @param {boolean} [checked]
 */
function choice(label, note, take, checked = false) {
  const control = radio(checked);
  return { control, take, node: option(control, label, note) };
}

/**
 * @param {boolean} checked
 * @param {Speech} speech
 */
const dropping = (checked, { words }) => choice(words.rather, "", () => ({ index: null }), checked);

/** @param {string} text */
const askHeading = (text) => element("h2", { className: "ask", tabIndex: -1 }, text);

fieldTypes.narrow = narrowField;
