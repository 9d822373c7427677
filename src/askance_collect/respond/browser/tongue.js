// The survey's own words: what the page says itself, in a language that it has no words of, stands in the
// form, its blanks by name. A page whose form brings none goes without this module.

import { assert, isLegible } from "./form.js";
import { register } from "./hooks.js";
import { mapOf, only } from "./objects.js";
import { either } from "./shapes.js";
import { WORDS_OF } from "./words.js";

/**
 * The names of the blanks of each word, in the order of the English sentence: put in behind this.
 *
 * @type {Record<string, string[]>}
 */
export const BLANKS = {};

// Schema: words
const WORDS = { words: mapOf(only({ checked: either(true, false), words: mapOf(either(isLegible, [isLegible, 1], mapOf(isLegible)), /^[A-Za-z]{1,40}$/) })) };

/**
 * They are taken up as they are read; what could not be said is refused.
 *
 * @param {Form} form
 */
function validateWords({ words, languages, contact }) {
  const tags = Object.keys(words);
  assert(tags.every((tag) => languages.includes(tag)), "words");
  for (const tag of tags) WORDS_OF[tag] = wordsOfForm(words[tag].words, contact[tag].trim() === "");
}

/**
 * As the page's own words stand: blanks by number, and those words that name no contact where none is.
 *
 * @param {any} words
 * @param {boolean} alone
 */
function wordsOfForm(words, alone) {
  const texts = Object.keys(WORDS_OF.en).map((key) => [key, (alone && words[`${key}Alone`]) || words[key]]);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined).map(([key, text]) => [key, blanksByNumber(key, text)]));
}

/**
 * @param {string} key
 * @param {any} text
 */
function blanksByNumber(key, text) {
  const names = BLANKS[key] ?? [];
  const spelt = JSON.stringify(text).replace(/\{(\w+)\}/g, (_, name) => `{${names.indexOf(name)}}`);
  const by = text.other === undefined ? {} : { by: names.indexOf("count") };
  return typeof text === "string" ? JSON.parse(spelt) : Object.assign(JSON.parse(spelt), by);
}

register({ name: "words", shapes: WORDS, validate: validateWords });
