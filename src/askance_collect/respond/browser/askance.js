// From an answer to what is sent: the draws first, in an order that no answer can change, then the
// answer. The twin of askance_collect/respond/encode.py; both are held to the vectors in askance_collect/wire.
// Every number here is an integer that a double holds exactly (below 2^53).

import { healthTests } from "./health.js";
import { pick } from "./partition.js";

const WORDS = 2 ** 48;

/**
 * Kinds of question that a page has only where its form asks them: `maxLength` of a value in characters, the
 * `drawBounds` of its draws, which value `isValid`, how an answer is `encode`d, and the `label` of a value.
 *
 * @type {Record<string, QuestionKind>}
 */
export const questionKinds = {};

// 48 random bits from the browser's cryptographic generator. There is no other source and no seed.
export function systemWord() {
  return systemBytes(6).reduce((word, byte) => word * 256 + byte, 0);
}

// A fresh 128-bit report id in hexadecimal: the only key that a report has.
export function systemIdentifier() {
  return [...systemBytes(16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} count */
export function systemBytes(count) {
  try {
    const bytes = globalThis.crypto.getRandomValues(new Uint8Array(count));
    if (isHealthy(bytes)) return bytes;
  } catch {
    // what is missing or throws is no source either
  }
  chanceSource.failed();
  throw new Error("no chance");
}

// A bundle that draws nothing leaves it out.
const isHealthy = /* @__PURE__ */ healthTests();

// What is done where chance is missing, or found to be stuck, before the draw is refused.
export const chanceSource = { failed() {} };

// The start-up test: 1,024 bytes that are thrown away, in draws as long as an id. What begins anew with
// each draw is seen by it.
export function testChance() {
  for (let round = 0; round < 64; round += 1) systemBytes(16);
}

/**
 * An integer uniform on 0 … bound − 1, exactly: words in the incomplete last run are thrown away.
 *
 * @param {number} bound
 * @param {() => number} words
 */
export function uniformBelow(bound, words) {
  if (!isIndex(bound, WORDS + 1) || bound === 0) throw new RangeError("bound: an integer in [1, 2^48]");
  const limit = WORDS - (WORDS % bound);
  let word = words();
  while (word >= limit) word = words();
  return word % bound;
}

/**
 * What a question draws: an integer below each bound, blank first. It depends on the form alone.
 *
 * @param {Question} question
 */
export function bounds(question) {
  if (question.kind === "table") return [question.blank[1], question.table.total];
  return questionKinds[question.kind]?.drawBounds?.(question) ?? [];
}

/**
 * One question's randomness, from a source of 48-bit words.
 *
 * @param {Question} question
 * @param {() => number} words
 */
export function draw(question, words) {
  return bounds(question).map((bound) => uniformBelow(bound, words));
}

/**
 * What is sent. `answer` is an answer's index, the tick of a plain number, the step of the line that
 * holds a protected number, or null for "I'd rather not answer". `steps` is how often the person
 * agreed to a narrower range, where a question is asked one step narrower at a time; else left out.
 *
 * @param {Question} question
 * @param {any} answer
 * @param {Draws} draws
 * @param {number} [steps]
 * @returns {Value}
 */
export function encode(question, answer, draws, steps) {
  checkSteps(question, steps);
  if (answer === null) return null;
  if (questionKinds[question.kind]) return questionKinds[question.kind].encode(question, answer, draws, steps);
  const index = checked(question, answer, question.answers.length);
  if (question.kind === "choice") return index;
  const column = pick(question.table.rows[index], draws[1]);
  return isBlank(question, draws) ? null : column;
}

/**
 * Whether chance leaves a record blank: by its first draw.
 *
 * @param {Question} question
 * @param {number[]} pair
 */
export const isBlank = ({ blank }, [first]) => first < blank[0];

/**
 * The whole body: keys sorted, no spaces inside, padded with spaces to the form's one size.
 *
 * @param {Form} form
 * @param {string} fingerprint
 * @param {string} id
 * @param {any[]} values
 */
export function reportBody(form, fingerprint, id, values) {
  const answers = Object.fromEntries(form.questions.map(({ name }, index) => [name, values[index]]));
  const spelling = canonical({ answers, form: fingerprint, id });
  if (spelling.length > form.size) throw new RangeError("report: too long");
  return spelling.padEnd(form.size);
}

/**
 * The one spelling of a document: keys sorted by their characters' numbers, as in Python and not by the
 * halves in which JavaScript holds some, no spaces, ASCII, and < > & escaped.
 *
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) {
    return value.every(Number.isSafeInteger) ? JSON.stringify(value) : `[${value.map(canonical).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort((a, b) => (numbers(a) < numbers(b) ? -1 : 1));
    const members = keys.map((key) => `${canonical(key)}:${canonical(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value).replace(/[<>&\u007f-\uffff]/g, escaped);
}

/**
 * Spelt so that characters of two halves stand behind all others, as their numbers do.
 *
 * @param {string} key
 */
const numbers = (key) => key.replace(/[\ue000-\u{10ffff}]/gu, (sign) => (sign[1] ? "\uffff" : "\ufffe") + sign);

/**
 * @param {any} value
 * @param {number} bound
 */
export function isIndex(value, bound) {
  return Number.isInteger(value) && value >= 0 && value < bound;
}

/**
 * @param {Question} question
 * @param {any} answer
 * @param {number} bound
 * @param {number} [first]
 * @returns {number}
 */
export function checked(question, answer, bound, first = 0) {
  if (isIndex(answer, bound) && answer >= first) return answer;
  throw new RangeError(`answers.${question.name}: an integer in [${first}, ${bound})`);
}

/**
 * @param {Question} question
 * @param {number} [steps]
 */
function checkSteps({ name, kind, ask }, steps) {
  if (steps === undefined || (kind === "cuts" && ask === "narrow" && isIndex(steps, WORDS))) return;
  throw new RangeError(`steps.${name}: where asked in steps`);
}

/** @param {any} sign */
function escaped(sign) {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
