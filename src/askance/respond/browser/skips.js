// Who is not asked what: a question that follows from an earlier answer is passed over, and what is so of
// whoever skips it is its answer, encoded as any other. A page whose form has no such rule goes without
// this module.

import { isIndex } from "./askance.js";
import { NEWER, isList, need, unlike } from "./form.js";
import { cardScreen } from "./screens.js";
import { isProtected } from "./speech.js";

const hasAnswers = ({ kind, coin }) => kind === "table" || (kind === "choice" && coin === undefined);

// Whether there are any rules; one that is wrong, or would tell what is protected, is refused.
function skipsFit({ skips, questions }) {
  if (skips === undefined) return false;
  need(isList(skips) && skips.length > 0, "skips");
  skips.forEach((skip, at) => {
    need(skip !== null && isRule(skip, questions) && (at === 0 || skip.question > skips[at - 1].question), `skips[${at}]`);
  });
  return true;
}

function isRule({ question, after, answered, send }, questions) {
  if (!isIndex(question, questions.length) || !isIndex(after, question)) return false;
  const [asked, earlier] = [questions[question], questions[after]];
  if (!hasAnswers(earlier) || !(asked.kind === "number" || hasAnswers(asked))) return false;
  const known = isList(answered) && answered.every((answer) => isIndex(answer, earlier.answers.length));
  if (!known || answered.length === 0 || !unlike(answered)) return false;
  if (send === null) return asked.kind !== "table" && earlier.kind === "choice";
  return asked.kind !== "number" && isIndex(send, asked.answers.length) && (asked.kind === "table" || earlier.kind === "choice");
}

// The step to go to: past what is skipped, and from a changed answer to what it leaves open.
export function passed(steps, to, by, visit) {
  const { form, draft } = visit;
  for (const { question, after, answered, send } of form.skips ?? []) {
    const skipped = answered.includes(draft.answer(after)?.index);
    if (skipped) draft.give(question, { index: send, skipped });
    else if (draft.answer(question)?.skipped) draft.give(question, undefined);
  }
  const open = steps.findIndex(({ question }) => question !== undefined && draft.answer(question) === undefined);
  if (visit.returning && open >= 0) {
    visit.returning = false;
    return open;
  }
  let next = to;
  while (isIdle(steps[next], visit)) next += by;
  return next;
}

// Whether a step is of nothing that is asked: a question that is skipped, or the screen of a section, or
// the card, before nothing else.
function isIdle({ question, over, screen }, { form, draft }) {
  const isSkipped = (at) => draft.answer(at)?.skipped;
  if (question !== undefined) return isSkipped(question);
  const guarded = (at) => isProtected(form.questions[at]);
  const before = screen === cardScreen ? [...form.questions.keys()].filter(guarded) : (over ?? []);
  return before.length > 0 && before.every(isSkipped);
}

// What an answer left out is sent as: where a protected answer lets skip the question, a blank would say
// that somebody was asked, so it is what those send who skip it.
export function unsaid({ skips = [], questions }, at) {
  const rule = skips.find(({ question }) => question === at);
  return rule !== undefined && questions[rule.after].kind === "table" ? rule.send : null;
}

NEWER.parts.push(skipsFit);
NEWER.unsaid = unsaid;
NEWER.passed = passed;
