// Quotas by plain answers: when the page is opened the collector says, the same to everyone, which are
// full. Whose answer that is, the device alone finds out, and says so at once; nothing is sent. A page
// whose form has no quotas goes without this module.

import { allDistinct, assert, isList } from "./form.js";
import { register } from "./hooks.js";

// Schema: quotas
const QUOTAS = { quotas: [{ question: [0], answer: [0], most: [1, 1e9] }, 1, allDistinct] };

/**
 * A quota on an answer that is not given plainly is refused.
 *
 * @param {Form} form
 */
function validateQuotas({ quotas, questions }) {
  quotas.forEach(({ question, answer }, index) => {
    const { kind, coin, answers } = questions[question] ?? {};
    assert(kind === "choice" && coin === undefined && answer < answers.length, `quotas[${index}]`);
  });
  assert(allDistinct(quotas.map(({ question, answer }) => `${question} ${answer}`)), "quotas");
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
  shapes: QUOTAS,
  validate: validateQuotas,
  wrap: { redirectMove: endFull },
});
