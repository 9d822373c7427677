// Reading the form: whatever could not be asked or drawn exactly as written is refused. What its parts are made of
// is said in askance_collect/wire/schema/form-2.json, from which `make page` writes their shapes into the modules;
// rules that no schema can express are the twins of those in askance_collect/wire/form.py and question.py.

import { canonical, isIndex, questionKinds } from "./askance.js";
import { features } from "./hooks.js";
import { sum } from "./partition.js";

const LARGEST_TOTAL = 2 ** 48;
const DEEPEST = 64;
const BLOCK = 256;
// What one kind of question has alone: no other kind has it, and no page that goes without its module.
const ONE_KIND = ["groups?", "assigned?", "ticks?", "count?", "coin?", "beside?"];

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
  checkParts(form, FORM, languages);
  new URL(form.collector, "https://a"); // throws where reports could not be sent
  questions.forEach((question, index) => checkQuestion(question, languages, `questions[${index}].`));
  assert(allDistinct(questions.map(({ name }) => name)), "name");
  assert(form.size === bodySize(questions), "size");
  const used = features.filter(({ detect }) => detect?.(form));
  used.forEach(({ shapes }) => checkParts(form, shapes, languages));
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
 * @param {any} question
 * @param {string[]} languages
 * @param {string} where
 */
function checkQuestion(question, languages, where) {
  assert(Object.keys(questionShapes).includes(question.kind), `${where}kind`);
  const [shape, keepsRules = isThere] = questionShapes[question.kind];
  assert(ONE_KIND.every((key) => key in shape || !(key.slice(0, -1) in question)), `${where}kind`);
  checkParts(question, shape, languages, where);
  assert(keepsRules(question), where);
}

/**
 * @param {any} value
 * @param {any} shape
 * @param {string[]} languages
 * @param {string} [where]
 */
function checkParts(value, shape, languages, where = "") {
  for (const key in shape) assert(hasPart(value, key, shape[key], languages), where + key);
}

/**
 * @param {any} value
 * @param {string} key
 * @param {any} shape
 * @param {string[]} languages
 */
function hasPart(value, key, shape, languages) {
  const name = key.replace("?", "");
  return Object.hasOwn(value, name) ? conforms(value[name], shape, languages) : name !== key;
}

/**
 * Whether a value is what a shape says. A shape is a pattern; [least, most] of an integer; [shape, least, rule, most]
 * of a list; an object of shapes, where keys that end in a question mark may be missing; a function that says it; or
 * the value itself.
 *
 * @param {any} value
 * @param {any} shape
 * @param {string[]} languages
 * @returns {boolean}
 */
export function conforms(value, shape, languages) {
  if (typeof shape === "function") return shape(value, languages);
  if (Array.isArray(shape)) {
    if (isBounds(shape)) return areWithin([value], shape);
    const [part, least, rule = isList, most = Infinity] = shape;
    if (!isList(value) || value.length < least || value.length > most) return false;
    const areParts = isBounds(part) ? areWithin(value, part) : value.every((/** @type {any} */ inner) => conforms(inner, part, languages));
    return areParts && rule(value);
  }
  if (shape?.test) return matches(value, shape);
  if (shape === null || typeof shape !== "object") return value === shape;
  return isObject(value) && Object.keys(shape).every((key) => hasPart(value, key, shape[key], languages));
}

/** @param {any} shape */
const isBounds = (shape) => Number.isInteger(shape[0]);

/**
 * A line's numbers can be a hundred thousand: they are looked at here, not one by one as shapes.
 *
 * @param {any[]} values
 * @param {number[]} bounds
 */
const areWithin = (values, [least, most = Infinity]) =>
  values.every(Number.isInteger) && !values.some((value) => value < least || value > most);

/** @param {Question} question */
const isTable = ({ table, answers, reports }) => areChances(table, answers, reports.map((/** @type {any} */ { means }) => means));

/**
 * A row for each answer, and in it a chance of each report; a report means answers.
 *
 * @param {Table} table
 * @param {any[]} answers
 * @param {number[][]} means
 */
export function areChances({ total, rows }, answers, means) {
  const areRows = rows.length === answers.length && rows.every((row) => row.length === means.length && sum(row) === total);
  return areRows && means.flat().every((index) => index < answers.length);
}

/** @param {{ name: string }[]} labels */
export const areNamed = (labels) => allDistinct(labels.map(({ name }) => name));

/** @param {number[]} blank */
export const isChance = ({ length, 0: units, 1: total }) => length === 2 && units < total;

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

/** @param {any} text */
export const isLegible = (text) => matches(text, LEGIBLE);

/** @param {any} text */
export const isNamed = (text) => text !== "" && isLegible(text);

export const isThere = () => true;

/** @param {any} value */
export const isList = (value) => Array.isArray(value);

/** @param {any} value */
export const isObject = (value) => value !== null && typeof value === "object" && !isList(value);

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
  if (value === null || typeof value !== "object") return false;
  const parts = Object.values(value);
  return level > DEEPEST || (!parts.every(Number.isSafeInteger) && parts.some((part) => exceedsLimits(part, level + 1)));
}

/**
 * @param {unknown} met
 * @param {string} where
 * @returns {asserts met}
 */
export function assert(met, where) {
  if (!met) throw new TypeError(where);
}

// Schema: said
const LEGIBLE = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]*$/u;
// Schema: name
export const NAME = /^[a-z][a-z0-9_]{0,39}$/;
// Schema: language
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?$/;
// Schema: label
export const LABEL = { name: isNamed, label: isWording };
// Schema: labels
export const LABELS = [LABEL, 2, areNamed];
// Schema: meaning
export const MEANING = [[0], 1, allDistinct];
// Schema: units
const UNITS = [0, 2 ** 48];
// Schema: total
export const TOTAL = [1, 2 ** 48];
// Schema: whole
export const WHOLE = [UNITS, 1];
// Schema: chances
export const CHANCES = { total: TOTAL, rows: [[UNITS, 2], 2] };
// Schema: blank
export const BLANK = [UNITS, 2, isChance, 2];
// Schema: asked
export const ASKED = { name: NAME, text: isWording, "needed?": true, "piped?": true };
// Schema: form without size
const FORM = { title: isWording, consent: isWording, contact: isWording, languages: [LANGUAGE, 1, allDistinct], collector: /^(https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*)?$/, about: isObject, questions: [isObject, 1] };

// Schema: choice without coin
const CHOICE = { ...ASKED, answers: LABELS };
// Schema: table without groups assigned ticks count
const TABLE = { ...ASKED, answers: LABELS, reports: [{ ...LABEL, means: MEANING }, 2, areNamed], table: CHANCES, blank: BLANK, about: isThere };

/**
 * What a question of each kind is made of, and whether it keeps the rules beside that: other kinds, and parts that not every page has, come with their modules.
 *
 * @type {Record<string, any>}
 */
export const questionShapes = { choice: [CHOICE], table: [TABLE, isTable] };
