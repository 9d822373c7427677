// Questions that share a screen: lists to tick, and grids.

import { canonical } from "./askance.js";

/**
 * @param {Rows} rows
 * @returns {number[]}
 */
export const placesOf = ({ at: first, items }) => items.map((_, index) => first + index);

/**
 * Whether a question has named answers, and nothing that asks for a screen of its own.
 *
 * @param {Question} question
 */
export const isNamed = ({ kind, coin, groups }) => ["choice", "table"].includes(kind) && coin === undefined && groups === undefined;

/**
 * Whether all that is said once of the questions is so of each.
 *
 * @param {Rows} list
 * @param {Form} form
 * @param {(question: Question) => boolean} isItem
 */
export function isAskedAsOne(list, { questions, sections = [], skips = [] }, isItem) {
  const places = placesOf(list);
  const items = questions.slice(list.at, list.at + places.length);
  const [first] = items;
  if (items.length < places.length || !items.every(isItem)) return false;
  if (sections.some(({ at }) => at > list.at && places.includes(at))) return false;
  const rules = skips.filter(({ question }) => places.includes(question));
  const together = rules.length === 0 || (rules.length === places.length && rules[0].after < list.at);
  /**
   * @param {any} question
   * @param {any} other
   * @param {string[]} keys
   */
  const alike = (question, other, keys) => keys.every((key) => canonical(question[key] ?? null) === canonical(other[key] ?? null));
  return (
    together &&
    items.every((question) => alike(question, first, ["kind", "answers", "reports", "table", "blank", "needed"])) &&
    rules.every((question) => alike(question, rules[0], ["after", "answered", "send"]))
  );
}
