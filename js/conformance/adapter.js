// This package's own implementation, as the suite asks it: an example of an adapter.

import { bounds, draw, encode, readForm, reportBody, sha256 } from "../dist/index.js";

// Each form is asked of often, and read once.
const forms = new Map();
function formOf(text) {
  if (!forms.has(text)) forms.set(text, readForm(text));
  return forms.get(text);
}
const questionOf = ({ form, question }) => formOf(form).questions[question];

export default {
  readForm({ text }) {
    const form = readForm(text);
    new URL(form.collector, "https://example.org/"); // throws where reports could not be sent
    return form;
  },
  fingerprint: ({ text }) => sha256(text),
  draw({ words, ...asked }) {
    const left = [...words];
    const draws = draw(questionOf(asked), () => left.shift());
    return { draws, used: words.length - left.length };
  },
  encode({ draws, answer, steps, ...asked }) {
    const question = questionOf(asked);
    return encode(question, answer, draws ?? bounds(question).map(() => 0), steps);
  },
  report: async ({ form, id, values }) => reportBody(formOf(form), await sha256(form), id, values),
};
