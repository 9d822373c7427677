// What the respondent's side is made of, for programs that bring a page of their own: reading a form,
// drawing, encoding an answer, and the body of a report.

import "./kinds.js";
import "./parts.js";
import "../src/askance_collect/respond/browser/sealed.js";
import { WORDS_OF } from "../src/askance_collect/respond/browser/words.js";

// Nothing is said here; words that a form brings are checked all the same.
WORDS_OF.en = {};

export { bounds, canonical, draw, encode, reportBody, systemIdentifier, systemWord, uniformBelow } from "../src/askance_collect/respond/browser/askance.js";
export { readForm } from "../src/askance_collect/respond/browser/form.js";
export { cells } from "../src/askance_collect/respond/browser/partition.js";
export { sha256 } from "../src/askance_collect/respond/browser/send.js";
export { cellsOf, columnsOf } from "../src/askance_collect/respond/browser/spell.js";
