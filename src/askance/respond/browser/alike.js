// How the page speaks of three answers or more that are treated alike: once for all of them. A page whose
// form has none goes without this module.

import { ALIKE } from "./speech.js";

// Whether three answers or more have the same chances each: itself, any other one, and the same rest.
function treatsAlike({ answers, reports, table: { rows } }) {
  const [first] = rows;
  const asked = (at, column) => first[column < rows.length ? Number(column !== at) : column];
  const alike = (row, at) => reports[at]?.name === answers[at].name && row.every((entry, column) => entry === asked(at, column));
  return rows.length > 2 && rows.every(alike);
}

const alikeSaid = (own, other, rest, words) => words.alike(own, other, rest.map((one) => `, ${one}`).join(""));

ALIKE.treats = treatsAlike;
ALIKE.said = alikeSaid;
