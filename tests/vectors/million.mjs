// The JavaScript half of million.py: node tests/vectors/million.mjs CASES

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { bounds, canonical, draw, encode } from "../../src/askance_collect/respond/browser/askance.js";
import { readForm } from "../../src/askance_collect/respond/browser/form.js";
import { firstTick } from "../../src/askance_collect/respond/browser/line.js";
import "../../src/askance_collect/respond/browser/cuts.js";
import "../../src/askance_collect/respond/browser/number.js";

function* stream() {
  for (let count = 0; ; count += 1) {
    const block = createHash("sha256").update(`million:${count}`).digest();
    for (let at = 0; at < 30; at += 6) yield block.readUIntBE(at, 6);
  }
}

function answersTo({ kind, answers, line }) {
  const possible = [...Array(answers?.length ?? line.ticks + (kind === "number")).keys()];
  return [...(kind === "number" ? possible.slice(firstTick(line)) : possible), null];
}

const home = new URL("../../src/askance_collect/wire/vectors/1/forms.json", import.meta.url);
const { good } = JSON.parse(readFileSync(home, "ascii"));
const questions = good.flatMap(({ form }) => readForm(canonical(form)).questions);
const plan = questions.map((question) => [question, answersTo(question), bounds(question).length]);

const cases = Number(process.argv[2]);
const digest = createHash("sha256");
const words = stream();
let used = 0;
let needed = 0;
const word = () => {
  used += 1;
  return words.next().value;
};
for (let number = 0; number < cases; number += 1) {
  const [question, answers, count] = plan[number % plan.length];
  const chosen = answers[words.next().value % answers.length];
  const drawn = draw(question, word);
  needed += count;
  const steps = question.ask === "narrow" ? words.next().value % (question.cuts.number + 1) : undefined;
  const sent = encode(question, chosen, drawn, steps);
  digest.update(JSON.stringify([drawn, sent]));
}
const result = { cases, words: used, rejected: used - needed, sha256: digest.digest("hex") };
console.log(JSON.stringify(result));
