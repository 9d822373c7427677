// A coin in the world, such as a birthday: replies are sent as they are given, and the page says whose
// coin it is and that it draws none. A page whose form has no such question goes without this module.

import { allDistinct, areChances, areNamed, assert, CHANCES, isThere, isWording, LABEL, LABELS, MEANING, questionShapes } from "./form.js";
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

// Schema: choice.coin
const COIN = { "coin?": { text: isWording, answers: LABELS, means: [MEANING, 2], table: CHANCES, "sets?": [{ ...LABEL, answers: MEANING }, 2, areNamed], about: isThere } };

/** @param {Question} question */
const isTossed = ({ coin }) => coin;

/**
 * The sets whose shares the replies tell have each answer once. A coin that two questions name is refused: their replies tell together what both hide.
 *
 * @param {Form} form
 */
function validateCoins({ questions }) {
  for (const { coin, answers } of questions.filter(isTossed)) {
    const listed = coin.sets?.flatMap((set) => set.answers) ?? coin.answers.map((_, index) => index);
    assert(areChances(coin.table, coin.answers, coin.means) && coin.means.length === answers.length, "coin");
    assert(allDistinct(listed) && listed.length === coin.answers.length && Math.max(...listed) < listed.length, "coin.sets");
  }
  // Python takes U+FEFF for no blank.
  /** @param {string} text */
  const spelt = (text) => text.split(/[^\S\ufeff]+/).filter(Boolean).join(" ").toLowerCase();
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
Object.assign(questionShapes.choice[0], COIN);
register({
  name: "coin",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(isTossed),
  validate: validateCoins,
  wrap: { renderCoin: () => renderCoin },
});
