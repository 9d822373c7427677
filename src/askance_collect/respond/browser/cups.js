// The practice question of a form that asks for no named answer in another way: a number, as a range.

import { fieldTypes } from "./field.js";

/** @param {Speech} speech */
function practiceNumber({ words, language }) {
  const line = { lower: "0", step: "1", ticks: 8, unit: { [language]: words.practiceUnit }, one: { [language]: words.practiceUnitOne } };
  const text = { [language]: words.practiceNumber };
  const cuts = { number: 1, weights: [1, 1, 1, 1, 1, 1, 1], floor: null, open: [] };
  return { kind: "cuts", name: "practice", text, line, cuts, ask: "cells", typed: false, blank: [0, 1] };
}

fieldTypes.practice = practiceNumber;
