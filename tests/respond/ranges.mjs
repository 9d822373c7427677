// What the page says of ranges: lines with a question, a cell and a language come in, what is said goes out.

import { createInterface } from "node:readline";

import "../../src/askance_collect/respond/browser/whole.js";
import { numberLabel, rangePhrase } from "../../src/askance_collect/respond/browser/ranges.js";
import { speak } from "../../src/askance_collect/respond/browser/speech.js";
import "./words.mjs";

function say({ question, cell, number, language }) {
  const speech = speak(language);
  return cell ? rangePhrase(question, cell, speech) : numberLabel(question.line, number, speech);
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(say))}\n`);
}
