// Records that prove something: an answer, what of a list is ticked, or that an answer is not the one that harms
// nobody. The page says where there can be any. The twin of askance_collect/wire/proof.py. A page whose form has no such
// record goes without this module.

import { isIndex, questionKinds } from "./askance.js";
import { matches } from "./form.js";
import { EXACT, fraction, stepOf } from "./line.js";
import { keeps, once, remainder } from "./partition.js";
import { isProtected, oddsTexts, stillPossible } from "./speech.js";

/** @typedef {"answer" | "part" | "other"} ProofKind (other: another answer than the innocent one) */

/**
 * What a record proves, if anything.
 *
 * @param {Question} asked
 * @param {any} value
 * @returns {ProofKind | undefined}
 */
export function findProof(asked, value) {
  const question = judged(asked);
  if (question.kind !== "table") {
    if (oddsTexts.holdsOne?.(question, value)) return "answer";
    return isWithout(question, value) ? "other" : undefined;
  }
  const { table: { rows }, ticks = 0, list, sets } = question;
  const answers = [...rows.keys()].filter((answer) => rows[answer][value] > 0);
  if (answers.length === 0) return undefined;
  if (sets) return sets.some((/** @type {any} */ set) => answers.every((answer) => set.answers.includes(answer))) ? "answer" : undefined;
  if (answers.length === 1) return "answer";
  const all = list ? 0 : 2 ** ticks - 1;
  const [both, some] = answers.reduce(([every, any], answer) => [every & answer, any | answer], [all, 0]);
  if (both > 0 || (some & all) < all) return "part";
  const innocent = innocentOf(question);
  return innocent === undefined || answers.includes(innocent) ? undefined : "other";
}

/**
 * What the records that a protected question can send prove, each once.
 *
 * @type {(question: Question) => ProofKind[]}
 */
export const listProofs = once((asked) => {
  const question = judged(asked);
  if (!isProtected(question)) return [];
  const isTable = question.kind === "table";
  const kinds = isTable
    ? question.reports.map((/** @type {any} */ _, /** @type {number} */ column) => findProof(asked, column))
    : [oddsTexts.canHoldOne?.(question) && "answer", canConvict(question) && "other"];
  return /** @type {ProofKind[]} */ (["answer", "part", "other"]).filter((kind) => kinds.includes(kind));
});

/**
 * A question as its records are judged: through its coin's table, where it has one.
 *
 * @param {Question} question
 * @returns {any}
 */
const judged = (question) => oddsTexts.judged?.(question) ?? question;

/**
 * The answer that the form declares to harm nobody: its place, or the step of its number.
 *
 * @param {any} question
 * @returns {number | undefined}
 */
function innocentOf({ line, answers, about }) {
  const declared = about?.innocent;
  const number = line && matches(declared, EXACT) && fraction(declared);
  const place = line ? number && stepOf(line, number) : answers.findIndex((/** @type {Label} */ { name }) => name === declared);
  return isIndex(place, Infinity) ? place : undefined;
}

/**
 * Whether a range holds something, and not the number that harms nobody.
 *
 * @param {Question} question
 * @param {Cell} cell
 */
function isWithout(question, cell) {
  const [innocent, parts] = [innocentOf(question), remainder(question, cell)];
  return innocent !== undefined && parts.length > 0 && !parts.some(([above, upTo]) => above <= innocent && innocent < upTo);
}

/**
 * Whether chance can leave such a range. If it can leave any, it can leave one at an end of the line, whose only cut
 * is there; of a ring it does either inside or outside.
 *
 * @param {Question} question
 */
function canConvict(question) {
  const { kind, line, cuts } = question;
  if (innocentOf(question) === undefined) return false;
  if (kind === "ring") return true;
  const { weights, floor } = cuts;
  return weights.some((weight, index) => {
    const sides = [[0, index + 1], [index + 1, line.ticks]];
    /** @param {number[]} side */
    const isKept = (side) => floor === null || (floor.rule === "skip" ? sides : [side]).every((part) => keeps(floor, part));
    return weight > 0 && sides.some((side) => isKept(side) && isWithout(question, side));
  });
}

/**
 * The innocent answer in words.
 *
 * @param {Question} asked
 * @param {Speech} speech
 */
function innocentLabel(asked, speech) {
  const question = judged(asked);
  const place = innocentOf(question) ?? 0;
  if (!question.line) return speech.inside(question.answers[place].label);
  const [over, below] = fraction(question.about.innocent) ?? [0n, 1n];
  return questionKinds.cuts.numberLabel(question.line, Number(over) / Number(below), speech);
}

/**
 * What is said beside a question of what its records can prove.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
function proofBadges(question, speech) {
  const { words } = speech;
  /** @param {ProofKind} kind */
  const badge = (kind) => {
    if (kind === "other") return words.partlyNot(innocentLabel(question, speech));
    return kind === "part" ? words.partlyTicked : words.partly;
  };
  return listProofs(question).map(badge);
}

/**
 * What is said of a record that proves something.
 *
 * @param {Question} question
 * @param {Value} value
 * @param {Speech} speech
 */
function proofText(question, value, speech) {
  const { words } = speech;
  const kind = listProofs(question).length > 0 && findProof(question, value);
  if (kind === "part") return `${words.proofTicked} ${stillPossible(question, value, speech)}`.trim();
  if (kind === "other") return words.proofNot(innocentLabel(question, speech));
  return kind && words.proofHint;
}

/**
 * What is said before the questions.
 *
 * @param {Question[]} questions
 * @param {Words} words
 */
function proofTexts(questions, words) {
  return questions.some((question) => listProofs(question).length > 0) ? { card: words.cardProof, check: words.checkProof } : {};
}

Object.assign(oddsTexts, { proofBadges, proofText, proofTexts });
