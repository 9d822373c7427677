// What the page says of a question follows from the integers that it draws with: rounded towards
// caution, and whatever the form says of itself.

import assert from "node:assert/strict";
import { test } from "node:test";

import "../../src/askance_collect/respond/browser/cuts.js";
import { roundedUp } from "../../src/askance_collect/respond/browser/line.js";
import { canonical, draw, encode } from "../../src/askance_collect/respond/browser/askance.js";
import { inPeople } from "../../src/askance_collect/respond/browser/dots.js";
import { bodySize, readForm } from "../../src/askance_collect/respond/browser/form.js";
import { rangeLabel, rangeSentences, rangeTells, shareIn } from "../../src/askance_collect/respond/browser/ranges.js";
import "../../src/askance_collect/respond/browser/ratio.js";
import { describeSets } from "../../src/askance_collect/respond/browser/sets.js";
import { howMuch, isProtected, outOf100, senders, speak, stillPossible } from "../../src/askance_collect/respond/browser/speech.js";
import "../../src/askance_collect/respond/browser/whole.js";
import "./words.mjs";

const speech = speak("en");
const named = (name) => ({ name, label: { en: name } });
const table = (rows, { means, blank = [0, 1] } = {}) => ({
  kind: "table",
  name: "q",
  text: { en: "?" },
  answers: rows.map((_, at) => named(`a${at}`)),
  reports: rows[0].map((_, at) => ({ ...named(`r${at}`), means: means?.[at] ?? [0] })),
  table: { total: rows[0].reduce((one, two) => one + two), rows },
  blank,
});
const cuts = (weights, more = {}) => ({
  kind: "cuts",
  name: "q",
  text: { en: "?" },
  line: { lower: "0", step: "1", ticks: weights.length + 1, unit: { en: "" } },
  cuts: { number: 1, weights, floor: null, open: [], ...more },
  ask: "cells",
  typed: false,
  blank: [0, 1],
});
const WHOLE = 2 ** 48;

test("a ratio is never shown below the truth", () => {
  const hair = 2 ** 32;
  const low = WHOLE / 4 - hair;
  const said = howMuch(table([[2 * low + 1, WHOLE - 2 * low - 1], [low, WHOLE - low]]), speech);
  assert.match(said, /more than 2\.001 times.*\(ε\u00a0=\u00a00\.694\)/);
  assert.match(howMuch(table([[6, 1, 3], [1, 6, 3]]), speech), /more than 6 times.*\(ε\u00a0=\u00a01\.792\)/);
  assert.match(howMuch(table([[1, 1], [1, 1]]), speech), /more than 1 times.*\(ε\u00a0=\u00a00\)/);
  assert.match(howMuch(table([[WHOLE - 1, 1], [1, WHOLE - 1]]), speech), /281,474,976,710,655 times/);
  assert.match(howMuch(table([[3, 0, 1], [0, 3, 1]]), speech), /rule an answer out/);
  assert.match(howMuch(table([[WHOLE / 2 + 1, WHOLE / 2 - 1], [WHOLE / 2, WHOLE / 2]]), speech), /1\.001 times.*0\.001/);
});

test("every ratio of small tables is rounded up by less than a thousandth", () => {
  for (let over = 1n; over < 40n; over += 1n) {
    for (let below = 1n; below < 40n; below += 1n) {
      const shown = BigInt(Math.round(roundedUp(over, below, 3) * 1000));
      assert.ok(shown * below >= 1000n * over && (shown - 1n) * below < 1000n * over);
    }
  }
});

test("a blank record's ratio is rounded up", () => {
  const held = cuts([1, 1, 1], { floor: { sizes: [1, 1, 1, 1], least: 2, rule: "withhold" } });
  const said = (blank) => rangeTells({ ...held, blank }, speech);
  assert.match(said([1, 5]), /more than 5 times/);
  assert.match(said([WHOLE / 8 - 1, WHOLE]), /more than 8\.01 times/);
});

test("a least size of whole numbers says how many a range holds", () => {
  const floor = { sizes: [1, 1, 1, 1], least: 2, rule: "skip" };
  const question = cuts([1, 1, 1], { floor });
  const line = { ...question.line, lower: "-1", step: "5", whole: true };
  const said = (asked) => rangeSentences(asked, [0, 0], speech).join(" ");
  assert.match(said(question), /What is sent is never narrower than 2\./);
  assert.match(said({ ...question, line }), /never so narrow that fewer than 10 numbers are in it\./);
});

test("people in a range are rounded down", () => {
  const floor = { sizes: [996, 3, 1], least: 1, rule: "skip" };
  const question = cuts([1, 1], { floor });
  assert.match(shareIn(question, [0, 2], speech), / 99 of 100/);
  assert.match(shareIn(question, [1, 3], speech), / 0 of 100/);
});

test("what is still possible comes from the table, not from what the form claims", () => {
  const posing = table([[5, 5], [10, 0]], { means: [[0, 1], [0, 1]] });
  assert.equal(stillPossible(posing, 0, speech), "Still possible: a0 or a1.");
  assert.equal(stillPossible(posing, 1, speech), "Still possible: a0.");
});

test("a table whose every record comes from one answer protects nothing", () => {
  assert.equal(isProtected(table([[1, 0], [0, 1]])), false);
  assert.equal(isProtected(table([[0, 3, 1], [4, 0, 0]])), false);
  assert.equal(isProtected(table([[1, 0, 3], [0, 1, 3]])), true);
  assert.equal(isProtected(table([[1, 1], [1, 1]])), true);
});

test("of all who answer, those whom chance leaves blank do not send a record", () => {
  const question = table([[6, 1, 3], [1, 6, 3]], { blank: [1, 2] });
  assert.match(senders(question, 0, speech)[0], /, 30 send this/);
  assert.match(senders(question, 0, speech)[1], /, 5 send this/);
});

test("people are whole, and none is rounded away", () => {
  const told = (units) => outOf100(BigInt(units), 1000n, speech);
  assert.deepEqual([470, 475, 479, 10, 15, 990].map(told), ["47", "47 or 48", "47 or 48", "1", "1 or 2", "99"]);
  assert.deepEqual([1, 9, 991, 999].map(told), ["fewer than 1", "fewer than 1", "more than 99", "more than 99"]);
  assert.deepEqual([0, 1000].map(told), ["0", "100"]);
  assert.equal(outOf100(475n, 1000n, speak("de")), "47 oder 48");
});

test("dots are a hundred, and none stands for a record more often than is certain", () => {
  assert.deepEqual(inPeople([6, 1, 3], 10), [60, 10, 30, 0]);
  assert.deepEqual(inPeople([1, 1, 1], 3), [33, 33, 33, 1]);
  assert.deepEqual(inPeople([475, 525], 1000), [47, 52, 1]);
  assert.deepEqual(inPeople([1, WHOLE - 1], WHOLE), [0, 99, 1]);
  assert.deepEqual(inPeople([0, WHOLE], WHOLE), [0, 100, 0]);
});

test("of true records of many answers all that are sent are named", () => {
  const means = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]];
  const rows = [[1, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 2], [0, 0, 1, 0, 1, 2]];
  const question = table(rows.map((row) => [...row, 0]), { means: [...means, [0, 1, 2, 3], [0]] });
  assert.deepEqual(describeSets(question, speech).lines, ["r0", "r1", "r2", "r3", "r4", "r5"]);
  assert.equal(describeSets(table([[6, 1, 3], [1, 6, 3]]), speech), undefined);
});

test("a cut that everyone gets is not told as chance", () => {
  assert.match(rangeSentences(cuts([0, 1, 0]), [0, 0], speech)[0], /^Everyone is asked about 2/);
  assert.match(rangeSentences(cuts([1, 1, 0]), [0, 0], speech)[0], /^Chance chose 1/);
  const ring = { weights: [0, 1, 1], sizes: [1, 1, 1, 1], least: 1 };
  const asked = { ...cuts([1, 1, 1]), kind: "ring", ring };
  assert.match(rangeSentences(asked, [0, 0], speech)[0], /^Everyone is asked about 2 and 3/);
  const free = { ...asked, ring: { ...ring, weights: [1, 1, 1] } };
  assert.match(rangeSentences(free, [0, 0], speech)[0], /^Chance chose/);
});

// A minute before sums were worked out once for each list; a few hundredths of a second now.
test("the longest line is read, drawn from and spoken of at once", () => {
  const ticks = 100000;
  const sizes = Array(ticks).fill(1);
  const half = sizes.map((size, at) => (at < ticks / 2 ? size : 0));
  const line = { lower: "0.5", step: "1/3", ticks, unit: { en: "euros" } };
  const weights = sizes.slice(1);
  const base = { name: "q", text: { en: "?" }, line, ask: "cells", typed: false, blank: [1, 20], about: {} };
  const open = Array.from({ length: ticks / 4 }, (_, at) => [ticks / 2 + 2 * at, ticks / 2 + 2 * at + 1]);
  const law = { number: 16, weights, open: [], floor: null };
  const questions = [
    { ...base, kind: "cuts", cuts: { ...law, floor: { sizes: half, least: ticks / 4, rule: "skip" } } },
    { ...base, kind: "cuts", cuts: { ...law, floor: { sizes: half, least: ticks / 4, rule: "skip" }, open } },
    { ...base, kind: "cuts", cuts: { ...law, floor: { sizes, least: 20000, rule: "withhold" } } },
    { ...base, kind: "ring", ring: { weights, sizes, least: 20000 } },
  ];
  for (const question of questions) {
    const words = { title: { en: "" }, consent: { en: "" }, contact: { en: "" } };
    const size = bodySize([question]);
    const form = { askance: "form-1", ...words, languages: ["en"], collector: "", about: {}, size, questions: [question] };
    const text = canonical(form);
    const began = performance.now();
    assert.deepEqual(readForm(text).questions[0].line, line);
    const drawn = draw(question, () => 2 ** 47);
    rangeSentences(question, drawn, speech);
    const cell = encode({ ...question, blank: [0, 20] }, ticks - 2, drawn);
    if (cell) rangeLabel(question, cell, speech);
    assert.ok(performance.now() - began < 10000);
  }
});

test("a count takes the plural of its language", () => {
  const question = table([[1, 2, 97], [2, 1, 97]]);
  const said = (language) => {
    const label = (name) => ({ name, label: { [language]: name } });
    const asked = { ...question, answers: ["a", "b"].map(label), reports: ["x", "y", "z"].map((name) => ({ ...label(name), means: [0] })) };
    return senders(asked, 0, speak(language));
  };
  assert.deepEqual(said("fr").map((one) => one.split(", ")[1]), ["1 envoie ceci.", "2 envoient ceci."]);
  assert.match(said("ar")[1], / يرسلان هذا\.$/u);
  assert.match(said("hi-IN")[0], / यह भेजता है।$/u);
  assert.equal(speak("es").words.sets(12345).includes("12.345"), true);
});
