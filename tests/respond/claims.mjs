// What the page says of each form on its screens, in every language that it has words of, as the ids of the words: a
// line with a form comes in, a line with what is shown goes out. A document of its own stands in for the browser's.

import { createInterface } from "node:readline";

import { readForm } from "../../src/askance_collect/respond/browser/form.js";
import "../../js/kinds.js";
import "../../src/askance_collect/respond/browser/cuts.js";
import "../../src/askance_collect/respond/browser/comments.js";
import "../../src/askance_collect/respond/browser/pictures.js";
import "../../src/askance_collect/respond/browser/needed.js";
import "../../src/askance_collect/respond/browser/pipes.js";
import "../../src/askance_collect/respond/browser/whole.js";
import "../../src/askance_collect/respond/browser/ratio.js";
import "../../src/askance_collect/respond/browser/exact.js";
import "../../src/askance_collect/respond/browser/proof.js";
import "../../src/askance_collect/respond/browser/sets.js";
import "../../src/askance_collect/respond/browser/alike.js";
import "../../src/askance_collect/respond/browser/sections.js";
import "../../src/askance_collect/respond/browser/groups.js";
import "../../src/askance_collect/respond/browser/typed.js";
import "../../src/askance_collect/respond/browser/texts.js";
import "../../src/askance_collect/respond/browser/number.js";
import "../../src/askance_collect/respond/browser/ticks.js";
import "../../src/askance_collect/respond/browser/coin.js";
import "../../src/askance_collect/respond/browser/dots.js";
import "../../src/askance_collect/respond/browser/cups.js";
import "../../src/askance_collect/respond/browser/lists.js";
import "../../src/askance_collect/respond/browser/grids.js";
import "../../src/askance_collect/respond/browser/items.js";
import "../../src/askance_collect/respond/browser/narrow.js";
import { hooks } from "../../src/askance_collect/respond/browser/hooks.js";
import { openTrail } from "../../src/askance_collect/respond/browser/trail.js";
import { questionScreen } from "../../src/askance_collect/respond/browser/questions.js";
import { cardScreen, consentScreen, practiceScreen, sides } from "../../src/askance_collect/respond/browser/screens.js";
import { isProtected, speak } from "../../src/askance_collect/respond/browser/speech.js";
import { WORDS_OF } from "../../src/askance_collect/respond/browser/words.js";
import "./words.mjs";

const LANGUAGES = Object.keys(WORDS_OF);

/** A node that keeps what is put into it. */
class Shown {
  constructor(tag) {
    Object.assign(this, { tag, children: [], actions: [] });
  }
  append(...nodes) {
    this.children.push(...nodes);
  }
  prepend(...nodes) {
    this.children.unshift(...nodes);
  }
  replaceChildren(...nodes) {
    this.children = nodes;
  }
  addEventListener(event, action) {
    if (event === "click") this.actions.push(action);
  }
  set textContent(text) {
    this.children = [text];
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("\n");
  }
  querySelector() {
    return null;
  }
  querySelectorAll() {
    return [];
  }
  getAttribute() {
    return null;
  }
  matches() {
    return false;
  }
  closest() {
    return null;
  }
  all(tag) {
    return [...(this.tag === tag ? [this] : []), ...this.children.flatMap((child) => child.all?.(tag) ?? [])];
  }
  setAttribute() {}
  removeAttribute() {}
  focus() {}
  remove() {
    this.children = [];
  }
}
globalThis.location = new URL("https://example.org/");
globalThis.document = { createElement: (tag) => new Shown(tag) };

/** Each word says its own name, its language and what fills it. */
const named = (tag, key, text) => {
  const spell = (part, name) => `‹${tag}:${name}|${[...new Set(part.match(/\{\d\}/g) ?? [])].join("|")}›`;
  if (typeof text === "string") return spell(text, key);
  if (Array.isArray(text)) return text.map((part) => spell(part, key));
  const parts = Object.entries(text).map(([name, part]) => [name, name === "by" ? part : spell(part, text.other ? key : `${key}.${name}`)]);
  return Object.fromEntries(parts);
};
for (const tag of LANGUAGES) {
  WORDS_OF[tag] = Object.fromEntries(Object.entries(WORDS_OF[tag]).map(([key, text]) => [key, named(tag, key, text)]));
}

const any = (wording) => Object.values(wording)[0];
const SPEECHES = LANGUAGES.map((tag) => [tag, { ...speak(tag), text: any, inside: any }]);
const textOf = (nodes) => nodes.map((node) => node.textContent).join("\n");

/** A try at the practice question, and both replies to what it asks then. */
function practise(visit) {
  const page = new Shown("main");
  page.append(...practiceScreen.render(visit));
  page.all("input")[0].checked = true;
  const press = (button) => button.actions.forEach((action) => action());
  press(page.all("button")[1]);
  return page.all("button").slice(-4, -2).map((reply) => (press(reply), page.textContent)).join("\n");
}

function shownOf(form, tries, values, speech) {
  const draft = { draws: () => [], answer: () => undefined };
  const visit = { form, fingerprint: "", speech, state: { step: 0 }, steps: [], draft, forward() {}, back() {} };
  const questions = tries.map((drawn, index) =>
    drawn.map((draws) => {
      const trail = () => openTrail(form.questions[index], draws);
      return textOf(questionScreen(index).render({ ...visit, draft: { ...draft, draws: () => draws, trail } }));
    }),
  );
  const records = values.map((sent, index) =>
    sent.map((value) => textOf([sides(hooks.resolveQuestion(form.questions[index], null, value), "", value, speech)])),
  );
  const isAny = form.questions.some(isProtected);
  return { consent: textOf(consentScreen.render(visit)), practice: isAny ? practise(visit) : "", card: isAny ? textOf(cardScreen.render(visit)) : "", questions, records };
}

function answer({ text, draws, values }) {
  const form = readForm(text);
  const shown = SPEECHES.map(([tag, speech]) => JSON.stringify(shownOf(form, draws, values, speech)).replaceAll(`‹${tag}:`, "‹"));
  const english = shown[LANGUAGES.indexOf("en")];
  // Whether a record's own name lists what it leaves possible is a matter of the language's “or”, and in which plural a
  // unit stands a matter of its counting.
  const ids = (said) => said.match(/‹(?!possible|practiceUnit)[\w.:]+/g).join();
  return { shown: JSON.parse(english), other: LANGUAGES.filter((_, index) => ids(shown[index]) !== ids(english)) };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(answer))}\n`);
}
