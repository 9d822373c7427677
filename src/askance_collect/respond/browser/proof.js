// Records that can come from one answer only, and so prove it: the page says where there can be any. The twin of
// askance_collect/wire/proof.py. A page whose form has no such record goes without this module.

import { once } from "./partition.js";
import { isProtected, oddsTexts } from "./speech.js";

/**
 * Whether a record comes from one of the named answers, or from one whole number.
 *
 * @param {Question} question
 * @param {Value} value
 */
export const isProof = (question, value) =>
  question.kind === "table" ? question.table.rows.filter((row) => row[value] > 0).length === 1 : oddsTexts.holdsOne?.(question, value);

/**
 * Whether some record that a protected question can send is one.
 *
 * @type {(question: Question) => boolean}
 */
export const canProve = once((question) => {
  if (question.kind !== "table") return oddsTexts.canHoldOne?.(question);
  return isProtected(question) && question.reports.some((_, column) => isProof(question, column));
});

/**
 * What is said of them beside a question, and before the questions.
 *
 * @param {Question} question
 * @param {Words} words
 */
const proofBadge = (question, words) => canProve(question) && words.partly;
/**
 * @param {Question[]} questions
 * @param {Words} words
 */
const proofTexts = (questions, words) => (questions.some(canProve) ? { card: words.cardProof, check: words.checkProof } : {});

Object.assign(oddsTexts, { isProof, proofBadge, proofTexts });
