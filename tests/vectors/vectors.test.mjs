// The JavaScript half of the vectors: node --test tests/vectors/

import assert from "node:assert/strict";
import { createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as encoder from "../../src/askance_collect/respond/browser/askance.js";
import { healthTests } from "../../src/askance_collect/respond/browser/health.js";
import { fraction, numberAt, stepOf } from "../../src/askance_collect/respond/browser/line.js";
import { cells } from "../../src/askance_collect/respond/browser/partition.js";
import { readForm } from "../../src/askance_collect/respond/browser/form.js";
import "../../src/askance_collect/respond/browser/cuts.js";
import { tickOf } from "../../src/askance_collect/respond/browser/number.js";
import { judged } from "../../src/askance_collect/respond/browser/coin.js";
import { inPeople } from "../../src/askance_collect/respond/browser/dots.js";
import { wayBack } from "../../src/askance_collect/respond/browser/panel.js";
import { resolveGroup } from "../../src/askance_collect/respond/browser/groups.js";
import { findProof, listProofs } from "../../src/askance_collect/respond/browser/proof.js";
import "../../src/askance_collect/respond/browser/whole.js";
import { inAscii } from "../../src/askance_collect/respond/browser/digits.js";
import { numbersOnLine, readings } from "../../src/askance_collect/respond/browser/reading.js";
import { placed } from "../../src/askance_collect/respond/browser/invited.js";
import { shuffle } from "../../src/askance_collect/respond/browser/sections.js";
import { followSkips, defaultOf } from "../../src/askance_collect/respond/browser/skips.js";
import "../../src/askance_collect/respond/browser/look.js";
import "../../src/askance_collect/respond/browser/request.js";
import { quotaAgainst } from "../../src/askance_collect/respond/browser/quotas.js";
import "../../src/askance_collect/respond/browser/grids.js";
import { tick, ticked } from "../../src/askance_collect/respond/browser/lists.js";
import "../../src/askance_collect/respond/browser/ticks.js";
import "../../src/askance_collect/respond/browser/texts.js";
import "../../src/askance_collect/respond/browser/comments.js";
import { paddedText } from "../../src/askance_collect/respond/browser/sealed.js";
import { KEMS, hpkeSealed, read64, spelt64, utf8 } from "../../src/askance_collect/respond/browser/hpke.js";
import { pairOf } from "../respond/pairs.mjs";
import "../../src/askance_collect/respond/browser/tongue.js";
import "../../src/askance_collect/respond/browser/needed.js";
import "../../src/askance_collect/respond/browser/pipes.js";
import "../../src/askance_collect/respond/browser/later.js";
import "../../src/askance_collect/respond/browser/tablet.js";
import "../../src/askance_collect/respond/browser/pin.js";
import "../../src/askance_collect/respond/browser/apart.js";
import "../../src/askance_collect/respond/browser/saved.js";
import "../../src/askance_collect/respond/browser/seal.js";
import "../../src/askance_collect/respond/browser/items.js";
import "../../src/askance_collect/respond/browser/evidence.js";
import "../../src/askance_collect/respond/browser/pictures.js";
import { destination } from "../../src/askance_collect/respond/browser/send.js";
import { solveStamp } from "../../src/askance_collect/respond/browser/open.js";
import { blinded, drawToken, unblinded } from "../../src/askance_collect/respond/browser/tokens.js";
import { checkEntry, checkGrowth, leafHash, readHead } from "../../js/log.js";
import { rangeSentences, rangeTells, shareIn } from "../../src/askance_collect/respond/browser/ranges.js";
import "../../src/askance_collect/respond/browser/ratio.js";
import { howMuch, outOf100, speak } from "../../src/askance_collect/respond/browser/speech.js";
import { WORDS_OF } from "../../src/askance_collect/respond/browser/words.js";
import "../respond/words.mjs";

globalThis.crypto ??= webcrypto; // before Node.js 19 it is no global

const HOME = new URL("../../src/askance_collect/wire/vectors/", import.meta.url);
const vectors = (name) => JSON.parse(readFileSync(new URL(name, HOME), "ascii"));
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

const [good, bad] = ["good", "bad"].map((which) => ["1", "2"].flatMap((version) => vectors(`${version}/forms.json`)[which]));
const casesOf = (name) => ["1", "2"].flatMap((version) => vectors(`${version}/${name}`).cases);
const forms = Object.fromEntries(good.map(({ name, form }) => [name, form]));

function source(hexadecimal) {
  const words = hexadecimal.match(/.{12}/g) ?? [];
  let used = 0;
  const word = () => {
    assert.ok(used < words.length, "more words wanted than the vector has");
    used += 1;
    return Number.parseInt(words[used - 1], 16);
  };
  return { word, used: () => used };
}

function changed({ form, at, drop, put, text, times = 1 }) {
  if (text !== undefined) return text.repeat(times);
  const document = structuredClone(forms[form]);
  const place = at.slice(0, -1).reduce((part, step) => part[step], document);
  if (drop) delete place[at.at(-1)];
  else place[at.at(-1)] = put;
  return encoder.canonical(document);
}

test("good forms are read, and have their fingerprint", () => {
  for (const { form, fingerprint } of good) {
    const spelling = encoder.canonical(form);
    assert.equal(sha256(spelling), fingerprint);
    assert.deepEqual(readForm(spelling), form);
    destination(form, "https://example.org/");
    form.languages.forEach(speak);
  }
});

test("every draw, every word used and every value agrees", () => {
  const cases = casesOf("draws.json");
  assert.ok(cases.length >= 1000);
  for (const [form, at, words, answer, draws, used, value] of cases) {
    const question = forms[form].questions[at];
    const stream = source(words);
    assert.deepEqual(encoder.draw(question, stream.word), draws);
    assert.equal(stream.used(), used);
    assert.deepEqual(encoder.encode(question, answer, draws), value);
  }
});

test("draws part the line alike, and each step sends alike", () => {
  for (const [form, at, draws, parts, answer, values] of vectors("1/parts.json").cases) {
    const question = forms[form].questions[at];
    assert.deepEqual(cells(question, draws), parts);
    values.forEach((value, steps) => assert.deepEqual(encoder.encode(question, answer, draws, steps), value));
  }
});

test("every edge of cuts and pairs draws what was counted one by one", () => {
  for (const [form, at, positions, drawn] of vectors("1/edges.json").cases) {
    const question = forms[form].questions[at];
    const [first, ...others] = encoder.bounds(question);
    positions.forEach((position, n) => {
      const [[low, high]] = cells(question, [first - 1, ...others.map(() => position)]);
      const told = question.kind === "ring" ? [low, high] : high;
      assert.deepEqual(told, drawn[n] ?? question.line.ticks, `${question.name} at ${position}`);
    });
  }
});

test("what a record proves is found, and what the records of a question can prove", () => {
  const { cases, forms: others } = vectors("proofs.json");
  const known = { ...forms, ...Object.fromEntries(others.map(({ name, form }) => [name, readForm(encoder.canonical(form))])) };
  const ids = { ANSWER: "answer", PART: "part", NOT_INNOCENT: "other" };
  for (const [name, at, proving] of cases) {
    const question = known[name].questions[at];
    const listed = new Map(proving.map(([value, kind]) => [String(value), ids[kind]]));
    assert.deepEqual(listProofs(question), Object.values(ids).filter((kind) => [...listed.values()].includes(kind)), `${name}, ${question.name}`);
    if (question.coin) {
      question.answers.forEach((_, value) => assert.equal(findProof(question, value), listed.get(String(value))));
      continue;
    }
    const steps = question.answers?.length ?? question.line.ticks;
    for (let turn = 0; proving.length > 0 && turn < 60; turn += 1) {
      const { word } = source(Array.from({ length: 20 }, (_, n) => createHash("sha512").update(`${turn} ${n}`).digest("hex")).join(""));
      const draws = encoder.draw(question, word);
      for (let step = 0; step < steps; step += 1) {
        const value = encoder.encode(question, step, draws);
        if (value !== null) assert.equal(findProof(question, value), listed.get(String(value)), `${name}, ${question.name}: ${value}`);
      }
    }
  }
});

test("every figure of chance that is read is rounded towards caution", () => {
  const { floors, blanks, tables, people, dots, ranges } = vectors("figures.json");
  const speech = speak("en");
  const { number, either, words } = speech;
  for (const [units, total, [low, high]] of people) {
    const apart = low === 0 ? words.fewer(number(1)) : high === 100 ? words.more(number(99)) : either([low, high].map(number));
    const expected = low === high ? number(low) : apart;
    assert.equal(outOf100(BigInt(units), BigInt(total), speech), expected, `${units} of ${total}`);
  }
  for (const [row, counts] of dots) assert.deepEqual(inPeople(row, row.reduce((sum, one) => sum + one)), counts, `${row}`);
  for (const [sizes, cell, inside] of ranges) {
    const asked = { cuts: { floor: { sizes } } };
    assert.equal(shareIn(asked, cell, speech), words.holds(number(inside)), `${sizes} ${cell}`);
  }
  const line = { lower: "0", step: "1", ticks: 3, unit: { en: "" } };
  const asked = (floor, blank) => ({ kind: "cuts", line, cuts: { number: 1, weights: [1, 1], open: [], floor }, ask: "cells", typed: false, blank });
  for (const [total, least, tenths] of floors) {
    if (total < 3) continue;
    const question = asked({ sizes: [total - 2, 0, 2], least, rule: "skip" }, [0, 1]);
    const said = rangeSentences(question, [0, 0], speech).join(" ");
    if (total - 2 !== 2) assert.ok(said.includes(`fewer than ${speech.number(tenths / 10)} of 100 people`), `${said} ${total} ${least}`);
  }
  for (const [blank, hundredths] of blanks) {
    const question = asked({ sizes: [1, 1, 1], least: 1, rule: "withhold" }, blank);
    assert.ok(rangeTells(question, speech).includes(`more than ${speech.number(hundredths / 100)} times`), `${blank}`);
  }
  for (const [rows, rulesOut] of tables) {
    const named = (name) => ({ name, label: { en: name } });
    const question = { kind: "table", answers: ["a", "b"].map(named), reports: ["a", "b", "c"].map(named), table: { total: 4, rows }, blank: [0, 1] };
    assert.equal(/rule an answer out/.test(howMuch(question, speech)), rulesOut, `${rows}`);
  }
});

const valueOf = (written) => written.split("/").map(Number).reduce((over, below) => over / below);

test("a typed number is read as it was written, or in two ways", () => {
  const { cases } = vectors("readings.json");
  assert.ok(cases.length > 1000);
  for (const [group, decimal, typed, expected] of cases) {
    assert.deepEqual(readings(typed, group + decimal).map((read) => read + 0), expected.map(valueOf), `${typed} where 1${group}234${decimal}5`);
  }
});

test("a typed number is read for the line it is asked on, in the marks of every language of the page", () => {
  const { cases, lines, on_lines } = vectors("readings.json");
  const lineOf = Object.fromEntries(lines);
  for (const [name, group, decimal, typed, expected] of on_lines) {
    const read = numbersOnLine(typed, group + decimal, lineOf[name], tickOf);
    const taken = read.length > 1 ? read : read.filter(({ index }) => index !== undefined);
    assert.deepEqual(taken.map((one) => one.typed + 0), expected.map(valueOf), `${name}: ${typed}`);
  }
  const known = new Set(cases.map(([group, decimal]) => group + decimal));
  for (const tag of Object.keys(WORDS_OF)) assert.ok(known.has(speak(tag).grouped(12345.5).replace(/\p{Nd}/gu, "")), tag);
});

test("what is typed in any script is read in ASCII", () => {
  for (const [typed, plain] of vectors("readings.json").ascii) assert.equal(inAscii(typed), plain);
});

test("a draw puts a device into the same group, and what is sent is of that group", () => {
  for (const [form, at, draws, group, values] of vectors("2/groups.json").cases) {
    const question = forms[form].questions[at];
    const asked = resolveGroup(question, draws);
    assert.equal(asked.group.name, question.groups[group].name);
    assert.deepEqual(values, values.map((_, answer) => encoder.encode(question, answer, draws)));
    for (const value of values) assert.deepEqual(resolveGroup(question, null, value), asked);
    for (const row of asked.table.rows) assert.equal(row.reduce((one, two) => one + two), asked.table.total);
  }
});

test("a coin in the world is tossed by nobody here", () => {
  for (const question of forms.coins.questions) {
    assert.deepEqual(encoder.bounds(question), []);
    assert.deepEqual(question.answers.map((_, at) => encoder.encode(question, at, [])), [...question.answers.keys()]);
    const { table, reports } = judged(question);
    for (const row of table.rows) assert.equal(row.length, reports.length);
  }
});

test("every order of a section's questions comes of as many words as any other", () => {
  const seen = {};
  for (const [first, second] of [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]) {
    const words = [first, second];
    const order = shuffle(["a", "b", "c"], () => words.shift()).join("");
    seen[order] = (seen[order] ?? 0) + 1;
  }
  assert.deepEqual(Object.keys(seen).sort(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
});

test("an invitation moves draws into the group that it names", () => {
  for (const [form, at, draws, group, expected] of vectors("2/invited.json").cases) {
    const hash = `#pid=7&group=${encodeURIComponent(group)}`;
    assert.deepEqual(placed(forms[form].questions[at], draws, { hash }), expected);
  }
});

test("what is skipped encodes what is so of whoever skips it", () => {
  for (const [name, given, encoded] of vectors("2/skips.json").cases) {
    const form = forms[name];
    const answers = given.map((index) => ({ index }));
    const draft = { answer: (at) => answers[at], give: (at, answer) => (answers[at] = answer) };
    followSkips([{}], 0, 1, { form, draft, state: {} });
    assert.deepEqual(answers.map((answer, at) => answer?.index ?? defaultOf(form, at)), encoded);
  }
});

test("what is skipped has its answer, whichever way it is passed", () => {
  const answers = [{ index: 1 }, undefined, undefined, { index: 1 }];
  const draft = { answer: (at) => answers[at], give: (at, answer) => (answers[at] = answer) };
  const steps = [{}, ...[0, 1, 2, 3, 4].map((question) => ({ question })), {}];
  const visit = { form: forms.skips, draft, state: {} };
  assert.equal(followSkips(steps, 2, 1, visit), 3);
  assert.deepEqual(answers.slice(1), [{ index: null, skipped: true }, undefined, { index: 1 }, { index: 1, skipped: true }]);
  assert.equal(followSkips(steps, 2, -1, visit), 1);
  assert.equal(followSkips(steps, 5, 1, visit), 6);
  answers[0] = { index: 0 };
  assert.equal(followSkips(steps, 2, 1, visit), 2);
  assert.equal(answers[1], undefined);
  assert.equal(followSkips(steps, 6, 1, { ...visit, state: { returning: true } }), 2);
});

test("what is ticked is an answer to each question of its list, and reads the same again", () => {
  const answers = [];
  const draft = { answer: (at) => answers[at], give: (at, answer) => (answers[at] = answer) };
  const [list] = forms.lists.checklists;
  assert.equal(ticked(list, draft), undefined);
  for (const bits of [null, ...Array(8).keys()]) {
    tick(list, draft, bits);
    assert.equal(ticked(list, draft), bits);
    assert.deepEqual(answers.slice(1, 4).map(({ index }) => index), [0, 1, 2].map((at) => (bits === null ? null : 1 - ((bits >> at) & 1))));
  }
});

test("a quota that is full turns away whom it is about, before what is sent is bound", () => {
  const draft = { answer: () => ({ index: 1 }), isBound: () => false };
  const visit = { form: forms.quotas, draft, state: { full: [[0, 1]] } };
  assert.equal(quotaAgainst(visit).most, 10);
  for (const full of [undefined, null, [], [[0, 0]], [[1, 1]], [null], [1], "full"]) assert.equal(quotaAgainst({ ...visit, state: { full } }), undefined);
  assert.equal(quotaAgainst({ ...visit, draft: { ...draft, answer: () => undefined } }), undefined);
  assert.equal(quotaAgainst({ ...visit, draft: { ...draft, isBound: () => true } }), undefined);
  assert.equal(quotaAgainst({ ...visit, draft: { ...draft, answer: () => ({ index: 0 }) }, state: {} }).most, 0);
});

test("a question without groups, and a record that is blank, stay as they are", () => {
  const [plain, pairs] = forms.groups.questions;
  assert.equal(resolveGroup(plain, []), plain);
  assert.equal(resolveGroup(pairs, null, null), pairs);
});

test("steps are for questions asked one step at a time", () => {
  const [narrow, held] = [forms.ranges.questions[0], forms.ranges.questions[3]];
  for (const steps of [-1, 0.5, "1", null, true]) {
    assert.throws(() => encoder.encode(narrow, 0, [0, 0, 0, 0, 0], steps), RangeError);
  }
  assert.throws(() => encoder.encode(held, 0, [1, 0, 0], 1), RangeError);
});

test("numbers fall on the same steps", () => {
  for (const [lower, step, ticks, number, cell, tick] of vectors("1/lines.json").cases) {
    const line = { lower, step, ticks };
    assert.equal(stepOf(line, fraction(number)), cell, `${number} from ${lower} by ${step}`);
    assert.equal(tickOf(line, fraction(number)) ?? null, tick);
    const [over, below] = number.split("/");
    if (tick !== null) assert.ok(Math.abs(numberAt(line, tick) - over / below) < 1e-9);
  }
});

test("whole numbers fall on the same steps, and others on none", () => {
  for (const [lower, step, ticks, number, cell, tick] of vectors("1/lines.json").whole) {
    const line = { lower, step, ticks, whole: true };
    assert.equal(stepOf(line, fraction(number)) ?? null, cell, `${number} from ${lower} by ${step}`);
    assert.equal(tickOf(line, fraction(number)) ?? null, tick);
  }
});

test("whole bodies agree to the byte", () => {
  for (const { form: name, id, words, answers, values, body, sha256: digest } of casesOf("bodies.json")) {
    const form = forms[name];
    const { word } = source(words);
    const sent = form.questions
      .map((question) => encoder.draw(question, word))
      .map((draws, at) => encoder.encode(form.questions[at], answers[at], draws));
    assert.deepEqual(sent, values);
    const fingerprint = sha256(encoder.canonical(form));
    const spelling = encoder.reportBody(form, fingerprint, id, sent);
    assert.equal(spelling.trimEnd(), body);
    assert.equal(sha256(spelling), digest);
  }
});

test("the way back is filled from behind the #, and of nobody where it leads to the collector", () => {
  const { url } = forms.ending.ending;
  const came = new URL("https://survey.example/?pid=no#pid=a%20%26b&pid=c&other=1");
  assert.equal(wayBack(url, came, "survey.example"), "https://panel.example/done?cc=C1A2B3&who=a%20%26b&of=");
  assert.equal(wayBack(url, came, "panel.example"), "https://panel.example/done?cc=C1A2B3&who=&of=");
  assert.equal(wayBack("https://a.example/{a}", { hash: "#a=../b%3Fc%23" }, ""), "https://a.example/..%2Fb%3Fc%23");
});

test("the same texts fit, and make the same bodies", () => {
  const { cases, bodies } = vectors("2/texts.json");
  const { questions } = forms.texts;
  for (const [at, text, fits] of cases) {
    const say = () => encoder.encode(questions[at], text, []);
    if (fits || text === null) assert.equal(say(), text);
    else assert.throws(say, (error) => error instanceof RangeError && !error.message.includes("Tea"));
  }
  const fingerprint = sha256(encoder.canonical(forms.texts));
  for (const [id, values, digest] of bodies) {
    assert.equal(sha256(encoder.reportBody(forms.texts, fingerprint, id, values)), digest);
  }
});

test("sealed texts are those of Python, byte for byte, and no other envelope is one", async () => {
  const { cases, impossible } = vectors("2/sealed.json");
  const { questions, seal } = forms["sealed texts"];
  const fingerprint = sha256(encoder.canonical(forms["sealed texts"]));
  for (const [at, name, text, envelope] of cases) {
    const kem = KEMS.find((candidate) => candidate.name === name);
    const info = utf8(`askance-text-1\0${fingerprint}\0${questions[at].name}`);
    const raw = await hpkeSealed(kem, read64(seal).slice(kem.from, kem.to), info, paddedText(questions[at], text), undefined, pairOf(name));
    assert.equal(`askance-text-1.${name}.${spelt64(raw)}`, envelope);
    assert.ok(encoder.questionKinds.sealed.isValid(questions[at], envelope));
    assert.ok(JSON.stringify(envelope).length <= encoder.questionKinds.sealed.maxLength(questions[at]));
    assert.throws(() => encoder.encode(questions[at], text, []), /sealed/);
  }
  for (const [at, value] of impossible) assert.ok(!encoder.questionKinds.sealed.isValid(questions[at], value));
});

test("what is drawn for a token is shown, signed and made one alike; nothing else is a signature", async () => {
  const { keys } = forms.tokens.tokens;
  const fingerprint = sha256(encoder.canonical(forms.tokens));
  const { cases } = vectors("2/tokens.json");
  assert.ok(cases.length > 2);
  for (const [prefix, salt, factor, shown, signed, token] of cases) {
    const drawn = { prefix, salt, factor };
    const { encoded, hidden } = await blinded(keys[0], fingerprint, drawn);
    assert.equal(hidden, shown);
    assert.equal(unblinded(keys[0], 0, encoded, signed, drawn), token);
    for (const wrong of [shown, `A${signed.slice(1)}`, signed.slice(4), `${signed}AAAA`, "", "é", 5, undefined]) {
      assert.equal(unblinded(keys[0], 0, encoded, wrong, drawn), undefined);
    }
  }
});

test("a stamp is worked out alike, and it is told how far the work is", async () => {
  const { cases } = vectors("2/stamps.json");
  assert.ok(cases.length > 3);
  for (const [challenge, report, work, stamp] of cases) assert.equal(await solveStamp(challenge, report, work), stamp);
  const told = [];
  const [challenge, report] = cases[0];
  await solveStamp(challenge, report, 20, (done) => told.push(done));
  assert.ok(told.every((done, at) => done < 16 && done >= (told[at - 1] ?? 0)));
});

test("what is drawn for a token is of the right length, below the modulus, and new each time", () => {
  const [key] = forms.tokens.tokens.keys;
  const modulus = BigInt(`0x${Buffer.from(key.n, "base64url").toString("hex")}`);
  const all = Array.from({ length: 5 }, () => drawToken(modulus));
  for (const { prefix, salt, factor } of all) {
    assert.deepEqual([prefix, salt, factor].map((text) => Buffer.from(text, "base64url").length), [32, 48, 512]);
    assert.ok(BigInt(`0x${Buffer.from(factor, "base64url").toString("hex")}`) < modulus);
  }
  for (const part of ["prefix", "salt", "factor"]) assert.equal(new Set(all.map((one) => one[part])).size, all.length);
});

test("an image may be so long, and no longer", () => {
  const form = structuredClone(forms.look);
  const begin = "data:image/svg+xml;base64,";
  const whole = "A".repeat(65536 - begin.length - 2);
  form.look.logo.image = begin + whole;
  assert.doesNotThrow(() => readForm(encoder.canonical(form)));
  form.look.logo.image += "AAAA";
  assert.throws(() => readForm(encoder.canonical(form)));
});

test("every bad form is refused", () => {
  const read = (one) => destination(readForm(changed(one)), "https://example.org/");
  for (const one of bad) assert.throws(() => read(one), undefined, one.wrong);
});

test("every bad answer is refused, and not repeated", () => {
  const refused = vectors("1/refused.json");
  for (const { form, question: at, answer, wrong } of refused.answers) {
    const question = forms[form].questions[at];
    const draws = encoder.bounds(question).map(() => 0);
    const repeats = (error) => !error.message.replace(/\[[01], \d+\)/, "").includes(JSON.stringify(answer));
    assert.throws(() => encoder.encode(question, answer, draws), repeats, wrong);
  }
});

test("every bad bound is refused", () => {
  for (const bound of vectors("1/refused.json").bounds) {
    assert.throws(() => encoder.uniformBelow(bound, () => 0), RangeError);
  }
});

test("chance that is stuck is found at the same byte", () => {
  for (const [hexadecimal, repeated, at] of vectors("chance.json").cases) {
    const bytes = Uint8Array.from(hexadecimal.repeat(repeated).match(/../g), (byte) => parseInt(byte, 16));
    const passes = healthTests();
    const found = bytes.findIndex((byte) => !passes([byte]));
    assert.equal(found, at, hexadecimal);
    if (at >= 0) assert.ok(!passes([1, 2, 3]), "an alarm is not taken back");
  }
});

test("without cryptographic chance there is no draw", () => {
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  assert.throws(encoder.systemWord, /no chance/);
  assert.throws(encoder.systemIdentifier, /no chance/);
  Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
});

test("a system word is 48 bits, big-endian, from one call", () => {
  const { crypto } = globalThis;
  const bytes = [1, 2, 3, 4, 5, 255];
  const getRandomValues = (array) => (array.set(bytes), array);
  Object.defineProperty(globalThis, "crypto", { value: { getRandomValues }, configurable: true });
  assert.equal(encoder.systemWord(), 0x0102030405ff);
  Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
});

test("proofs of a log hold or are refused", async () => {
  const log = vectors("log.json");
  const [key] = log.key;
  const heads = await Promise.all(log.heads.map((note) => readHead(note, key)));
  const isHeld = (check) => check.then(() => true, (error) => assert.ok(error instanceof TypeError) ?? false);
  for (const [entry, proof, holds] of log.included) assert.equal(await isHeld(checkEntry(proof, entry, key)), holds);
  for (const [first, proof, holds] of log.grown) assert.equal(await isHeld(checkGrowth(proof, heads[first], key)), holds);
});

test("of a log nothing is taken that its key did not sign", async () => {
  const log = vectors("log.json");
  const [key] = log.key;
  const [[entry, proof]] = log.included;
  const [empty, , third] = log.heads;
  const other = key.replace("1a84315d", "1a84315e");
  const lines = third.split("\n");
  const signature = lines.at(-2);
  const flipped = `${signature.slice(0, -6)}${signature.at(-6) === "A" ? "B" : "A"}${signature.slice(-5)}`;
  const bad = [
    third.replace("\n2\n", "\n3\n"),
    third.replace(signature, flipped),
    `${lines.slice(0, -2).join("\n")}\n`,
    third.slice(0, -1),
    third.replace("\n2\n", "\n2\t\n"),
    `${third}tea\n`,
    "tea",
    "",
  ];
  for (const note of bad) await assert.rejects(readHead(note, key), TypeError, note);
  await assert.rejects(readHead(empty, other), TypeError);
  await assert.rejects(readHead(empty, "tea"), TypeError);
  await assert.rejects(checkEntry(proof, `${entry} `, key), TypeError);
  const witnessed = `${third}— witness.example AAAAAAAA\n`;
  assert.deepEqual(await readHead(witnessed, key), await readHead(third, key));
  assert.equal((await readHead(empty, key)).size, 0);
  assert.equal(Buffer.from(await leafHash("")).toString("hex").slice(0, 16), "6e340b9cffb37a98");
});
