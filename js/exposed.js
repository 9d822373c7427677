// A question that is asked on the page itself: the page gets the report and, as long as its scripts mean no
// harm, never the answer. What is drawn is drawn once and kept in the tab, as on the survey's own page.

import { languageAmong, previewAlone, questionAlone, shownAlone, standInDraft } from "../src/askance_collect/respond/browser/alone.js";
import { chanceSource, testChance } from "../src/askance_collect/respond/browser/askance.js";
import { openDraft } from "../src/askance_collect/respond/browser/draft.js";
import { element } from "../src/askance_collect/respond/browser/element.js";
import { refuseUnless } from "../src/askance_collect/respond/browser/refusal.js";
import { speak } from "../src/askance_collect/respond/browser/speech.js";
import { cellsByColumn } from "../src/askance_collect/respond/browser/spell.js";
import { WORDS_OF } from "../src/askance_collect/respond/browser/words.js";
import { chosenIn } from "./chosen.js";
import { schemeOf } from "./scheme.js";

const PARTS = {
  fieldset: "answers",
  h1: "question",
  ".badge": "badge",
  ".for-authors": "preview",
  ".main": "button",
  ".odds": "odds",
  ".option": "option",
  ".picture": "image",
  ".status": "status",
};
// What happens inside stays inside: those who listen on the page itself hear of the report alone.
const INNER = ["click", "input", "keydown", "keyup", "mousedown", "mouseup", "pointerdown", "pointerup", "touchend", "touchstart"];
const roots = new WeakSet();
let style;

export const exposed = {
  async open(host, root, signal) {
    const { preview: isPreview, fingerprint } = host.node;
    refuseUnless(globalThis.crypto?.subtle, "chance");
    if (!isPreview) testOrRefuse();
    const form = await questionAlone(await host.text(), host.node.getAttribute("question"), fingerprint);
    signal.throwIfAborted();
    refuseUnless(form.seal === undefined, "sealed");
    const [question] = form.questions;
    if (!isPreview) await host.claim(fingerprint, question.name);
    keepInside(root);
    const inside = new Exposed(host, root, form);
    inside.begin();
    return inside;
  },
  speak(language, words) {
    WORDS_OF[language] = words;
  },
};

function testOrRefuse() {
  chanceSource.failed = () => refuseUnless(false, "chance");
  testChance();
}

function keepInside(root) {
  if (!style) {
    style = new CSSStyleSheet();
    style.replaceSync(ASKANCE_STYLE);
  }
  root.adoptedStyleSheets = [style];
  if (roots.has(root)) return;
  roots.add(root);
  INNER.forEach((kind) => root.addEventListener(kind, (event) => event.stopPropagation()));
}

class Exposed {
  #host;

  #root;

  #form;

  #draft;

  constructor(host, root, form) {
    this.#host = host;
    this.#root = root;
    this.#form = form;
  }

  begin() {
    const { preview, fingerprint } = this.#host.node;
    const [question] = this.#form.questions;
    this.#draft = preview ? standInDraft(this.#form) : openDraft(this.#form, `${fingerprint}:${question.name}`, () => window.sessionStorage);
    if (this.#draft.isBound()) return this.#give();
    if (!this.#host.isGiven() && !preview) this.#draft.begin();
    return this.#show();
  }

  // The next person is asked.
  restart() {
    this.begin();
  }

  // In another language: what was chosen stays chosen.
  speak() {
    const restore = chosenIn(this.#root);
    this.#show();
    restore();
  }

  reset() {
    this.#show();
  }

  disable(disabled) {
    this.#root.querySelectorAll("input, textarea, button").forEach((control) => {
      control.disabled = disabled;
    });
  }

  #show() {
    const { node: host } = this.#host;
    const wanted = [host.closest("[lang]")?.lang, ...navigator.languages].filter(Boolean);
    const speech = speak(languageAmong(this.#form.languages, wanted));
    const body = element("div", { className: "body", lang: speech.language, dir: speech.direction }, ...this.#nodes(speech));
    body.style.colorScheme = schemeOf(host);
    for (const [selector, part] of Object.entries(PARTS)) {
      body.querySelectorAll(selector).forEach((node) => node.setAttribute("part", part));
    }
    this.#root.replaceChildren(body);
    if (host.matches(":disabled")) this.disable(true);
    this.#host.wait(speech.words.choose);
  }

  #nodes(speech) {
    const { node: host, announce, isGiven } = this.#host;
    const visit = { form: this.#form, draft: this.#draft, question: this.#form.questions[0] };
    const level = host.getAttribute("level");
    if (host.preview) return previewAlone(visit, speech, level);
    const take = () => {
      this.#give();
      announce();
      this.#root.querySelector("h1").focus();
    };
    return shownAlone(visit, speech, level, isGiven() ? null : take);
  }

  #give() {
    const [question] = this.#form.questions;
    const value = this.#draft.value(0);
    const { node, handOver } = this.#host;
    const name = node.getAttribute("name") ?? question.name;
    handOver({ form: node.fingerprint, question: question.name, value, cells: cellsByColumn(question, value, name) });
    this.#show();
  }
}
