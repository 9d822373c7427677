// The page of the documentation; and its scripts for platforms that no test can run, each on a page that
// stands for one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";

import { canonical } from "askance";
import { ARABIC, FORMS, answerFrames, framesIn, framesOf, launch, onTelephone, open as openAt, serve, shoot, textOf } from "./browser.mjs";

const GUIDE = readFileSync(new URL("../../docs/how-to/ask-in-your-platform.md", import.meta.url), "utf-8");
const { fingerprint } = FORMS.marriage;
// What its first page has somebody write, publish and show.
const PAGE = readFileSync(new URL("../../docs/how-to/ask-inside-another-page.md", import.meta.url), "utf-8");
const OWN = mkdtempSync(`${tmpdir()}/askance-`);
const blockOf = (begin) => PAGE.split(`\`\`\`${begin}\n`)[1].split("```")[0];
// What the platform has of another day, where a page's address says so.
const EARLIER = '" + (location.hash ? "no" : "") + "';

// The code of one section, with what stands for an address, a fingerprint and a code put in.
function codeOf(platform, language) {
  const section = GUIDE.split(`\n## ${platform}\n`)[1].split("\n## ")[0];
  const [, code] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(section);
  return code
    .replaceAll("https://…/frame", "/frame/marriage")
    .replaceAll("https://…/isolated.js", "/askance/isolated.js")
    .replaceAll('"…"', `"${fingerprint}"`)
    .replaceAll("{QID}", "7")
    .replaceAll("${e://Field/__js_any_affair}", EARLIER)
    .replaceAll(/\baffair\b/g, "any_affair");
}

const page = (body, script) => (nonce) => `<!DOCTYPE html><html lang="en"><title>Study</title>
<main><h1>Study</h1>${body}</main><script nonce="${nonce}">window.kept = {};
${script}</script></html>`;

const QUALTRICS = `window.next = true;
window.Qualtrics = { SurveyEngine: {
  addOnload: (run) => run.call({ hideNextButton: () => { next = false; }, showNextButton: () => { next = true; }, getQuestionContainer: () => document.querySelector("main") }),
  setJSEmbeddedData: (name, value) => { kept[name] = value; },
} };`;
// Ready, and then once more, as where a theme brings the page without loading it.
const JQUERY = `const $ = (node) => typeof node === "function" ? node() : ({
  on: (_, run) => run(),
  val: (value) => { node.value = value; return $(node); },
  trigger: () => { kept[node.name] = node.value; return $(node); },
});`;
const FORMR = 'document.addEventListener("change", ({ target }) => { if (target.name && target.matches("input")) kept[target.name] = target.value; });';
const PAGES = {
  "/qualtrics": page("", `${QUALTRICS}\n${codeOf("Qualtrics", "js")}`),
  "/limesurvey": page('<div id="question7"><div><input type="text" name="any_affair" aria-label="7"></div></div>', `if (location.hash) document.querySelector("input").value = "no";\n${JQUERY}\n${codeOf("LimeSurvey", "js")}`),
  "/formr": page(`${codeOf("formr", "html")}<input type="text" name="any_affair" aria-label="kept">`, `${FORMR}\n${codeOf("formr", "js")}`),
};
const PLATFORMS = ["qualtrics", "limesurvey", "formr"];
// A range, in a list of two, within what LimeSurvey 6.10 puts around it.
const LIST = ["above", "upto"].map((end) => `<li><label>${end} <input type="text" name="age_${end}"></label></li>`);
PAGES["/limesurvey-range"] = page(`<div id="question7"><div class="question-title-container"></div><div class="question-help-container"></div><div class="answer-container"><ul>${LIST.join("")}</ul></div></div>`, `${JQUERY}\n${codeOf("LimeSurvey", "js").replace('"any_affair"', '"age"')}`);
PAGES["/qualtrics-range"] = page("", `${QUALTRICS}\n${codeOf("Qualtrics", "js").replace('"any_affair"', '"age"').replace(EARLIER, '" + "" + (location.hash ? "40" : "") + "')}`);
// One script does not stand in another's way, as where two questions are on a page.
PAGES["/limesurvey-two"] = (nonce) => PAGES["/limesurvey"](nonce).replace(codeOf("LimeSurvey", "js"), (code) => `${code}</script><script nonce="${nonce}">${code}`);
// The same from right to left: a script takes another form.
for (const one of PLATFORMS) {
  PAGES[`/${one}-arabic`] = (nonce) => PAGES[`/${one}`](nonce).replace('lang="en"', 'lang="ar" dir="rtl"').replace("/frame/marriage", "/frame/arabic").replace(fingerprint, ARABIC.fingerprint);
}

const GIVEN = /Given\. It cannot be changed any more\.$/;

async function saidIn(tab) {
  const [frame] = await framesIn(tab);
  return frame.evaluate(() => document.querySelector("main").textContent);
}

let browser;
let site;

function ownPage() {
  writeFileSync(`${OWN}/affair.toml`, blockOf("toml affair.toml"));
  const python = new URL("../../.venv/bin/python", import.meta.url).pathname;
  const told = execFileSync(python, ["-m", "askance", "publish", "affair.toml", "--frame", "affair.frame.html"], { cwd: OWN, encoding: "utf-8" });
  return `<!DOCTYPE html><html lang="en"><title>Study</title><main><h1>Study</h1><form>${blockOf("html")}</form></main></html>`.replace("paste the fingerprint here", /[0-9a-f]{64}/.exec(told)[0]);
}

before(async () => {
  [browser, site] = await Promise.all([launch(), serve(Object.assign(PAGES, framesOf({ marriage: textOf("marriage"), arabic: canonical(ARABIC.form) })))]);
});

after(async () => {
  await browser?.close();
  site?.close();
  rmSync(OWN, { recursive: true });
});

for (const platform of PLATFORMS) {
  test(`the script for ${platform} asks on a telephone, from right to left, light and dark`, async () => {
    const tab = await openAt(browser, `${site.url}/${platform}-arabic`);
    for (const [background, color] of [["#fff", "#000"], ["#111", "#fff"]]) {
      const before = tab.frames();
      await tab.evaluate((look) => {
        Object.assign(document.body.style, look);
        document.querySelector("askance-question").size = look.background === "#fff" ? "17" : "16"; // it is asked anew, as after a reload
      }, { background, color });
      await tab.waitForFrame((one) => !before.includes(one));
      const [frame] = await framesIn(tab);
      assert.deepEqual(await onTelephone(tab), [[], [false, false]]);
      const seen = await frame.evaluate(() => [document.documentElement.dir, matchMedia("(prefers-color-scheme: dark)").matches]);
      assert.deepEqual(seen, ["rtl", background === "#111"]);
    }
    await shoot(tab, `${platform}-telephone`, 740, 360);
    await tab.browserContext().close();
  });

  test(`the script for ${platform} asks, and keeps the report and nothing else`, async () => {
    const tab = await openAt(browser, `${site.url}/${platform}`);
    assert.deepEqual(await tab.evaluate(() => [{ ...kept }, document.querySelectorAll("askance-question").length]), [{}, 1]);
    if (platform === "qualtrics") assert.equal(await tab.evaluate(() => next), false);
    await answerFrames(tab, 0);
    const [held, report] = await tab.evaluate(() => [{ ...kept }, document.querySelector("askance-question").report]);
    assert.deepEqual(held, report.cells);
    if (platform === "qualtrics") assert.equal(await tab.evaluate(() => next), true);
    await tab.reload();
    await tab.waitForFunction(() => Object.keys(kept).length > 0);
    assert.deepEqual(await tab.evaluate(() => ({ ...kept })), held, "a reload loses nothing");
    assert.deepEqual(tab.faults, []);
    await tab.browserContext().close();
  });
}

test("the page that the documentation writes asks its question", async () => {
  const text = ownPage();
  PAGES["/own"] = () => text;
  PAGES["/affair.frame.html"] = Object.assign(() => readFileSync(`${OWN}/affair.frame.html`, "utf-8"), { policy: "frame-ancestors *" });
  const tab = await openAt(browser, `${site.url}/own`);
  await answerFrames(tab, 0);
  assert.deepEqual(await tab.evaluate(() => [...new FormData(document.querySelector("form"))].map(([name]) => name)), ["affair"]);
  assert.deepEqual(tab.faults, []);
});

test("the script for limesurvey puts the two ends of a range where they belong", async () => {
  const tab = await openAt(browser, `${site.url}/limesurvey-range`);
  await answerFrames(tab, 0, "41");
  const [held, report, isShown] = await tab.evaluate(() => [{ ...kept }, document.querySelector("askance-question").report, document.querySelector("li").checkVisibility()]);
  assert.deepEqual([held, Object.keys(held), isShown], [report.cells, ["age_above", "age_upto"], false]);
  assert.deepEqual(tab.faults, []);
  await tab.browserContext().close();
});

test("the script for qualtrics keeps both ends of a range, and asks for none of them again", async () => {
  const tab = await openAt(browser, `${site.url}/qualtrics-range`);
  await answerFrames(tab, 0, "41");
  const [held, report] = await tab.evaluate(() => [{ ...kept }, document.querySelector("askance-question").report]);
  assert.deepEqual([held, Object.keys(held)], [report.cells, ["age_above", "age_upto"]]);
  await tab.browserContext().close();
  const later = await openAt(browser, `${site.url}/qualtrics-range#earlier`);
  assert.match(await saidIn(later), GIVEN);
  await later.browserContext().close();
});

test("the script for limesurvey can stand on a page twice", async () => {
  const tab = await openAt(browser, `${site.url}/limesurvey-two`);
  assert.deepEqual([await tab.evaluate(() => document.querySelectorAll("askance-question").length), tab.faults], [1, []]);
  await tab.browserContext().close();
});

for (const platform of ["qualtrics", "limesurvey"]) {
  test(`the script for ${platform} does not ask again for what it has of another day`, async () => {
    const tab = await openAt(browser, `${site.url}/${platform}#earlier`);
    assert.match(await saidIn(tab), GIVEN);
    assert.deepEqual(await tab.evaluate(() => ({ ...kept })), {});
    if (platform === "qualtrics") assert.equal(await tab.evaluate(() => next), true);
    await tab.browserContext().close();
  });
}
