// Quotas by plain answers: when the page is opened the collector says, the same to everyone, which are
// full. Whose answer that is, the device alone finds out, and says so at once; nothing is sent. A page
// whose form has no quotas goes without this module.

import { isIndex } from "./askance.js";
import { allDistinct, assert, isList } from "./form.js";
import { register } from "./hooks.js";

const LARGEST_QUOTA = 1e9;

/**
 * A quota on an answer that is not given plainly is refused.
 *
 * @param {Form} form
 */
function validateQuotas({ quotas, questions }) {
  assert(isList(quotas) && quotas.length > 0, "quotas");
  quotas.forEach((quota, index) => assert(quota !== null && isQuota(quota, questions), `quotas[${index}]`));
  assert(allDistinct(quotas.map(({ question, answer }) => `${question} ${answer}`)), "quotas");
}

/**
 * @param {any} parts
 * @param {Question[]} questions
 */
function isQuota({ question, answer, most }, questions) {
  if (!isIndex(question, questions.length) || !isIndex(most, LARGEST_QUOTA + 1)) return false;
  const { kind, coin, answers } = questions[question];
  return kind === "choice" && coin === undefined && isIndex(answer, answers.length) && most > 0;
}

/**
 * Whether somebody is of a group that is full: by what the collector said, and what was answered.
 *
 * @param {Pick<Visit, "form" | "draft" | "state">} visit
 */
export function isFull({ form: { quotas = [] }, draft, state: { full } }) {
  if (!isList(full) || draft.isBound()) return false;
  return quotas.some(({ question, answer }) => {
    const isReported = full.some((pair) => isList(pair) && pair[0] === question && pair[1] === answer);
    return isReported && draft.answer(question)?.index === answer;
  });
}

/** @type {Wrapper<"redirectMove">} */
const endFull = (next) => (move, visit) => {
  if ((move.by ?? 0) <= 0 || !isFull(visit)) return next(move, visit);
  visit.forget();
  return { type: "end", ending: "full" };
};

register({
  name: "quotas",
  /** @param {Form} form */
  detect: ({ quotas }) => quotas !== undefined,
  validate: validateQuotas,
  wrap: { redirectMove: endFull },
});
