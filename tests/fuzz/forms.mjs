// How the page reads forms, and whether it can speak and post as they say: a line with a list of texts comes in, a line with a list of verdicts goes out.

import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

import { bounds, canonical, draw, encode } from "../../src/askance_collect/respond/browser/askance.js";
import { readForm } from "../../src/askance_collect/respond/browser/form.js";
import "../../js/kinds.js";
import "../../js/parts.js";
import "../../src/askance_collect/respond/browser/sealed.js";
import { destination } from "../../src/askance_collect/respond/browser/send.js";
import { speak } from "../../src/askance_collect/respond/browser/speech.js";
import "../respond/words.mjs";

const WORDS = Array.from({ length: 64 }, (_, at) => createHash("sha256").update(`${at}`).digest().readUIntBE(0, 6));

// Digest and plan of a form; null where the page refuses it.
function verdict(text) {
  try {
    const form = readForm(text);
    destination(form, "https://example.org/");
    form.languages.forEach(speak);
    let used = 0;
    const word = () => WORDS[used++ % WORDS.length];
    const drawn = form.questions.map((question) => draw(question, word));
    const sent = form.questions.map((question, at) => 
      question.kind === "sealed" ? null : encode(question, question.kind === "text" ? "a" : 1, drawn[at]));
    const digest = createHash("sha256").update(canonical(form)).digest("hex");
    return [digest, JSON.stringify([form.size, form.questions.map(bounds), drawn, sent])];
  } catch {
    return null;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(verdict))}\n`);
}
