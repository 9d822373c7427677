// The package as it is installed: what it exports, and that it computes what the vectors say.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as askance from "askance";

const VECTORS = new URL("../../src/askance_collect/wire/vectors/", import.meta.url);
const vectors = (name) => JSON.parse(readFileSync(new URL(name, VECTORS), "ascii"));
const VERSIONS = ["1", "2"];
const good = VERSIONS.flatMap((version) => vectors(`${version}/forms.json`).good);
const read = (path) => readFileSync(new URL(path, import.meta.url), "utf-8");

test("its names are those that have types", () => {
  const typed = [...read("../types/index.d.ts").matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(Object.keys(askance).sort(), typed.sort());
});

test("a server that renders a page may import the element", async () => {
  for (const name of ["choice", "question", "isolated"]) {
    const { AskanceQuestion } = await import(`askance/${name}`);
    assert.deepEqual([AskanceQuestion.forget(), AskanceQuestion.speak("de", {})], [undefined, undefined]);
  }
});

test("its version is that of the form's program", () => {
  const [, version] = /^version = "(.*)"$/m.exec(read("../../pyproject.toml"));
  assert.equal(JSON.parse(read("../package.json")).version, version);
});

test("good forms are read, with the words that some bring", async () => {
  for (const { form, fingerprint } of good) {
    const text = askance.canonical(form);
    assert.deepEqual(askance.readForm(text), form);
    assert.equal(await askance.sha256(text), fingerprint);
    assert.equal(createHash("sha256").update(text).digest("hex"), fingerprint);
  }
});

test("a form that is changed in any place is refused or has another fingerprint", async () => {
  const { form, fingerprint } = good[0];
  const changed = askance.canonical({ ...form, size: form.size + 256 });
  assert.throws(() => askance.readForm(changed), TypeError);
  assert.notEqual(await askance.sha256(changed), fingerprint);
});

test("every draw, every word used and every value are those of the vectors", () => {
  const forms = Object.fromEntries(good.map(({ name, form }) => [name, form]));
  const cases = VERSIONS.flatMap((version) => vectors(`${version}/draws.json`).cases);
  assert.ok(cases.length >= 1000);
  for (const [form, at, words, answer, draws, used, value] of cases) {
    const question = forms[form].questions[at];
    const left = words.match(/.{12}/g) ?? [];
    const taken = left.length - used;
    assert.deepEqual(askance.draw(question, () => Number.parseInt(left.shift(), 16)), draws);
    assert.equal(left.length, taken);
    assert.deepEqual(askance.encode(question, answer, draws), value);
  }
});

test("bodies are those of the vectors", () => {
  const forms = Object.fromEntries(good.map((one) => [one.name, one]));
  for (const { form, id, values, body } of VERSIONS.flatMap((version) => vectors(`${version}/bodies.json`).cases)) {
    const sent = askance.reportBody(forms[form].form, forms[form].fingerprint, id, values);
    assert.equal(sent.length, forms[form].form.size);
    assert.equal(sent.trimEnd(), body);
  }
});
