// Who is not asked what: a question that follows from an earlier answer is passed over, and what is so of
// whoever skips it is its answer, encoded as any other. A rule that would tell what is protected is refused.
// The twin of askance_collect/wire/form.py. A page whose form has no such rule goes without this module.

import { isIndex } from "./askance.js";
import { allDistinct, assert, isList } from "./form.js";
import { register } from "./hooks.js";
import { firstTick, numberAt } from "./line.js";
import { only } from "./objects.js";
import { cardScreen } from "./screens.js";
import { either } from "./shapes.js";
import { isHidden, isProtected } from "./speech.js";

// Schema: skips
const SKIPS = { skips: [{ question: [0], after: [0], answered: either([[0], 1, allDistinct], only({ from: [0], to: [0] })), send: either(null, [0]) }, 1] };

/**
 * A rule that is wrong, or would tell what is protected, is refused.
 *
 * @param {Form} form
 */
function validateSkips(form) {
  form.skips.forEach((skip, index, skips) => {
    const isNext = index === 0 || skip.question > skips[index - 1].question;
    assert(isNext && isRule(skip, form.questions) && isKept(skip, form), `skips[${index}]`);
  });
}

/**
 * A question, an earlier one whose answer the device knows, answers to it, and one to send or none.
 *
 * @param {any} parts
 * @param {Question[]} questions
 */
function isRule({ question, after, answered, send }, questions) {
  if (question >= questions.length || after >= question) return false;
  const [skipped, earlier] = [questions[question], questions[after]];
  if (skipped.coin || earlier.coin || (earlier.typed === false || earlier.ask === "narrow" || earlier.count)) return false;
  if (!areAnswers(earlier, answered)) return false;
  return send === null ? !isHidden(skipped) : isAnswer(skipped, send);
}

/**
 * Some answers, each once: listed, or all from one to another.
 *
 * @param {Question} question
 * @param {any} answered
 */
function areAnswers(question, answered) {
  const ends = isList(answered) ? answered : [answered.from, answered.to];
  return !(answered.from > answered.to) && ends.every((/** @type {number} */ answer) => isAnswer(question, answer));
}

/**
 * Whether an answer is one of these; none is not.
 *
 * @param {any} index
 * @param {any} answered
 */
const isAmong = (index, answered) =>
  isList(answered) ? answered.includes(index) : Number.isInteger(index) && index >= answered.from && index <= answered.to;

/**
 * An answer as encode takes it: the index of a named one, the tick of a number, the step of a range.
 *
 * @param {Question} question
 * @param {any} answer
 */
function isAnswer({ kind, answers, line }, answer) {
  if (answers) return isIndex(answer, answers.length);
  return kind === "number" ? isIndex(answer, line.ticks + 1) && answer >= firstTick(line) : isIndex(answer, line.ticks);
}

/**
 * Whether chance cannot turn a rule round, and whether it tells of a protected answer no more than is
 * accounted for: what is sent for whoever skips can send whatever the others do, and both are of one trait.
 *
 * @param {any} parts
 * @param {Form} form
 */
function isKept({ question, after, send }, { questions, sections = [], about }) {
  const { at: begins = 0, order } = sections.filter((section) => section.at <= question).at(-1) ?? {};
  if (order && begins <= after) return false;
  if (!isHidden(questions[after])) return true;
  const rows = questions[question].table?.rows;
  if (!rows || rows[send].some((entry, column) => entry === 0 && rows.some((row) => row[column] > 0))) return false;
  const both = [question, after].map((index) => questions[index].name);
  const counts = about.traits.map((trait) => both.filter((name) => trait.questions.some((index) => index === name)).length);
  return counts.every((count) => count !== 1) && counts.filter(Boolean).length === 1;
}

/**
 * The step to go to: past what is skipped, and from a changed answer to what it leaves open.
 *
 * @param {Step[]} steps
 * @param {number} to
 * @param {number} by
 * @param {Visit} visit
 */
export function followSkips(steps, to, by, visit) {
  const { form, draft } = visit;
  for (const { question, after, answered, send } of form.skips ?? []) {
    const skipped = isAmong(draft.answer(after)?.index, answered);
    if (skipped) draft.give(question, { index: send, skipped, ...numberOf(form.questions[question], send) });
    else if (draft.answer(question)?.skipped) draft.give(question, undefined);
  }
  const open = steps.findIndex(({ question }) => question !== undefined && draft.answer(question) === undefined);
  if (visit.state.returning && open >= 0) return open;
  let next = to;
  while (isIdle(steps[next], visit)) next += by;
  return next;
}

/**
 * A plain number that is so of whoever skips, as if they had typed it.
 *
 * @param {Question} question
 * @param {any} send
 */
function numberOf({ kind, line }, send) {
  return kind === "number" && send !== null ? { typed: numberAt(line, send) } : {};
}

/**
 * Whether a step is of nothing that is asked: a question that is skipped, or the card before nothing else.
 *
 * @param {Step} step
 * @param {Visit} visit
 */
function isIdle({ question, screen }, { form, draft }) {
  /** @param {number} index */
  const isSkipped = (index) => draft.answer(index)?.skipped;
  if (question !== undefined) return isSkipped(question);
  return screen === cardScreen && form.questions.every((guarded, index) => !isProtected(guarded) || isSkipped(index));
}

/**
 * Whether a record is of a question that was asked, as far as what is sent says so.
 *
 * @param {Visit} visit
 * @param {number} index
 */
const isRecorded = ({ form: { skips = [] }, draft }, index) =>
  !skips.some(({ question, after, answered, send }) => question === index && send === null && isAmong(draft.value(after), answered));

/**
 * What an answer left out is sent as: where a protected answer lets skip the question, a blank would say
 * that somebody was asked, so it is what those send who skip it.
 *
 * @param {Form} form
 * @param {number} index
 */
export function defaultOf({ skips = [], questions }, index) {
  const rule = skips.find(({ question }) => question === index);
  return rule !== undefined && isHidden(questions[rule.after]) ? rule.send : null;
}

register({
  name: "skips",
  shapes: SKIPS,
  validate: validateSkips,
  wrap: { defaultAnswer: () => defaultOf, nextStep: () => followSkips, isRecorded: () => isRecorded },
});
