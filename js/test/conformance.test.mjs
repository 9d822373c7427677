// The public suite: what conforms passes it, in JavaScript and in Python, and each of these twins fails where
// it is wrong.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";

import { conform, programAdapter } from "askance/conformance";
import ours from "../conformance/adapter.js";

const PATIENCE = 120000;
const RUN = new URL("../conformance/run.js", import.meta.url).pathname;
const PYTHON = new URL("../../.venv/bin/python", import.meta.url).pathname;
const ADAPTER = new URL("../../tests/js/conformance_adapter.py", import.meta.url).pathname;
const MANY = { forms: 60, "refused-forms": 600, draws: 3000, steps: 100, "refused-answers": 50, reports: 60 };
// What each is wrong in, and the parts in which that must be seen.
const TWINS = {
  "reads every text that is JSON": [{ readForm: ({ text }) => JSON.parse(text) }, ["refused-forms"]],
  "takes the remainder of a word": [{ draw: async ({ words, ...asked }) => ({ ...(await ours.draw({ ...asked, words })), used: 1 }) }, ["draws"]],
  "sends the answer itself": [{ encode: ({ answer }) => answer }, ["draws", "steps", "refused-answers"]],
  "lets no range be narrowed": [{ encode: ({ steps: _, ...asked }) => ours.encode({ ...asked, steps: 0 }) }, ["draws", "steps"]],
  "sends a report without its padding": [{ report: async (asked) => (await ours.report(asked)).trimEnd() }, ["reports"]],
  "takes the fingerprint of other bytes": [{ fingerprint: ({ text }) => ours.fingerprint({ text: ` ${text}` }) }, ["forms"]],
  "throws at everything": [Object.fromEntries(Object.keys(ours).map((call) => [call, () => { throw new Error(call); }])), ["forms", "draws", "steps", "reports"]],
};

const partsOf = (failures) => [...new Set(failures.map(({ part }) => part))];

test("our own JavaScript passes every case", async () => {
  const { passed, failures } = await conform(ours);
  assert.deepEqual(failures, []);
  for (const [part, least] of Object.entries(MANY)) assert.ok(passed[part] >= least, part);
});

test("our own Python passes every case, as a program that answers in lines", () => {
  const told = execFileSync(process.execPath, [RUN, "--", PYTHON, ADAPTER], { encoding: "utf-8", timeout: PATIENCE });
  assert.deepEqual(told.trim().split("\n").map((line) => /^([\w-]+): \d+ passed, 0 failed$/.exec(line)?.[1]), Object.keys(MANY));
});

for (const [wrong, [broken, parts]] of Object.entries(TWINS)) {
  test(`one that ${wrong} fails`, async () => {
    const { failures } = await conform({ ...ours, ...broken });
    assert.deepEqual(partsOf(failures), parts);
  });
}

test("a program that ends, or that is none, is told from one that fails", async () => {
  await assert.rejects(conform(programAdapter(process.execPath, ["-e", ""])), /ended with 0/);
  const { status, stderr } = spawnSync(process.execPath, [RUN, "--", "/nowhere"], { encoding: "utf-8" });
  assert.deepEqual([status, /cannot be run/.test(stderr)], [2, true]);
});
