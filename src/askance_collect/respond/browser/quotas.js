// Quotas by plain answers: when the page is opened the collector says, the same to everyone, which are
// full. Whose answer that is, the device alone finds out, and says so at once; nothing is sent. A page
// whose form has no quotas goes without this module.

import { isIndex } from "./askance.js";
import { NEWER, isList, need, unlike } from "./form.js";

const LARGEST_QUOTA = 1e9;

// Whether there are any quotas; one on an answer that is not given plainly is refused.
function quotasFit({ quotas, questions }) {
  if (quotas === undefined) return false;
  need(isList(quotas) && quotas.length > 0, "quotas");
  quotas.forEach((quota, at) => need(quota !== null && isQuota(quota, questions), `quotas[${at}]`));
  need(unlike(quotas.map(({ question, answer }) => `${question} ${answer}`)), "quotas");
  return true;
}

function isQuota({ question, answer, most }, questions) {
  if (!isIndex(question, questions.length) || !isIndex(most, LARGEST_QUOTA + 1)) return false;
  const { kind, coin, answers } = questions[question];
  return kind === "choice" && coin === undefined && isIndex(answer, answers.length) && most > 0;
}

// Whether somebody is of a group that is full: by what the collector said, and what was answered.
export function isFull({ form: { quotas = [] }, draft, full }) {
  if (!isList(full) || draft.isBound()) return false;
  return quotas.some(({ question, answer }) => {
    const said = full.some((one) => isList(one) && one[0] === question && one[1] === answer);
    return said && draft.answer(question)?.index === answer;
  });
}

const { passed: unhindered } = NEWER;
NEWER.parts.push(quotasFit);
NEWER.passed = (steps, to, by, visit) => {
  const next = unhindered(steps, to, by, visit);
  if (by > 0 && isFull(visit)) {
    visit.draft.leave();
    visit.turnAway("full");
  }
  return next;
};
