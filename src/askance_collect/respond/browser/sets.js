// Many records that are all true of an answer, such as groups of answers that hold it: the page says which
// they are, not how often each comes. A page whose form has no such question goes without this module.

import { isTruthful, oddsTexts } from "./speech.js";

/**
 * @param {Question} question
 * @param {Speech} speech
 */
export function describeSets(question, { words, inside }) {
  const { reports, table: { rows } } = question;
  if (!isTruthful(question) || !rows.some((row) => row.filter((entry) => entry > 0).length > 3)) return undefined;
  const lines = reports.filter((_, column) => rows.some((row) => row[column] > 0)).map(({ label }) => inside(label));
  return { lines, hint: words.sets(lines.length) };
}

oddsTexts.describeSets = describeSets;
