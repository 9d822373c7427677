// Reading the form: whatever could not be asked or drawn exactly as written is refused. The twin of
// askance_collect/wire/form.py and question.py.

import { canonical, isIndex, questionKinds } from "./askance.js";
import { features, hooks } from "./hooks.js";
import { fraction, isInteger } from "./line.js";
import { sum } from "./partition.js";

const LARGEST_TOTAL = 2 ** 48;
export const MOST_TICKS = 100000;
const DEEPEST = 64;
const BLOCK = 256;
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const LANGUAGE =
  /^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/;
// Control characters, marks that turn the direction of writing, and halves of characters.
const ILLEGIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/u;
const COLLECTOR = /^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([A-Za-z0-9_.~-]+\/)*)?$/;

/**
 * The form as an object; an error names the first part that is wrong.
 *
 * @param {string} text
 */
export function readForm(text) {
  /** @type {Form} */
  const form = JSON.parse(text);
  assert(canonical(form) === text && !exceedsLimits(form, 1), "form");
  const { languages, questions } = form;
  assert(isList(languages) && languages.length > 0 && allDistinct(languages), "languages");
  assert(languages.every((tag) => matches(tag, LANGUAGE)), "languages");
  for (const part of ["title", "consent", "contact"]) assert(isWording({ ...form }[part], languages), part);
  assert(matches(form.collector, COLLECTOR), "collector");
  assert(isObject(form.about), "about");
  assert(isList(questions) && questions.length > 0, "questions");
  questions.forEach((question, index) => checkQuestion(question, languages, `questions[${index}]`));
  const names = questions.map(({ name }) => name);
  assert(allDistinct(names) && names.every((name) => matches(name, NAME)), "name");
  assert(form.size === bodySize(questions), "size");
  const used = features.filter(({ detect }) => detect(form));
  used.forEach(({ validate }) => validate?.(form));
  assert(form.ending === undefined || used.some(({ name }) => name === "ending"), "ending");
  const isNew = used.some(({ version = 2 }) => version > 1);
  assert(form.askance === (isNew ? "form-2" : "form-1"), "askance");
  return form;
}

/**
 * The one length of every body: each value at its widest, rounded up to a multiple of 256.
 *
 * @param {Question[]} questions
 */
export function bodySize(questions) {
  const envelope = '{"answers":{},"form":"","id":""}'.length + 64 + 32;
  const members = questions.map((question) => `"${question.name}":,`.length + widest(question));
  return Math.ceil((envelope + sum(members)) / BLOCK) * BLOCK;
}

/** @param {Question} question */
function widest(question) {
  const { kind, answers, reports } = question;
  if (questionKinds[kind]) return questionKinds[kind].maxLength(question);
  return Math.max(4, `${(reports ?? answers).length - 1}`.length);
}

/**
 * @param {Question} question
 * @param {string[]} languages
 * @param {string} where
 */
function checkQuestion(question, languages, where) {
  assert(isObject(question) && Object.keys(validators).includes(question.kind), `${where}.kind`);
  assert(isWording(question.text, languages), `${where}.text`);
  assert(question.groups === undefined || question.kind === "table", `${where}.groups`);
  assert(question.coin === undefined || question.kind === "choice", `${where}.coin`);
  validators[question.kind](question, languages, where);
}

/** @type {Record<string, Validator>} */
export const validators = {
  /**
   * @param {Question} question
   * @param {string[]} languages
   * @param {string} where
   */
  choice({ answers, coin }, languages, where) {
    checkLabels(answers, languages, `${where}.answers`);
    assert(coin === undefined || hooks.validateCoin(coin, answers, languages), `${where}.coin`);
  },
  table: checkTable,
};

/**
 * @param {Question} question
 * @param {string[]} languages
 * @param {string} where
 */
export function checkTable({ answers, reports, table, blank, about, groups }, languages, where) {
  checkLabels(answers, languages, `${where}.answers`);
  checkLabels(reports, languages, `${where}.reports`);
  checkBlank(blank, `${where}.blank`);
  assert(about !== undefined, `${where}.about`);
  assert(isObject(table) && isWhole(table.total) && isTotal(table.total), `${where}.table.total`);
  assert(isList(table.rows) && table.rows.length === answers.length, `${where}.table.rows`);
  for (const row of table.rows) {
    assert(isList(row) && row.length === reports.length && row.every(isWhole), `${where}.table.rows`);
    assert(sum(row) === table.total, `${where}.table.rows`);
  }
  for (const { means } of reports) {
    assert(isList(means) && means.length > 0 && allDistinct(means), `${where}.reports`);
    assert(means.every((answer) => isIndex(answer, answers.length)), `${where}.reports`);
  }
  assert(groups === undefined || hooks.validateGroups(groups, table, languages), `${where}.groups`);
}

/**
 * @param {Line} line
 * @param {string[]} languages
 * @param {string} where
 * @param {number} [most]
 */
export function checkLine(line, languages, where, most = MOST_TICKS) {
  assert(isObject(line) && isWording(line.unit, languages), where);
  assert(isIndex(line.ticks, most + 1) && line.ticks >= 2, `${where}.ticks`);
  const [lower, step] = [fraction(line.lower), fraction(line.step)];
  assert(lower !== undefined && step !== undefined && step[0] > 0n, where);
  assert(line.whole === undefined || (line.whole === true && isInteger(lower) && isInteger(step)), `${where}.whole`);
}

/**
 * @param {Label[]} labels
 * @param {string[]} languages
 * @param {string} where
 */
export function checkLabels(labels, languages, where) {
  assert(isList(labels) && labels.length >= 2 && labels.every(isObject), where);
  assert(labels.every(({ name }) => isLegible(name) && name !== ""), where);
  assert(allDistinct(labels.map(({ name }) => name)), where);
  assert(labels.every(({ label }) => isWording(label, languages)), where);
}

/**
 * @param {number[]} blank
 * @param {string} where
 */
export function checkBlank(blank, where) {
  assert(isList(blank) && blank.length === 2 && blank.every(isWhole), where);
  assert(blank[0] < blank[1] && isTotal(blank[1]), where);
}

/**
 * @param {any} wording
 * @param {string[]} languages
 * @returns {boolean}
 */
export function isWording(wording, languages) {
  if (!isObject(wording) || Object.keys(wording).length !== languages.length) return false;
  return languages.every((tag) => Object.hasOwn(wording, tag) && isLegible(wording[tag]));
}

/**
 * Whether a value is a text of that pattern: what is no text could spell like one.
 *
 * @param {any} text
 * @param {RegExp} pattern
 * @returns {boolean}
 */
export const matches = (text, pattern) => typeof text === "string" && pattern.test(text);

/**
 * @param {any} text
 * @returns {boolean}
 */
export const isLegible = (text) => typeof text === "string" && !ILLEGIBLE.test(text);

/** @param {any} value */
export const isList = (value) => Array.isArray(value);

/** @param {any} value */
export const isObject = (value) => value !== null && typeof value === "object" && !isList(value);

/** @param {any} value */
export const isWhole = (value) => isIndex(value, Infinity);

/** @param {any} value */
export const isTotal = (value) => isIndex(value - 1, LARGEST_TOTAL);

/** @param {any[]} values */
export const allDistinct = (values) => new Set(values).size === values.length;

/**
 * Whether some number is not an integer that a double holds exactly, or some part too many levels deep.
 *
 * @param {any} value
 * @param {number} level
 * @returns {boolean}
 */
function exceedsLimits(value, level) {
  if (typeof value === "number") return !Number.isSafeInteger(value);
  if (!isObject(value) && !isList(value)) return false;
  return level > DEEPEST || Object.values(value).some((part) => exceedsLimits(part, level + 1));
}

/**
 * @param {unknown} met
 * @param {string} where
 * @returns {asserts met}
 */
export function assert(met, where) {
  if (!met) throw new TypeError(where);
}
