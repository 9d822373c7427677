// One question of this form, asked inside somebody else's page. The form, its words and its style lie in
// here. The page around says in this page's own address which question it wants, in which of the form's
// languages, how large, and in which of a few colours: what is anything else says nothing. No message is
// taken from it. It hears twice how high the question is, before it is touched and when it is given (in
// between that could tell what was chosen), and what was drawn to be sent.

import { languageAmong, previewAlone, questionAlone, shownAlone, standInDraft } from "./alone.js";
import { chanceSource, testChance } from "./askance.js";
import { openDraft } from "./draft.js";
import { paragraph, partOf } from "./element.js";
import { hooks } from "./hooks.js";
import { REASONS, Refusal, refuseUnless } from "./refusal.js";
import { speak } from "./speech.js";
import { cellsByColumn } from "./spell.js";

REASONS.frame = "it is not in a frame without an origin";
const SMALLEST = 12;
const LARGEST = 32;

/**
 * `expected` is the fingerprint of the form that the frame was made with.
 *
 * @param {string} expected
 */
export async function startFrame(expected) {
  const around = new URLSearchParams(location.hash.slice(1));
  try {
    // With an origin, a page that shares it could reach in here.
    refuseUnless(self.origin === "null" && parent !== self, "frame");
    refuseUnless(globalThis.crypto?.subtle, "chance");
    chanceSource.failed = () => refuseUnless(false, "chance");
    testChance();
    const form = await questionAlone(partOf("form").textContent, around.get("question"), expected);
    const [question] = form.questions;
    const seal = form.seal && (await hooks.createSealer?.(form, expected, question.name));
    refuseUnless(seal !== null, "chance");
    askInside({ form, expected, seal, draft: openDraft(form, expected, () => null), question }, around);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    show([paragraph(`This question cannot be asked here: ${REASONS[refusal.reason]}.`, "complaint")]);
    tell("refused", { reason: refusal.reason });
  }
}

/**
 * @param {{ form: Form, expected: string, seal: any, draft: Draft, question: Question }} visit
 * @param {URLSearchParams} around
 */
function askInside(visit, around) {
  const { form, expected, seal, draft, question } = visit;
  const speech = speak(languageAmong(form.languages, [around.get("lang") ?? "", ...navigator.languages].filter(Boolean)));
  const level = /^[1-6]$/.exec(around.get("level") ?? "")?.[0] ?? "2";
  dressFrame(speech, around, speech.text(question.text));
  if (around.has("preview")) {
    show(previewAlone({ ...visit, draft: standInDraft(form) }, speech, level));
    return tell("asked", { label: document.title, height: height(), choose: "" });
  }
  const showGiven = () => show(shownAlone(visit, speech, level, null));
  if (around.has("given")) {
    showGiven();
    return tell("asked", { label: document.title, height: height(), choose: "" });
  }
  draft.begin();
  show(
    shownAlone(visit, speech, level, async () => {
      showGiven();
      document.querySelector("h1")?.focus();
      const { name } = question;
      const cells = seal ? { [name]: await seal(draft.body()) } : cellsByColumn(question, draft.value(0), name);
      tell("given", { report: { form: expected, question: name, cells }, told: speech.words.given, height: height() });
    }),
  );
  return tell("asked", { label: document.title, height: height(), choose: speech.words.choose });
}

/**
 * @param {Speech} speech
 * @param {URLSearchParams} around
 * @param {string} title
 */
function dressFrame({ language, direction }, around, title) {
  const { documentElement: root } = document;
  Object.assign(root, { lang: language, dir: direction });
  Object.assign(root.dataset, { accent: around.get("accent") ?? "" });
  document.title = title;
  const size = Number(around.get("size"));
  if (size >= SMALLEST && size <= LARGEST) root.style.fontSize = `${size}px`;
}

/** @param {HTMLElement[]} nodes */
const show = (nodes) => partOf("main").replaceChildren(...nodes);

const height = () => Math.ceil(document.documentElement.getBoundingClientRect().height);

/**
 * Whichever page is around: where it is not the study's own, it must learn no more by this.
 *
 * @param {any} askance
 * @param {any} more
 */
const tell = (askance, more) => parent.postMessage({ askance, ...more }, "*");
