// A coin in the world, such as a birthday: replies are sent as they are given, and the page says whose
// coin it is and that it draws none. A page whose form has no such question goes without this module.

import { isIndex } from "./askance.js";
import { allDistinct, assert, checkLabels, checkTable, isList, isWording } from "./form.js";
import { register } from "./hooks.js";
import { protection } from "./screens.js";
import { oddsTexts } from "./speech.js";

/**
 * A question of the answers that nobody sends, through the coin's table; nothing is ever drawn with it.
 *
 * @param {Pick<Question, "answers" | "coin">} question
 * @returns {any}
 */
export function judged({ answers: replies, coin: { answers, means, table, about, sets } }) {
  const reports = replies.map((reply, index) => ({ ...reply, means: means[index] }));
  return { kind: "table", answers, reports, table, about, sets, blank: [0, 1] };
}

/**
 * @param {Coin} coin
 * @param {Label[]} answers
 * @param {string[]} languages
 */
function isCoin(coin, answers, languages) {
  checkTable(judged({ answers, coin }), languages, "coin");
  const { text, means, sets } = coin;
  return isWording(text, languages) && means.length === answers.length && (sets === undefined || arePartsOf(coin, languages));
}

/**
 * Sets of answers whose shares the replies tell: each answer is in one of them.
 *
 * @param {{ answers: Label[], sets?: AnswerSet[] }} coin
 * @param {string[]} languages
 */
function arePartsOf({ answers, sets = [] }, languages) {
  checkLabels(sets, languages, "coin.sets");
  const listed = sets.flatMap((set) => (isList(set.answers) && set.answers.length > 0 ? set.answers : [-1]));
  return listed.length === answers.length && allDistinct(listed) && listed.every((index) => isIndex(index, answers.length));
}

/**
 * A coin that two questions name is refused: their replies tell together what both hide.
 *
 * @param {Form} form
 */
function validateCoins({ questions }) {
  /** @param {string} text */
  const spelt = (text) => text.split(/\s+/).join(" ").trim().toLowerCase();
  const named = questions.flatMap(({ coin }) => (coin ? [...new Set(Object.values(coin.text).map(spelt))] : []));
  assert(allDistinct(named), "coin");
}

/**
 * What is said around the replies: whose coin it is, how often each reply comes, and what it tells.
 *
 * @type {Hooks["renderCoin"]}
 */
function renderCoin(question, speech, controls) {
  if (!question.coin) return undefined;
  return protection(judged(question), [], speech, controls, [speech.words.coin(speech.inside(question.coin.text))]);
}

/** @param {Question} question */
oddsTexts.judged = (question) => question.coin && judged(question);
register({
  name: "coin",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(({ coin }) => coin),
  validate: validateCoins,
  wrap: { validateCoin: () => isCoin, renderCoin: () => renderCoin },
});
