// Texts that this device encrypts for the study's key before they are sent (hpke.js): whoever keeps the reports
// can neither read them nor tell how long they are. The twin of askance_collect/wire/sealed_text.py. A page whose
// form asks for none goes without this module.

import { questionKinds } from "./askance.js";
import { paragraph } from "./element.js";
import { fieldTypes } from "./field.js";
import { ASKED, assert, questionShapes } from "./form.js";
import { register } from "./hooks.js";
import { KEMS, read64, sealerFor, spelt64, utf8 } from "./hpke.js";
import { derive } from "./screen.js";
import { oddsTexts } from "./speech.js";
import { validateTexts } from "./texts.js";

const VERSION = "askance-text-1";
const ENVELOPE = /^askance-text-1\.(x25519|p256)\.([\w-]+)$/;
const TAG = 16;
const LONGEST_UNIT = 3;

// Schema: sealed
const SEALED = { ...ASKED, limit: [1, 2000], lines: [1, 20], "beside?": true };

/** @param {Question} question */
const isSealed = (question) => question?.kind === "sealed";

/** @param {Question} question */
const paddedSize = ({ limit }) => LONGEST_UNIT * limit;

/**
 * @param {Kem} kem
 * @param {Question} question
 */
const rawSize = ({ from, to }, question) => to - from + paddedSize(question) + TAG;

/**
 * A text in as many bytes as every other one of its question: spaces, with which none ends, fill it up.
 *
 * @param {Question} question
 * @param {string} text
 */
export function paddedText(question, text) {
  const bytes = new Uint8Array(paddedSize(question)).fill(0x20);
  bytes.set(utf8(text));
  return bytes;
}

/**
 * What was sealed of a visit, from when it is done until what is sent is bound.
 *
 * @type {Map<string, string>}
 */
const envelopes = new Map();

questionKinds.sealed = {
  /** @param {Question} question */
  maxLength: (question) => Math.max(...KEMS.map((kem) => `"${VERSION}.${kem.name}."`.length + Math.ceil((rawSize(kem, question) * 4) / 3))),
  /**
   * @param {Question} question
   * @param {string} value
   */
  isValid(question, value) {
    const [, name, data] = ENVELOPE.exec(typeof value === "string" ? value : "") ?? [];
    const kem = KEMS.find((candidate) => candidate.name === name);
    if (!kem || data.length % 4 === 1) return false;
    const raw = read64(data);
    return raw.length === rawSize(kem, question) && spelt64(raw) === data;
  },
  /** @param {Question} question */
  encode({ name }) {
    const envelope = envelopes.get(name);
    if (envelope) return envelope;
    throw new RangeError(`answers.${name}: allowed: a text that was sealed`);
  },
  /**
   * @param {any} _
   * @param {any} __
   * @param {Speech} speech
   */
  label: (_, __, { words }) => words.sealedRecord,
  /**
   * @param {any} _
   * @param {any} __
   * @param {Answer} answer
   * @param {Speech} speech
   */
  answerLabel: (_, __, { index }, { language, inside }) => inside({ [language]: index }),
};
questionShapes.sealed = [SEALED];

/**
 * The words of the place for a text, where it is sealed.
 *
 * @param {Speech} speech
 */
const sealing = (speech) => ({ ...speech, words: { ...speech.words, ownHint: speech.words.sealedHint } });

/** @type {FieldType} */
fieldTypes.sealed = (question, draws, answer, speech) => fieldTypes.text(question, draws, answer, sealing(speech));

/**
 * The plain questions that stand behind sealed ones.
 *
 * @type {Set<string>}
 */
const behind = new Set();

/**
 * A sealed question says so; a plain one behind it says that it is plain, which a page else says once in a row.
 *
 * @type {Wrapper<"renderCoin">}
 */
const markSealed = (next) => (question, speech, controls) => {
  const { words } = speech;
  if (isSealed(question)) return [paragraph(words.sealed, "badge guarded"), controls];
  const plain = () => [paragraph(words.plain, "badge open"), paragraph(words.plainHint, "hint"), controls];
  return next(question, speech, controls) ?? (behind.has(question.name) ? plain() : undefined);
};

/**
 * A comment that is sealed says so on the screen of its question.
 *
 * @type {Wrapper<"arrangeSteps">}
 */
const markComments = (next) => (steps, form) =>
  next(steps, form).map((step) => {
    const comments = [step.question ?? -2, (step.question ?? -2) + 1].filter((index) => form.questions[index]?.beside && isSealed(form.questions[index]));
    if (comments.length === 0) return step;
    const render = (/** @type {Visit} */ visit) => step.screen.render(derive(visit, { speech: sealing(visit.speech) }));
    return { ...step, screen: { ...step.screen, render } };
  });

/**
 * Of a record: that it is locked.
 *
 * @param {any} earlier
 */
const proofText = (earlier) => (/** @type {Question} */ question, /** @type {Value} */ value, /** @type {Speech} */ speech) =>
  isSealed(question) ? speech.words.sealed : earlier?.(question, value, speech);

oddsTexts.proofText = proofText(oddsTexts.proofText);

/**
 * Before anything is bound, each text is sealed; a browser that cannot do so asks nobody.
 *
 * @type {Wrapper<"openVisit">}
 */
const sealVisit = (next) => (visit) => {
  next(visit);
  const { form, fingerprint, draft } = visit;
  const { bind } = draft;
  form.questions.forEach(({ name }, index) => isSealed(form.questions[index - 1]) && !form.questions[index - 1].beside && behind.add(name));
  const sealed = [...form.questions.keys()].filter((index) => isSealed(form.questions[index]));
  const sealers = Promise.all(sealed.map((index) => sealerFor(form.seal, VERSION, fingerprint, form.questions[index].name)));
  sealers.then((all) => all.includes(null) && visit.endVisit("unsealed"));
  draft.bind = async () => {
    const all = await sealers;
    for (const [place, index] of sealed.entries()) {
      const [text, seal, question] = [draft.answer(index)?.index, all[place], form.questions[index]];
      if (text && seal) envelopes.set(question.name, await seal(paddedText(question, text)));
    }
    bind();
    envelopes.clear();
  };
  visit.bind = async () => {
    await draft.bind();
    visit.show();
  };
};

register({
  name: "sealed",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(isSealed),
  /** @param {Form} form */
  validate(form) {
    validateTexts(form);
    assert(form.seal !== undefined, "seal");
  },
  wrap: { renderCoin: markSealed, arrangeSteps: markComments, openVisit: sealVisit },
});
