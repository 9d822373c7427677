// The question type in the real SurveyJS, in a real browser.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { ARABIC, FORMS, SPEAK_ARABIC, answerAll, answerFrame, framesOf, faults, launch, onTelephone, open as openAt, serve, settled, shoot, textOf } from "./browser.mjs";

const { form, fingerprint } = FORMS.marriage;
const FILES = Object.fromEntries(
  ["survey-core/survey.core.min.js", "survey-core/survey-core.fontless.min.css", "survey-core/themes/default-dark.min.js", "survey-js-ui/survey-js-ui.min.js"].map((file) => [`/${file}`, new URL(`../../node_modules/${file}`, import.meta.url)]),
);
const plain = form.questions[0];
const SURVEY = {
  title: "Marriage",
  pages: [
    {
      elements: [
        { type: "radiogroup", name: plain.name, title: plain.text.en, isRequired: true, choices: plain.answers.map(({ name, label }) => ({ value: name, text: label.en })) },
        { type: "askance", name: "any_affair", exposed: true, form, fingerprint, isRequired: true },
      ],
    },
    { elements: [{ type: "askance", name: "belief", exposed: true, form, fingerprint, question: "religious" }, { type: "askance", name: "age", exposed: true, src: "/marriage.json", fingerprint }] },
  ],
};
const page = (survey, { lang = "en", dir = "ltr", extra = "" } = {}) => (nonce) => `<!DOCTYPE html><html lang="${lang}" dir="${dir}"><title>Study</title>
<link rel="stylesheet" href="/survey-core/survey-core.fontless.min.css">
<script nonce="${nonce}" src="/survey-core/survey.core.min.js"></script>
<script nonce="${nonce}" src="/survey-js-ui/survey-js-ui.min.js"></script>
<script nonce="${nonce}" src="/survey-core/themes/default-dark.min.js"></script>
<script type="module" nonce="${nonce}" src="/askance/question.js"></script>
<script type="module" nonce="${nonce}">
import { register } from "/askance/surveyjs.js";
Object.assign(Survey.settings.titleTags, { survey: "h1", page: "h2", question: "h2" });
register(Survey);
register(Survey);
window.survey = new Survey.Model(${JSON.stringify(survey).replaceAll("<", "\\u003c")});
survey.applyTheme({ cssVariables: { "--sjs-primary-backcolor": "#0b5f55", "--sjs-special-red": "#b00020" } }); // its own are too light
${extra}
survey.onComplete.add(({ data }) => { window.sent = JSON.stringify(data); });
survey.render(document.getElementById("survey"));
</script>
<main><div id="survey"></div></main></html>`;
const PAGES = { "/": page(SURVEY), "/marriage.json": () => textOf("marriage"), "/changed": page({ elements: [{ type: "askance", name: "any_affair", exposed: true, form, fingerprint: "0".repeat(64), isRequired: true }] }) };
PAGES["/dark"] = page({ title: "Marriage", elements: [{ type: "askance", name: "any_affair", exposed: true, ...ARABIC }, { type: "askance", name: "age", exposed: true, ...ARABIC }] }, { lang: "ar", dir: "rtl", extra: `${SPEAK_ARABIC} survey.applyTheme(SurveyTheme.DefaultDark);` });
const FRAMED = { elements: [{ type: "askance", name: "any_affair", src: "/frame/marriage", fingerprint, isRequired: true }] };
PAGES["/wall"] = (nonce) => page({ title: "Marriage", pages: [FRAMED, SURVEY.pages[1]] })(nonce).replace("/askance/question.js", "/askance/isolated.js");
// As SurveyJS is by itself, and with what somebody gave on another day.
const PLAIN = (nonce) => PAGES["/"](nonce).replace(/Object\.assign\(Survey\.settings.*/, "");
PAGES["/plain"] = PLAIN;
PAGES["/another-day"] = (nonce) => PLAIN(nonce).replace("survey.render", `survey.data = ${JSON.stringify({ any_affair: KEPT })}; survey.render`);
PAGES["/read-only"] = (nonce) => PLAIN(nonce).replace("survey.render", 'survey.mode = "display"; survey.render');
PAGES["/languages"] = page({ locale: "de", elements: [{ type: "askance", name: "vote", exposed: true, form: FORMS.evening.form, fingerprint: FORMS.evening.fingerprint }] });
const KEPT = { form: fingerprint, cells: { any_affair: "no" } };
const PEOPLE = 4;
const COLUMNS = ["any_affair", "religious", "age_above", "age_upto"];

let browser;
let site;

before(async () => {
  [browser, site] = await Promise.all([launch(), serve({ ...PAGES, ...framesOf({ marriage: textOf("marriage") }) }, FILES)]);
});

after(async () => {
  await browser?.close();
  site?.close();
});

async function shown(tab, count) {
  await tab.waitForFunction((wanted) => document.querySelectorAll("askance-question").length === wanted, {}, count);
  await tab.evaluate(settled);
}

// One person: the plain question by itself, the others by their elements.
async function take(tab, children) {
  await shown(tab, 1);
  await tab.evaluate((name) => survey.setValue("children", name), children);
  await tab.evaluate(answerAll, 0);
  await tab.evaluate(() => survey.nextPage());
  await shown(tab, 2);
  await tab.evaluate(answerAll, 1, { age: "41" });
  await tab.evaluate(() => survey.completeLastPage());
  return JSON.parse(await tab.evaluate(() => sent));
}

test("surveys are taken: their data are the reports and no answer", async () => {
  const tab = await openAt(browser, `${site.url}/`);
  await shown(tab, 1);
  await shoot(tab, "surveyjs", 1150);
  assert.equal(await tab.evaluate(() => survey.nextPage()), false, "a report is required");
  assert.deepEqual(await faults(tab), []);
  const sent = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    sent.push(await take(tab, plain.answers[person % 2].name));
    await tab.evaluate(() => {
      survey.clear();
      survey.render(document.getElementById("survey"));
    });
  }
  for (const { children, ...asked } of sent) {
    assert.ok(["0", "1"].includes(children) || plain.answers.some(({ name }) => name === children));
    assert.deepEqual(Object.keys(asked).sort(), ["age", "any_affair", "belief"]);
    Object.values(asked).forEach((value) => assert.deepEqual([Object.keys(value), value.form], [["form", "cells"], fingerprint]));
    assert.deepEqual(Object.values(asked).flatMap(({ cells }) => Object.keys(cells)), COLUMNS);
  }
  assert.deepEqual(tab.faults, []);
  if (process.env.EXPORTS) writeFileSync(`${process.env.EXPORTS}/surveyjs.json`, JSON.stringify(sent));
});

test("on a telephone, in a dark theme and from right to left, all can be read", async () => {
  const tab = await openAt(browser, `${site.url}/dark`);
  await shown(tab, 2);
  assert.deepEqual(await onTelephone(tab), [[], [false, false]]);
  assert.deepEqual([...new Set(await tab.evaluate(() => [...document.querySelectorAll("askance-question")].map(({ shadowRoot: root }) => [root.querySelector(".body").dir, root.querySelector(".body").style.colorScheme].join())))], ["rtl,dark"]);
  await shoot(tab, "surveyjs-telephone", 740, 360);
});

test("it is asked in the survey's language, also once that is another", async () => {
  const tab = await openAt(browser, `${site.url}/languages`);
  await shown(tab, 1);
  const text = () => tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("h1").textContent);
  const seen = [await text()];
  for (const locale of ["en", "de", ""]) {
    await tab.evaluate((chosen) => {
      survey.locale = chosen;
    }, locale);
    seen.push(await text());
  }
  assert.deepEqual(seen, ["Haben Sie gewählt?", "Did you vote?", "Haben Sie gewählt?", "Did you vote?"]);
});

test("who comes back to a page has given what they gave, and is not asked again", async () => {
  const tab = await openAt(browser, `${site.url}/`);
  await shown(tab, 1);
  await tab.evaluate(answerAll, 0);
  const value = () => tab.evaluate(() => JSON.stringify(survey.getValue("any_affair")));
  const given = await value();
  await tab.evaluate(() => {
    survey.setValue("children", survey.getQuestionByName("children").choices[0].value);
    survey.nextPage();
  });
  await shown(tab, 2);
  await tab.evaluate(() => survey.prevPage());
  await shown(tab, 1);
  assert.equal(await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("button.main")), null);
  assert.equal(await value(), given);
});

test("in SurveyJS as it is by itself, a report that is missing is brought into sight", async () => {
  const tab = await openAt(browser, `${site.url}/plain`);
  await shown(tab, 1);
  assert.deepEqual((await faults(tab)).filter(([, html]) => html.includes("askance") || html.includes("part=")), []);
  await tab.evaluate(() => {
    survey.setValue("children", survey.getQuestionByName("children").choices[0].value);
    survey.nextPage();
  });
  assert.equal(await tab.evaluate(() => document.activeElement.localName), "askance-question");
});

test("what a survey has of another day is not asked again, and one to be read takes no answer", async () => {
  const tab = await openAt(browser, `${site.url}/another-day`);
  await shown(tab, 1);
  const seen = () => tab.evaluate(() => [...document.querySelectorAll("askance-question")].map(({ shadowRoot: root }) => root.querySelector("button.main")?.disabled ?? root.querySelector(".status").textContent));
  assert.deepEqual(await seen(), ["Given. It cannot be changed any more."]);
  assert.deepEqual(await tab.evaluate(() => survey.data), { any_affair: KEPT });
  await tab.goto(`${site.url}/read-only`);
  await shown(tab, 1);
  assert.deepEqual(await seen(), [true]);
});

test("behind a wall, too, the survey gets the report and waits for it", async () => {
  const tab = await openAt(browser, `${site.url}/wall`);
  await shown(tab, 1);
  assert.equal(await tab.evaluate(() => survey.nextPage()), false);
  await tab.frames()[1].evaluate(answerFrame, 0);
  await tab.waitForFunction(() => survey.getValue("any_affair"));
  const value = await tab.evaluate(() => survey.getValue("any_affair"));
  assert.deepEqual([value.form, Object.keys(value.cells), tab.faults], [fingerprint, ["any_affair"], []]);
});

test("a form that was changed is refused, and nothing is stored", async () => {
  const tab = await openAt(browser, `${site.url}/changed`);
  await shown(tab, 1);
  assert.match(await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.textContent), /cannot be asked here/);
  assert.equal(await tab.evaluate(() => survey.completeLastPage()), false);
  assert.deepEqual(await tab.evaluate(() => survey.data), {});
});
