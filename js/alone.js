// One question of a form, to be asked by itself on somebody else's page.

import { canonical } from "../src/askance/respond/browser/askance.js";
import { bodySize, readForm } from "../src/askance/respond/browser/form.js";
import { sha256 } from "../src/askance/respond/browser/send.js";
import { isProtected } from "../src/askance/respond/browser/speech.js";
import { Refusal, refuseUnless } from "./refusal.js";

// What of a form goes with each of its questions.
const SHARED = ["about", "collector", "consent", "contact", "languages", "title", "words"];

// The form of that question alone, checked against the fingerprint of the whole one.
export async function questionAlone(text, name, fingerprint) {
  refuseUnless((await sha256(text)) === fingerprint, "changed");
  const form = parsed(text);
  const names = form.questions.map((question) => question.name);
  const at = name === null && names.length === 1 ? 0 : names.indexOf(name);
  refuseUnless(at >= 0, "question");
  const question = form.questions[at];
  refuseUnless(question.piped === undefined, "piped");
  refuseUnless(!(form.skips ?? []).some((rule) => isTelling(rule, at, form)), "rule");
  return readAlone(form, question);
}

function parsed(text) {
  try {
    const form = JSON.parse(text);
    refuseUnless(canonical(form) === text && form.questions.length > 0, "form");
    return form;
  } catch {
    throw new Refusal("form");
  }
}

// Whether a rule makes what is sent for one question hang on an answer that chance protects.
const isTelling = ({ question, after }, at, { questions }) => question === at && isProtected(questions[after]);

// A comment is asked by itself, too. A form is of the newer kind where its questions bring something that the older one does not have.
function readAlone(form, { beside: _, ...question }) {
  const shared = Object.fromEntries(SHARED.filter((key) => key in form).map((key) => [key, form[key]]));
  const alone = { ...shared, questions: [question], size: bodySize([question]) };
  try {
    return readForm(canonical({ ...alone, askance: "form-1" }));
  } catch {
    return readNewer(alone);
  }
}

function readNewer(alone) {
  try {
    return readForm(canonical({ ...alone, askance: "form-2" }));
  } catch {
    throw new Refusal("form");
  }
}
