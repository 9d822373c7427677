// Quotas by plain answers: when the page is opened the collector says, the same to everyone, which are
// full. Whose answer that is, the device alone finds out, and says so at once; nothing is sent. A quota of 0
// screens people out. A page whose form has no quotas goes without this module.

import { allDistinct, assert, isList } from "./form.js";
import { register } from "./hooks.js";
import { cardScreen, practiceScreen } from "./screens.js";

// Schema: quotas
const QUOTAS = { quotas: [{ question: [0], answer: [0], most: [0, 1e9] }, 1, allDistinct] };

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
 * The quota that turns somebody away: of nobody wanted or, by what the collector said, of a group that is full.
 *
 * @param {Pick<Visit, "form" | "draft" | "state">} visit
 */
export function quotaAgainst({ form: { quotas = [] }, draft, state: { full } }) {
  if (draft.isBound()) return undefined;
  /** @param {{ question: number, answer: number }} quota */
  const isFull = ({ question, answer }) => isList(full) && full.some((pair) => isList(pair) && pair[0] === question && pair[1] === answer);
  return quotas.find((quota) => draft.answer(quota.question)?.index === quota.answer && (quota.most === 0 || isFull(quota)));
}

/** @type {Wrapper<"redirectMove">} */
const turnAway = (next) => (move, visit) => {
  const quota = (move.by ?? 0) > 0 && quotaAgainst(visit);
  if (!quota) return next(move, visit);
  visit.forget();
  return { type: "end", ending: quota.most ? "full" : "screened" };
};

/**
 * Nobody practises for a survey that turns them away: those questions come before it, up to what is protected.
 *
 * @type {Wrapper<"arrangeRoute">}
 */
const askEarly = (next) => (steps, form) => {
  const route = next(steps, form);
  const first = route.findIndex(({ screen }) => screen === practiceScreen);
  const card = route.findIndex(({ screen }) => screen === cardScreen);
  const last = Math.max(...route.slice(0, card).map(({ question }, index) => (form.quotas?.some((quota) => quota.question === question) ? index : -1)));
  if (first >= 0 && last > first) route.splice(last, 0, ...route.splice(first, 1));
  return route;
};

register({
  name: "quotas",
  shapes: QUOTAS,
  validate: validateQuotas,
  wrap: { redirectMove: turnAway, arrangeRoute: askEarly },
});
