// How much a record tells where each can come from every answer: the worst ratio that any gives between
// two answers, rounded up, and its logarithm. A page on which every question has records that rule an
// answer out goes without this module.

import { roundedUp } from "./line.js";
import { largest } from "./partition.js";
import { oddsTexts } from "./speech.js";

/**
 * @param {Question} question
 * @param {Speech} speech
 */
function worstRatio({ table: { rows } }, { words, number }) {
  let [most, least] = [1n, 1n];
  for (const column of rows[0].keys()) {
    const entries = rows.map((row) => row[column]);
    const [high, low] = [largest(entries), -largest(entries.map((entry) => -entry))].map(BigInt);
    if (high * least > most * low) [most, least] = [high, low];
  }
  if (least === 0n) return undefined;
  const loss = most > least ? Math.ceil(1000 * Math.log(Number(most) / Number(least)) + 1e-9) / 1000 : 0;
  return words.ratio(number(roundedUp(most, least, 3)), number(loss));
}

oddsTexts.worstRatio = worstRatio;
