// One question of a form, to be asked by itself on somebody else's page.

import { canonical } from "../src/askance/respond/browser/askance.js";
import { NEWER, bodySize, readForm } from "../src/askance/respond/browser/form.js";
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
  return readAlone({ ...form, images: imagesAt(form, at) }, question);
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

// Those that stand at the question; what stands at an item of a list stands on the screen of the list.
function imagesAt({ images = [], checklists = [] }, asked) {
  if (checklists.some(({ at, items }) => asked >= at && asked < at + items.length)) return [];
  const here = ({ at }) => at.filter(({ question }) => question === asked).map((place) => ({ ...place, question: 0 }));
  return images.map((image) => ({ ...image, at: here(image) })).filter(({ at }) => at.length > 0);
}

// A comment is asked by itself, too. A form is of the newer kind where its questions bring something that the older one does not have.
function readAlone(form, { beside: _, ...question }) {
  const shared = Object.fromEntries(SHARED.filter((key) => key in form).map((key) => [key, form[key]]));
  const pictured = NEWER.pictured && form.images.length > 0 ? { images: form.images } : {};
  const alone = { ...shared, ...pictured, questions: [question], size: bodySize([question]) };
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
