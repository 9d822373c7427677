// One question of a form, to be asked by itself on somebody else's page.

import { bounds, canonical } from "./askance.js";
import { asksFor } from "./controls.js";
import { openDraft } from "./draft.js";
import { button, buttons, foldOut, heading, paragraph } from "./element.js";
import { fieldFor } from "./field.js";
import { bodySize, readForm } from "./form.js";
import { hooks } from "./hooks.js";
import { Refusal, refuseUnless } from "./refusal.js";
import { protection, readField, sides } from "./screens.js";
import { sha256 } from "./send.js";
import { isProtected } from "./speech.js";

// What of a form goes with each of its questions.
const SHARED = ["about", "collector", "consent", "contact", "languages", "seal", "title", "words"];

/**
 * The form of that question alone, checked against the fingerprint of the whole one.
 *
 * @param {string} text
 * @param {string | null} name
 * @param {string} fingerprint
 */
export async function questionAlone(text, name, fingerprint) {
  refuseUnless((await sha256(text)) === fingerprint, "changed");
  const form = formOf(text);
  const names = form.questions.map((question) => question.name);
  const index = name === null && names.length === 1 ? 0 : names.indexOf(name ?? "");
  refuseUnless(index >= 0, "question");
  const question = form.questions[index];
  refuseUnless(question.piped === undefined, "piped");
  refuseUnless(!(form.skips ?? []).some((rule) => isTelling(rule, index, form)), "rule");
  return readAlone({ ...form, images: imagesOf(form, index) }, question);
}

/**
 * @param {string} text
 * @returns {Form}
 */
function formOf(text) {
  try {
    const form = JSON.parse(text);
    refuseUnless(canonical(form) === text && form.questions.length > 0, "form");
    return form;
  } catch {
    throw new Refusal("form");
  }
}

/**
 * Whether a rule makes what is sent for one question hang on an answer that chance protects.
 *
 * @param {any} parts
 * @param {number} index
 * @param {Form} form
 */
const isTelling = ({ question, after }, index, { questions }) => question === index && isProtected(questions[after]);

/**
 * Those that stand at the question; what stands at an item of a list stands on the screen of the list.
 *
 * @param {Form} form
 * @param {number} place
 */
function imagesOf({ images = [], checklists = [] }, place) {
  if (checklists.some(({ at: first, items }) => place >= first && place < first + items.length)) return [];
  /** @param {any} parts */
  const here = (/** @type {PlacedPicture} */ { at: places }) => places.filter(({ question }) => question === place).map((position) => ({ ...position, question: 0 }));
  return images.map((image) => ({ ...image, at: here(image) })).filter(({ at: places }) => places.length > 0);
}

/**
 * A comment is asked by itself, too, and a sealed text as one that is not: its report is sealed as a whole. A form is of the newer kind where its questions bring something that the older one does not have.
 *
 * @param {Form} form
 * @param {Question} question
 * @returns {Form}
 */
function readAlone(form, { beside: _, ...asked }) {
  /** @type {Record<string, any>} */
  const parts = form;
  const shared = Object.fromEntries(SHARED.filter((key) => key in form).map((key) => [key, parts[key]]));
  const pictured = hooks.illustrate && form.images.length > 0 ? { images: form.images } : {};
  const question = { ...asked, kind: asked.kind === "sealed" ? "text" : asked.kind };
  const alone = { ...shared, ...pictured, questions: [question], size: bodySize([question]) };
  try {
    return readForm(canonical({ ...alone, askance: "form-1" }));
  } catch {
    return readNewer(alone);
  }
}

/** @param {any} alone */
function readNewer(alone) {
  try {
    return readForm(canonical({ ...alone, askance: "form-2" }));
  } catch {
    throw new Refusal("form");
  }
}

/**
 * @param {{ form: Form, draft: Draft, question: Question }} asked
 * @param {Speech} speech
 * @param {string | null} level
 * @param {(() => void) | null} take
 */
export function shownAlone({ form, draft, question }, speech, level, take) {
  const nodes = [headingAlone(question, speech, level), ...(take ? askingNodes(draft, question, speech, take) : givenNodes(draft, question, speech))];
  if (take && form.images) hooks.illustrate?.(nodes, 0, { form, speech });
  return nodes;
}

/**
 * For authors: what people see, without chance. Nothing is bound, and nothing handed over.
 *
 * @param {{ form: Form, draft: Draft, question: Question }} asked
 * @param {Speech} speech
 * @param {string | null} level
 */
export function previewAlone({ form, draft, question }, speech, level) {
  const { words } = speech;
  const title = headingAlone(question, speech, level);
  const line = paragraph("", "status");
  line.setAttribute("role", "status");
  const controls = controlNodes(draft, question, speech, () => line.replaceChildren(words.preview));
  const nodes = [paragraph(words.preview, "for-authors"), title, ...controls, line];
  if (form.images) hooks.illustrate?.(nodes, 0, { form, speech });
  return nodes;
}

/**
 * Stands where a draft does, with the middle of everything that chance could have drawn.
 *
 * @param {Form} form
 */
export function standInDraft(form) {
  const draft = openDraft(form, "", () => null);
  draft.resume({ id: "", draws: form.questions.map((question) => hooks.placeDraws(question, bounds(question).map((limit) => Math.floor(limit / 2)))) });
  return draft;
}

/**
 * @param {Question} question
 * @param {Speech} speech
 * @param {string | null} level
 */
function headingAlone(question, speech, level) {
  const title = asksFor(heading(speech.text(question.text)));
  title.setAttribute("aria-level", level ?? "2");
  return title;
}

/**
 * @param {Draft} draft
 * @param {Question} question
 * @param {Speech} speech
 * @param {() => void} take
 */
function askingNodes(draft, question, speech, take) {
  return controlNodes(draft, question, speech, (answer) => {
    draft.give(0, answer);
    draft.bind();
    draft.seal();
    draft.leave();
    speech.clear();
    take();
  });
}

/**
 * @param {Draft} draft
 * @param {Question} whole
 * @param {Speech} speech
 * @param {(answer: Answer) => void} given
 */
function controlNodes(draft, whole, speech, given) {
  const { words } = speech;
  const draws = draft.draws(0);
  const question = hooks.resolveQuestion(whole, draws);
  const field = fieldFor(question, draws, draft.answer(0), speech, () => draft.trail(0));
  const give = () => {
    const answer = readField(field);
    if (answer) given(answer);
  };
  const about = isProtected(question)
    ? protection(question, draws, speech, field.node)
    : (hooks.renderCoin(question, speech, field.node) ?? [paragraph(words.plain, "badge open"), field.node]);
  return [...hooks.renderHints(question, speech), ...about, paragraph(words.giveOnce, "hint"), buttons(button(words.give, give, "main"))];
}

/**
 * What was handed over, one tap away: who sees "yes" beside their "no" is frightened. Of what was given
 * elsewhere nothing is known.
 *
 * @param {Draft} draft
 * @param {any} whole
 * @param {Speech} speech
 */
function givenNodes(draft, whole, speech) {
  const { words } = speech;
  const line = paragraph(words.given, "status");
  if (!draft.isBound()) return [line];
  const question = hooks.resolveQuestion(whole, null, draft.value(0));
  return [line, foldOut(words.bind, sides(question, "", draft.value(0), speech))];
}

/**
 * Of the languages of a form the first that somebody wants, by its whole tag or by its beginning.
 *
 * @param {string[]} languages
 * @param {string[]} wanted
 */
export function languageAmong(languages, wanted) {
  /** @param {string} tag */
  const short = (tag) => tag.split("-")[0];
  const candidates = wanted.map((tag) => languages.find((language) => language === tag) ?? languages.find((language) => short(language) === short(tag)));
  return candidates.find(Boolean) ?? languages[0];
}
