// An open link: before a report goes out the device asks the collector how long to wait, and for a challenge
// that is the same for everybody, and works out a stamp for this report alone. The stamp says nothing about
// who sent it. The twin of askance_collect/wire/open_link.py. A page whose form asks for neither goes without this
// module.

import { isIndex } from "./askance.js";
import { paragraph } from "./element.js";
import { assert } from "./form.js";
import { register } from "./hooks.js";
import { only } from "./objects.js";
import { destination, request, sha256 } from "./send.js";

const PARTS = 16;
const SLICE = 40;
const TRIES = 512;

/**
 * Fractions of roots of primes, as SHA-256 has them: no root lies so near to a whole part of 2^-32 that a
 * double would miss it.
 *
 * @type {number[]}
 */
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
/** @param {number} power */
const rooted = (power) => primes.map((prime) => (prime ** power % 1) * 2 ** 32 | 0);
const [ROUNDS, BEGIN] = [rooted(1 / 3), rooted(1 / 2).slice(0, 8)];
/**
 * @param {number} word
 * @param {number} by
 */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

// Schema: open
const OPEN = { open: only({ "work?": [8, 24], "rate?": [1, 1e6] }) };

/**
 * The first word of the SHA-256 of one block.
 *
 * @param {Int32Array} block
 */
function firstOf(block) {
  for (let index = 16; index < 64; index += 1) {
    const [late, early] = [block[index - 2], block[index - 15]];
    const first = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    const second = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    block[index] = first + block[index - 7] + second + block[index - 16];
  }
  let [a, b, c, d, e, f, g, h] = BEGIN;
  for (let round = 0; round < 64; round += 1) {
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[round] + block[round];
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  return (a + BEGIN[0]) >>> 0;
}

/**
 * What is hashed, as the words of its one block: a challenge and the report's digest; then the part, and the
 * number that is tried.
 *
 * @param {string} texts
 */
function blockOf(texts) {
  const block = new Int32Array(64);
  texts.match(/.{8}/g)?.forEach((word, index) => (block[index] = Number.parseInt(word, 16)));
  block[15] = 53 * 8;
  return block;
}

/**
 * @param {Int32Array} block
 * @param {number} part
 * @param {number} number
 * @param {number} work
 */
function isDone(block, part, number, work) {
  block[12] = (part << 24) | (number >>> 8);
  block[13] = (number << 24) | (1 << 23);
  return firstOf(block) >>> (36 - work) === 0;
}

/**
 * A stamp for a report, in small slices: `report` is called after each with how many parts are done.
 *
 * @param {string} challenge
 * @param {string} body
 * @param {number} work
 * @param {(part: number) => void} [report]
 */
export async function solveStamp(challenge, body, work, report = () => {}) {
  const block = blockOf(challenge + (await sha256(body)));
  let stamp = "";
  let begun = Date.now();
  for (let part = 0; part < PARTS; part += 1) {
    for (let number = 0; ; number += 1) {
      if (isDone(block, part, number, work)) {
        stamp += number.toString(16).padStart(8, "0");
        break;
      }
      if (number % TRIES === 0 && Date.now() - begun > SLICE) {
        report(part);
        await new Promise((go) => setTimeout(go));
        begun = Date.now();
      }
    }
  }
  return stamp;
}

/**
 * Whatever the collector does not say is taken up by it when the report comes.
 *
 * @param {Visit} visit
 * @param {HTMLElement} status
 */
async function createStamp(visit, status) {
  const { form, draft, speech: { words, number } } = visit;
  const { work } = form.open;
  try {
    for (;;) {
      const { wait, challenge } = await (await request(destination(form, location.href), {})).json();
      if (!isIndex(wait, 3600)) return work ? await solveStamp(challenge, draft.body(), work, (/** @type {number} */ done) => (status.textContent = words.working(number(done), number(PARTS)))) : "";
      status.textContent = words.waiting(number(wait));
      await new Promise((go) => setTimeout(go, Math.min(wait, 10) * 1000));
    }
  } catch {
    return "";
  }
}

/**
 * Everybody reads of it before they send.
 *
 * @type {Wrapper<"renderAnswers">}
 */
const renderCost = (next) => (nodes, visit, row) => {
  const { form: { open }, speech: { words } } = visit;
  const report = [...(open.work ? [words.workTold] : []), ...(open.rate ? [words.rateTold] : [])];
  return [...next(nodes, visit, row), ...report.map((text) => paragraph(text, "hint"))];
};

register({
  name: "open",
  shapes: OPEN,
  /** @param {Form} form */
  validate: ({ tokens }) => assert(tokens === undefined, "open"),
  wrap: { renderAnswers: renderCost, stamp: () => (visit, status) => (status ? createStamp(visit, status) : "") },
});
