#!/usr/bin/env node
// Runs an implementation of the respondent's side through the public vectors:
//
//   askance-conformance ADAPTER.js           a module whose default export is the adapter
//   askance-conformance -- PROGRAM ARGS…     a program that answers in lines of JSON
//
// README.md says what an adapter has to answer.

import { isDeepStrictEqual } from "node:util";
import { spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { resolve } from "node:path";

const VECTORS = new URL("../dist/conformance/", import.meta.url);
const SHOWN = 10;
const LENGTH = 500;
const REFUSED = Symbol("refused");

const casesOf = (part) => JSON.parse(readFileSync(new URL(`${part}.json`, VECTORS), "ascii"));

// Give an adapter every case. What comes back says how many of each part it passed, and in `failures` the
// part, the case, what it gave and what it should have.
export async function conform(adapter) {
  const texts = Object.fromEntries(casesOf("forms").map(({ form, text }) => [form, text]));
  const passed = {};
  const failures = [];
  for (const [part, trials] of Object.entries(PARTS)) {
    passed[part] = 0;
    for (const vector of casesOf(part)) {
      for (const [call, given, expected] of trials(vector, texts)) {
        const got = await answer(adapter, call, given);
        if (isDeepStrictEqual(got, expected)) passed[part] += 1;
        else failures.push({ part, call, case: vector, expected: shown(expected), got: shown(got) });
      }
    }
  }
  return { passed, failures };
}

// What is asked of each case: the function, what it is given, and what must come back.
const PARTS = {
  forms: ({ text, fingerprint }) => [
    ["readForm", { text }, JSON.parse(text)],
    ["fingerprint", { text }, fingerprint],
  ],
  "refused-forms": ({ form, from, to, insert, times = 1 }, texts) => {
    const text = form === undefined ? insert.repeat(times) : texts[form].slice(0, from) + insert + texts[form].slice(to);
    return [["readForm", { text }, REFUSED]];
  },
  draws: ({ form, question, words, answer: given, draws, used, value }, texts) => [
    ["draw", { form: texts[form], question, words }, { draws, used }],
    ["encode", { form: texts[form], question, draws, answer: given }, value],
  ],
  steps: ({ form, question, draws, answer: given, values }, texts) =>
    values.map((value, steps) => ["encode", { form: texts[form], question, draws, answer: given, steps }, value]),
  "refused-answers": ({ form, question, answer: given }, texts) => [["encode", { form: texts[form], question, draws: null, answer: given }, REFUSED]],
  reports: ({ form, id, values, body }, texts) => [["report", { form: texts[form], id, values }, body.padEnd(JSON.parse(texts[form]).size)]],
};

// Whatever is thrown is a refusal; what is no JSON is none of the values that are expected.
async function answer(adapter, call, given) {
  try {
    const got = await adapter[call](given);
    return got === undefined ? "nothing" : JSON.parse(JSON.stringify(got));
  } catch (error) {
    if (error instanceof Silence) throw error;
    return REFUSED;
  }
}

const shown = (value) => (value === REFUSED ? "a refusal" : value);

class Silence extends Error {}

// An adapter that is a program: it reads {"call": …, …} a line, and writes {"result": …} or {"refused": …} a line.
export function programAdapter(program, args) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = [];
  const ended = (why) => waiting.splice(0).forEach(({ fail }) => fail(new Silence(`${program} ${why}`)));
  child.on("error", ({ message }) => ended(`cannot be run: ${message}`));
  child.on("exit", (code) => ended(`ended with ${code}`));
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { done, fail } = waiting.shift();
    const { result, refused } = JSON.parse(line);
    if (refused === undefined) done(result);
    else fail(new Error(refused));
  });
  const ask = (call) => (given) =>
    new Promise((done, fail) => {
      waiting.push({ done, fail });
      child.stdin.write(`${JSON.stringify({ call, ...given })}\n`);
    });
  const calls = ["readForm", "fingerprint", "draw", "encode", "report"];
  return { ...Object.fromEntries(calls.map((call) => [call, ask(call)])), close: () => child.stdin.end() };
}

async function main([first, ...rest]) {
  if (first === undefined) throw new Error("usage: askance-conformance ADAPTER.js, or askance-conformance -- PROGRAM ARGS…");
  const adapter = first === "--" ? programAdapter(rest[0], rest.slice(1)) : (await import(pathToFileURL(resolve(first)))).default;
  const { passed, failures } = await conform(adapter);
  adapter.close?.();
  for (const [part, count] of Object.entries(passed)) {
    console.log(`${part}: ${count} passed, ${failures.filter((one) => one.part === part).length} failed`);
  }
  failures.slice(0, SHOWN).forEach((failure) => console.log(JSON.stringify(failure).slice(0, LENGTH)));
  if (failures.length > SHOWN) console.log(`… and ${failures.length - SHOWN} more`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch(({ message }) => {
    console.error(message);
    process.exitCode = 2;
  });
}
