// The plug-in in the real jsPsych, in a real browser.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { ARABIC, FORMS, SPEAK_ARABIC, answerAll, answerFrame, framesOf, faults, launch, onTelephone, open as openAt, serve, settled, shoot, textOf } from "./browser.mjs";

const { form, fingerprint } = FORMS.marriage;
const FILES = Object.fromEntries(
  ["jspsych/dist/index.browser.min.js", "jspsych/css/jspsych.css"].map((file) => [`/${file}`, new URL(`../../node_modules/${file}`, import.meta.url)]),
);
const page = (trials, { lang = "en", dir = "ltr", speak = "" } = {}) => (nonce) => `<!DOCTYPE html><html lang="${lang}" dir="${dir}"><title>Study</title>
<link rel="stylesheet" href="/jspsych/css/jspsych.css">
<script nonce="${nonce}" src="/jspsych/dist/index.browser.min.js"></script>
<script type="module" nonce="${nonce}" src="/askance/question.js"></script>
<body><main id="experiment"></main>
<script type="module" nonce="${nonce}">
import { AskancePlugin } from "/askance/jspsych.js";
${speak}
// What is asked plainly, by a plug-in as small as one can be.
class Plainly {
  static info = { name: "plainly", version: "1", parameters: {}, data: {} };
  trial() { return Promise.resolve({ children: "${form.questions[0].answers[0].name}", rt: 1 }); }
}
window.begin = async () => {
  const jsPsych = initJsPsych({ display_element: "experiment", on_finish: () => customElements.get("askance-question").forget() });
  const trials = ${JSON.stringify(trials).replaceAll("<", "\\u003c")};
  await jsPsych.run([{ type: Plainly }, ...trials.map((one) => ({ type: AskancePlugin, ...one }))]);
  window.csv = jsPsych.data.get().csv();
  return jsPsych.data.get().values();
};
window.run = begin();
</script></body></html>`;
const ASKED = [
  { form, fingerprint, question: "any_affair", exposed: true },
  { src: "/marriage.json", fingerprint, question: "religious", exposed: true },
  { form, fingerprint, question: "age", exposed: true },
];
const PAGES = { "/": page(ASKED), "/marriage.json": () => textOf("marriage"), "/changed": page([{ ...ASKED[0], fingerprint: "0".repeat(64) }]) };
PAGES["/arabic"] = page([{ ...ARABIC, question: "any_affair", exposed: true }], { lang: "ar", dir: "rtl", speak: SPEAK_ARABIC });
PAGES["/wall"] = (nonce) => page([{ src: "/frame/marriage", fingerprint, question: "any_affair" }])(nonce).replace("/askance/question.js", "/askance/isolated.js");
const PEOPLE = 3;

let browser;
let site;

before(async () => {
  [browser, site] = await Promise.all([launch(), serve({ ...PAGES, ...framesOf({ marriage: textOf("marriage") }) }, FILES)]);
});

after(async () => {
  await browser?.close();
  site?.close();
});

async function take(tab, look = () => {}) {
  for (const { question } of ASKED) {
    await tab.waitForFunction((name) => document.querySelector("askance-question")?.getAttribute("question") === name, {}, question);
    await tab.evaluate(settled);
    await look();
    await tab.evaluate(answerAll, 1, { age: "41" });
  }
  return tab.evaluate(() => run);
}

test("experiments are run: their data are the reports by column and no answer", async () => {
  const tab = await openAt(browser, `${site.url}/`);
  const look = async () => {
    assert.deepEqual(await faults(tab), []);
    await shoot(tab, "jspsych", 560);
  };
  const exported = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    const data = await take(tab, person === 0 ? look : undefined);
    assert.deepEqual(data.map((row) => row.trial_type), ["plainly", "askance", "askance", "askance"]);
    const own = data.map(({ trial_type, trial_index, time_elapsed, plugin_version, ...more }) => Object.keys(more));
    assert.deepEqual(own.slice(1), [["any_affair"], ["religious"], ["age_above", "age_upto"]]);
    const csv = await tab.evaluate(() => csv);
    exported.push(person === 0 ? csv : csv.slice(csv.indexOf("\r\n") + 2));
    await tab.evaluate(() => {
      window.run = begin();
    });
  }
  assert.deepEqual(tab.faults, []);
  if (process.env.EXPORTS) writeFileSync(`${process.env.EXPORTS}/jspsych.csv`, exported.join(""));
});

test("on a telephone, from right to left, light and dark, all can be read", async () => {
  const tab = await openAt(browser, `${site.url}/arabic`);
  await tab.waitForFunction(() => document.querySelector("askance-question"));
  await tab.evaluate(settled);
  assert.deepEqual(await onTelephone(tab), [[], [false, false]]);
  await shoot(tab, "jspsych-telephone", 740, 360);
  await tab.evaluate(() => Object.assign(document.body.style, { background: "#000", color: "#fff" }));
  await tab.evaluate(() => customElements.get("askance-question").speak("ar", {})); // it is shown anew, with its words
  assert.deepEqual(await onTelephone(tab), [[], [false, false]]);
});

test("behind a wall, too, a trial ends with the report", async () => {
  const tab = await openAt(browser, `${site.url}/wall`);
  await tab.waitForFunction(() => document.querySelector("askance-question"));
  await tab.evaluate(settled);
  await tab.frames()[1].evaluate(answerFrame, 0);
  const [, row] = await tab.evaluate(() => run);
  assert.deepEqual([typeof row.any_affair, row.askance_refused, tab.faults], ["string", undefined, []]);
});

test("a form that was changed is refused, and the data say so and nothing else", async () => {
  const tab = await openAt(browser, `${site.url}/changed`);
  const [, row] = await tab.evaluate(() => run);
  assert.deepEqual([row.askance_refused, row.any_affair], ["changed", undefined]);
});
