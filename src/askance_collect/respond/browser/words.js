// The page's own words, by language. They are data, kept in languages/*.toml: a page has those of its
// form's languages put in behind this, with the blanks of each sentence numbered as `{0}`, `{1}`: English
// by name, and every other language in the order of the English.

/** @type {Record<string, any>} */
export const WORDS_OF = {};
/**
 * What the languages are called, in themselves, of a form in several: put in behind the words.
 *
 * @type {Record<string, string>}
 */
export const NAMES = {};

/**
 * A language's words, each sentence with blanks as a function of what fills them. A sentence of
 * several forms has one for each of the language's plurals: the number in the blank `by` chooses.
 *
 * @param {any} translated
 * @param {string} language
 * @param {(value: number) => string} number
 * @param {(phrase: string) => number} valueOf
 */
export function wordsIn(translated, language, number, valueOf) {
  const plural = new Intl.PluralRules(language, { maximumFractionDigits: 6 });
  /** @param {any} part */
  const shown = (part) => (typeof part === "number" ? number(part) : part);
  /**
   * @param {string} text
   * @param {any[]} parts
   */
  const filled = (text, parts) => text.replace(/\{(\d)\}/g, (_, index) => shown(parts[index]));
  /**
   * @param {any} text
   * @param {any} part
   */
  const chosen = (text, part) => text[plural.select(valueOf(shown(part)))] ?? text.other;
  /** @param {any} text */
  const phrase = (text) => {
    if (text.other) return (/** @type {any[]} */ ...parts) => filled(chosen(text, parts[text.by]), parts);
    return /\{\d\}/.test(text) ? (/** @type {any[]} */ ...parts) => filled(text, parts) : text;
  };
  return Object.fromEntries(Object.entries(WORDS_OF.en).map(([key, text], index) => [key, phrase(translated[key] ?? translated[index] ?? text)]));
}
