// <askance-question>: one question of a form on any page. The page gets the report and never the answer.
// What is drawn is drawn once and kept in the tab, as on the survey's own page; what is given is given.

import { languageAmong, questionAlone, shownAlone } from "../src/askance_collect/respond/browser/alone.js";
import { chanceSource, testChance } from "../src/askance_collect/respond/browser/askance.js";
import { openDraft } from "../src/askance_collect/respond/browser/draft.js";
import { element, paragraph } from "../src/askance_collect/respond/browser/element.js";
import { refuseUnless } from "../src/askance_collect/respond/browser/refusal.js";
import { speak } from "../src/askance_collect/respond/browser/speech.js";
import { cellsByColumn } from "../src/askance_collect/respond/browser/spell.js";
import { WORDS_OF } from "../src/askance_collect/respond/browser/words.js";
import { Reporting, schemeOf } from "./reporting.js";

const PARTS = {
  fieldset: "answers",
  h1: "question",
  ".badge": "badge",
  ".main": "button",
  ".odds": "odds",
  ".option": "option",
  ".picture": "image",
  ".status": "status",
};
// What happens inside stays inside: those who listen on the page itself hear of the report alone.
const INNER = ["click", "input", "keydown", "keyup", "mousedown", "mouseup", "pointerdown", "pointerup", "touchend", "touchstart"];
const style = new CSSStyleSheet();
style.replaceSync(ASKANCE_STYLE);

export class AskanceQuestion extends Reporting {
  #root = this.attachShadow({ mode: "closed", delegatesFocus: true });

  #visit = null;

  // Forget what was drawn and given in this tab, for the next person: a tablet is handed on.
  static forget() {
    this.forgetKept("askance:");
    this.all.forEach((node) => node.#restart());
  }

  // Bring the words of another language, from askance/languages.
  static speak(language, words) {
    WORDS_OF[language] = words;
    this.all.forEach((node) => node.attributeChangedCallback());
  }

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [style];
    INNER.forEach((kind) => this.#root.addEventListener(kind, (event) => event.stopPropagation()));
  }

  attributeChangedCallback() {
    if (this.#visit) this.#show();
  }

  formDisabledCallback(disabled) {
    this.#root.querySelectorAll("input, textarea, button").forEach((control) => {
      control.disabled = disabled;
    });
  }

  // What it says of itself to whoever cannot see it: what it asks or, then, that it was given.
  get label() {
    if (!this.#visit) return "";
    const { words, text } = this.#speech();
    return this.#isGiven ? words.given : text(this.#visit.question.text);
  }

  async open() {
    refuseUnless(globalThis.crypto?.subtle, "chance");
    chanceSource.failed = () => refuseUnless(false, "chance");
    testChance();
    const [text, fingerprint] = [await this.text(), this.getAttribute("fingerprint") ?? ""];
    const form = await questionAlone(text, this.getAttribute("question"), fingerprint);
    refuseUnless(form.seal === undefined, "sealed");
    const [question] = form.questions;
    await this.claim(fingerprint, question.name);
    this.#begin(form, fingerprint, question);
  }

  showRefusal(told) {
    this.#visit = null;
    const line = paragraph(told, "complaint");
    line.setAttribute("role", "alert");
    this.#root.replaceChildren(line);
  }

  #begin(form, fingerprint, question) {
    const draft = openDraft(form, `${fingerprint}:${question.name}`, () => window.sessionStorage);
    this.#visit = { form, fingerprint, draft, question };
    if (draft.isBound()) return this.#give();
    if (this.#isGiven) return this.#show();
    draft.begin();
    this.wait(this.#speech().words.choose);
    return this.#show();
  }

  // Given here, or before: where its page keeps the report of another day, it says so.
  get #isGiven() {
    return this.report !== null || this.hasAttribute("given");
  }

  #restart() {
    if (!this.#visit) return;
    const { form, fingerprint, question } = this.#visit;
    this.handOver(null);
    this.removeAttribute("given");
    this.heed((async () => this.#begin(form, fingerprint, question))());
  }

  #speech() {
    const wanted = [this.closest("[lang]")?.lang, ...navigator.languages].filter(Boolean);
    return speak(languageAmong(this.#visit.form.languages, wanted));
  }

  #show() {
    const speech = this.#speech();
    const take = () => {
      this.#give();
      this.announce();
      this.#root.querySelector("h1").focus();
    };
    const nodes = shownAlone(this.#visit, speech, this.getAttribute("level"), this.#isGiven ? null : take);
    const body = element("div", { className: "body", lang: speech.language, dir: speech.direction }, ...nodes);
    body.style.colorScheme = schemeOf(this);
    for (const [selector, part] of Object.entries(PARTS)) {
      body.querySelectorAll(selector).forEach((node) => node.setAttribute("part", part));
    }
    this.#root.replaceChildren(body);
    if (this.matches(":disabled")) this.formDisabledCallback(true);
  }

  #give() {
    const { draft, question, fingerprint } = this.#visit;
    const value = draft.value(0);
    this.handOver({ form: fingerprint, question: question.name, value, cells: cellsByColumn(question, value, this.name) });
    this.#show();
  }
}
