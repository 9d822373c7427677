// <askance-question> behind a wall: in the study's own frame, which takes nothing from the page around.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { canonical } from "askance";

import { FORMS, SEEN, answerFrame, framesIn, framesOf, launch, numbersOf, open as openAt, page, serve, settled, sha256, textOf, told } from "./browser.mjs";

const WALL = { script: "isolated" };
const ONE = { questions: ["any_affair"], ...WALL };
// What a hostile page would ask in place of the form's question: plainly, under the same name.
const { questions, size, ...rest } = FORMS.marriage.form;
const { answers, name, text } = questions.find((one) => one.name === "any_affair");
const PLAIN = canonical({ ...rest, size: 256, questions: [{ kind: "choice", name, text, answers }] });
const PROTECTED = "Chance goes in before anything leaves. What is sent need not be your answer.";
const SWAPPED = { questions: ["any_affair"], fingerprint: sha256(PLAIN) };
const FETCHED = `window.fetch = async () => new Response(${JSON.stringify(PLAIN)});`;
const SPOKEN = `addEventListener("load", async () => {
  await customElements.whenDefined("askance-question");
  customElements.get("askance-question").speak?.("en", { plain: ${JSON.stringify(PROTECTED)} });
});`;
const COVER = '<style nonce="c2VjcmV0">::part(badge) { display: none } askance-question { --askance-accent: transparent; --accent: transparent; --askance-ink: transparent }</style>';
// The same form, whose reports are sealed for the receivers of RFC 9180's examples.
const RFC9180 = JSON.parse(readFileSync(new URL("../../tests/oracles/rfc9180.json", import.meta.url), "ascii"));
const KEY = Buffer.from(RFC9180.x25519.pkRm + RFC9180.p256.pkRm, "hex").toString("base64url");
const SEALED = Object.fromEntries(["marriage", "ranges"].map((one) => [one, canonical({ ...FORMS[one].form, askance: "form-2", seal: KEY })]));
const PAGES = {
  "/wall": page("ranges", WALL),
  "/wall-one": page("marriage", ONE),
  "/wall-twice": page("marriage", { ...ONE, questions: ["any_affair", "any_affair"] }),
  "/wall-given": page("marriage", { ...ONE, extra: "required given" }),
  "/wall-changed": page("marriage", { ...ONE, fingerprint: "0".repeat(64), extra: "required" }),
  "/wall-named": page("marriage", { ...ONE, extra: 'name="mine" size="20" accent="violet" level="4" required' }),
  "/wall-seen": page("seen", { questions: ["plain"], ...WALL, fingerprint: sha256(SEEN) }),
  "/wall-in-german": page("evening", { questions: ["vote"], ...WALL }),
  "/wall-german": page("evening", { questions: ["vote"], ...WALL, extra: 'lang="de"' }),
  "/sealed": page("sealed marriage", { ...ONE, fingerprint: sha256(SEALED.marriage), extra: "required" }),
  "/sealed-ranges": page("sealed ranges", { questions: FORMS.ranges.form.questions.map(({ name: one }) => one), ...WALL, fingerprint: sha256(SEALED.ranges) }),
  "/sealed-tag": (nonce) => page("marriage", { questions: ["any_affair"], fingerprint: sha256(SEALED.marriage), inline: true })(nonce).replace(textOf("marriage"), SEALED.marriage),
  "/bare": (nonce) => `<!DOCTYPE html><title>Bare</title><script nonce="${nonce}">window.said = []; addEventListener("message", ({ data }) => said.push(data));</script><iframe src="/bared"></iframe>`,
  ...Object.fromEntries(
    ["isolated", "question"].flatMap((script) => [
      [`/${script}/fetched`, page("marriage", { ...SWAPPED, script, hostile: FETCHED })],
      [`/${script}/spoken`, page("marriage", { ...SWAPPED, script, hostile: FETCHED + SPOKEN })],
      [`/${script}/swapped`, (nonce) => page("marriage", { ...SWAPPED, script, inline: script === "question" })(nonce).replace(textOf("marriage"), PLAIN)],
      [`/${script}/covered`, Object.assign(page("marriage", { questions: ["any_affair"], script, style: COVER, extra: 'accent="red]{} .badge{display:none" size="0.001"' }), { styles: true })],
    ]),
  ),
  "/marriage.json": () => textOf("marriage"),
};

let browser;
let site;
const open = (path, first) => openAt(browser, site.url + path, first);

before(async () => {
  const texts = { marriage: textOf("marriage"), ranges: textOf("ranges"), evening: textOf("evening"), seen: SEEN, "sealed marriage": SEALED.marriage, "sealed ranges": SEALED.ranges };
  const frames = framesOf(texts);
  // The same bytes where nothing takes the origin away.
  PAGES["/bared"] = Object.assign(() => frames["/frame/marriage"](), { headers: { "content-security-policy": "frame-ancestors *" } });
  [browser, site] = await Promise.all([launch(), serve({ ...PAGES, ...frames })]);
});

after(async () => {
  await browser?.close();
  site?.close();
});

test("behind a wall every question is asked, and the page gets its report", async () => {
  const tab = await open("/wall");
  const frames = await framesIn(tab);
  const asked = FORMS.ranges.form.questions;
  assert.equal(frames.length, asked.length);
  const numbers = numbersOf(FORMS.ranges.form);
  for (const frame of frames) await frame.evaluate(answerFrame, 0, numbers[new URLSearchParams(new URL(frame.url()).hash.slice(1)).get("question")]);
  await tab.waitForFunction((all) => reports.length === all, {}, frames.length);
  const { reports, values, violations, refusals } = await told(tab);
  assert.deepEqual([violations, refusals, tab.faults], [[], [], []]);
  assert.deepEqual(values, asked.flatMap(({ name: one }) => Object.entries(reports.find(({ question }) => question === one).cells)));
  await tab.reload();
  await tab.evaluate(settled);
  assert.deepEqual((await told(tab)).values, values);
  assert.equal(tab.frames().length, 1, "what is given is not asked again");
});

test("behind a wall the page reads nothing, and hears nothing but the report", async () => {
  const spy = 'window.channel = []; addEventListener("message", ({ data }) => window === top && channel.push(data));';
  const said = [];
  for (const place of [0, 1]) {
    const tab = await open("/wall-one", spy);
    const [frame] = await framesIn(tab);
    const shut = await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("iframe").contentDocument === null);
    assert.ok(shut, "the page has no way to the frame's document");
    await frame.evaluate((at) => document.querySelectorAll("[type=radio]")[at].click(), place);
    assert.deepEqual((await tab.evaluate(() => channel)).map((message) => Object.keys(message)), [["askance", "label", "height", "choose"]]);
    said.push(await tab.evaluate(() => JSON.stringify([channel, heard, { ...sessionStorage }, document.querySelector("main").outerHTML])));
    await frame.evaluate(answerFrame, place);
    await tab.waitForFunction(() => reports.length === 1);
    const [, last, ...more] = await tab.evaluate(() => channel);
    assert.deepEqual([Object.keys(last), more], [["askance", "report", "told", "height"], []]);
  }
  assert.equal(said[0], said[1], "what is chosen and not given changes nothing outside");
});

test("behind a wall a question is asked once: a second is refused, and one that is moved asks anew", async () => {
  const tab = await open("/wall-twice");
  const { refusals, reports } = await told(tab);
  assert.deepEqual([refusals, reports, tab.frames().length], [[["any_affair", "twice"]], [], 2]);
  await tab.evaluate(() => document.querySelector("main").append(document.querySelector("askance-question")));
  await tab.waitForFunction(() => document.querySelectorAll("main > askance-question").length === 1);
  const asking = await tab.waitForFrame((frame) => frame !== tab.mainFrame());
  await asking.waitForFunction(() => document.querySelector("fieldset"));
  assert.deepEqual((await told(tab)).reports, []);
  await asking.evaluate(answerFrame, 0);
  await tab.waitForFunction(() => reports.length > 0);
  assert.equal((await told(tab)).reports.length, 1);
});

test("behind a wall what its page has of another day is not asked again, but the next person is", async () => {
  const tab = await open("/wall-given");
  const [frame] = await framesIn(tab);
  assert.match(await frame.evaluate(() => document.querySelector("main").textContent), /Given\. It cannot be changed any more\.$/);
  assert.equal(await tab.evaluate(() => document.querySelector("form").checkValidity()), true);
  for (const count of [1, 2]) {
    const before = tab.frames();
    await tab.evaluate(() => customElements.get("askance-question").forget());
    const asking = await tab.waitForFrame((one) => !before.includes(one));
    await asking.waitForFunction(() => document.querySelector("fieldset"));
    assert.equal(await tab.evaluate(() => document.querySelector("askance-question").report), null);
    await asking.evaluate(answerFrame, 0);
    await tab.waitForFunction((wanted) => reports.length === wanted, {}, count);
  }
  assert.deepEqual([(await told(tab)).refusals, tab.faults], [[], []]);
});

test("behind a wall it says its form's own words in the page's language, and asks anew in another", async () => {
  const tab = await open("/wall-german");
  const said = () => ["h1", "button.main"].map((one) => document.querySelector(one).textContent);
  const [first] = await framesIn(tab);
  assert.deepEqual(await first.evaluate(said), ["Haben Sie gewählt?", "Diese Antwort geben"]);
  const before = tab.frames();
  await tab.evaluate(() => {
    document.querySelector("askance-question").lang = "en";
  });
  const frame = await tab.waitForFrame((one) => !before.includes(one));
  await frame.waitForFunction(() => document.querySelector("button.main"));
  assert.deepEqual(await frame.evaluate(said), ["Did you vote?", "Give this answer"]);
  await frame.evaluate(answerFrame, 0);
  await tab.waitForFunction(() => reports.length === 1);
  await tab.evaluate(() => {
    document.querySelector("askance-question").lang = "de";
  });
  assert.deepEqual([tab.frames().length, (await told(tab)).reports.length, tab.faults], [2, 1, []], "what is given stays given");
});

test("behind a wall it asks anew in the language of what is around it", async () => {
  const tab = await open("/wall-in-german");
  const [first] = await framesIn(tab);
  const title = () => document.querySelector("h1").textContent;
  assert.equal(await first.evaluate(title), "Did you vote?");
  const before = tab.frames();
  await tab.evaluate(() => {
    document.documentElement.lang = "de";
  });
  const frame = await tab.waitForFrame((one) => !before.includes(one));
  await frame.waitForFunction(() => document.querySelector("button.main"));
  assert.equal(await frame.evaluate(title), "Haben Sie gewählt?");
});

test("behind a wall the page says a column's name, how large, in which colour, and which heading", async () => {
  const tab = await open("/wall-named");
  const [frame] = await framesIn(tab);
  const shown = () => frame.evaluate(() => {
    const of = (one) => getComputedStyle(document.querySelector(one));
    return [of("html").fontSize, of(".badge").color, document.querySelector("h1").getAttribute("aria-level")];
  });
  assert.deepEqual(await shown(), ["20px", "rgb(122, 31, 162)", "4"]);
  assert.equal(await tab.evaluate(() => document.querySelector("form").checkValidity()), false);
  await frame.evaluate(answerFrame, 0);
  await tab.waitForFunction(() => reports.length === 1);
  assert.deepEqual((await told(tab)).values.map(([column]) => column), ["mine"]);
});

test("behind a wall images are shown", async () => {
  const tab = await open("/wall-seen");
  const [frame] = await framesIn(tab);
  const images = await frame.evaluate(async () => {
    const all = [...document.querySelectorAll("img")];
    await Promise.allSettled(all.map((one) => one.decode()));
    return all.map(({ alt, naturalWidth }) => [alt, naturalWidth]);
  });
  assert.deepEqual(images, [["A dot", 40], ["Another", 40], ["A dot", 40]]);
  assert.deepEqual((await told(tab)).violations, []);
});

test("behind a wall a report of another form than the page names is not taken", async () => {
  const tab = await open("/wall-changed");
  const [frame] = await framesIn(tab);
  await frame.evaluate(answerFrame, 0);
  await tab.waitForFunction(() => refusals.length === 1);
  assert.deepEqual((await told(tab)).refusals, [["any_affair", "changed"]]);
  assert.deepEqual(await tab.evaluate(() => [reports.length, document.querySelector("form").checkValidity()]), [0, false]);
});

test("a frame that has an origin asks nothing: what shares it could look in", async () => {
  const tab = await openBare();
  assert.deepEqual(await tab.evaluate(() => said), [{ askance: "refused", reason: "frame" }]);
});

async function openBare() {
  const tab = await (await browser.createBrowserContext()).newPage();
  await tab.goto(`${site.url}/bare`);
  await tab.waitForFunction(() => said.length > 0);
  return tab;
}

// What stands there, and its badge: with a wall in the frame, without one in the tag.
const shownIn = async (tab, script) => {
  const where = script === "isolated" ? (await framesIn(tab))[0] : tab;
  return where.evaluate(() => {
    const root = document.querySelector("askance-question")?.shadowRoot ?? document;
    const badge = root.querySelector(".badge");
    const { display, color } = getComputedStyle(badge);
    return { guarded: badge.classList.contains("guarded"), said: badge.textContent, odds: root.querySelector(".odds") !== null, display, color };
  });
};

for (const [attack, shows] of [
  ["fetched", "a page that fetches another form"],
  ["spoken", "a page that brings words of its own"],
  ["swapped", "a page that puts another form in"],
]) {
  test(`behind a wall ${shows} has the study's question asked all the same; a tag without one falls`, async () => {
    const honest = await shownIn(await open("/wall-one"), "isolated");
    assert.ok(honest.guarded && honest.odds);
    assert.deepEqual(await shownIn(await open(`/isolated/${attack}`), "isolated"), honest);
    const fallen = await shownIn(await open(`/question/${attack}`), "question");
    assert.deepEqual([fallen.guarded, fallen.odds], [false, false]);
    if (attack === "spoken") assert.equal(fallen.said, PROTECTED);
  });
}

test("behind a wall no style of the page covers the odds; a tag without one falls", async () => {
  const honest = await shownIn(await open("/wall-one"), "isolated");
  assert.deepEqual(await shownIn(await open("/isolated/covered"), "isolated"), honest);
  const fallen = await shownIn(await open("/question/covered"), "question");
  assert.deepEqual([fallen.display, fallen.color], ["none", "rgba(0, 0, 0, 0)"]);
});

test("behind a wall no message changes what is asked, and none of another window is a report", async () => {
  const tab = await open("/wall-one");
  const honest = await shownIn(tab, "isolated");
  await tab.evaluate((text) => {
    const { contentWindow } = document.querySelector("askance-question").shadowRoot.querySelector("iframe");
    const { port2 } = new MessageChannel();
    const ask = { askance: "ask", text, attributes: [["question", "any_affair"]], words: { en: { plain: "Chance" } }, look: [["--accent", "transparent"]] };
    contentWindow.postMessage(ask, "*", [port2]);
    contentWindow.postMessage({ askance: "given" }, "*");
    const forged = { form: "0", question: "any_affair", cells: { any_affair: "yes" } };
    postMessage({ askance: "given", height: 1, told: "", report: forged }, "*");
  }, PLAIN);
  await tab.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  assert.deepEqual(await shownIn(tab, "isolated"), honest);
  assert.deepEqual((await told(tab)).reports, []);
});

// What the study's own program opens of tables, a column for each question.
function opened(text, rows) {
  const script = `import csv, io, json, sys, tempfile
from askance.engines import SealKey, unseal_tables
from askance_collect.wire import Form
form, keys, rows = json.load(sys.stdin)
key = SealKey(*(bytes.fromhex(keys[kem]["skRm"]) for kem in ("x25519", "p256")))
with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as file:
    csv.writer(file).writerows([list(rows[0]), *(list(row.values()) for row in rows)])
    file.flush()
    ((told, _),) = unseal_tables([file.name], Form.read(form), key)
print(json.dumps(list(csv.DictReader(io.StringIO(told)))))`;
  const python = new URL("../../.venv/bin/python", import.meta.url);
  return JSON.parse(execFileSync(python.pathname, ["-c", script], { input: JSON.stringify([text, RFC9180, rows]) }));
}

const NO_X25519 = `{ const { generateKey } = crypto.subtle;
  crypto.subtle.generateKey = function (algorithm, ...more) {
    return algorithm.name === "X25519" ? Promise.reject(new DOMException("", "NotSupportedError")) : generateKey.call(this, algorithm, ...more);
  }; }`;

test("what leaves a frame is sealed for the study: the page reads none of it, nor its length", async () => {
  const rows = [];
  for (const [place, first] of [[0, ""], [1, ""], [2, ""], [0, NO_X25519]]) {
    const tab = await open("/sealed", `window.channel = []; addEventListener("message", ({ data }) => channel.push(data)); ${first}`);
    const [frame] = await framesIn(tab);
    await frame.evaluate((at) => document.querySelectorAll("[type=radio]")[at].click(), place);
    await frame.evaluate(() => document.querySelector("button.main").click());
    await tab.waitForFunction(() => reports.length === 1);
    const { reports, values } = await told(tab);
    const { form, question, cells, ...more } = reports[0];
    assert.deepEqual([form, question, more, values], [sha256(SEALED.marriage), "any_affair", {}, Object.entries(cells)]);
    const [, last] = await tab.evaluate(() => channel);
    assert.deepEqual([Object.keys(last.report), Object.keys(cells)], [["form", "question", "cells"], ["any_affair"]]);
    assert.match(cells.any_affair, first ? /^askance-seal-1\.p256\.[\w-]+$/ : /^askance-seal-1\.x25519\.[\w-]+$/);
    rows.push(cells);
  }
  assert.equal(new Set(rows.slice(0, 3).map(({ any_affair: one }) => one.length)).size, 1);
  const names = ["", ...questions.find((one) => one.name === "any_affair").reports.map((one) => one.name)];
  assert.ok(opened(SEALED.marriage, rows).every(({ any_affair: one }) => names.includes(one)));
});

test("every kind of question leaves a frame sealed, and opens as a collector's table has it", async () => {
  const tab = await open("/sealed-ranges");
  const frames = await framesIn(tab);
  const numbers = numbersOf(FORMS.ranges.form);
  for (const frame of frames) await frame.evaluate(answerFrame, 0, numbers[new URLSearchParams(new URL(frame.url()).hash.slice(1)).get("question")]);
  await tab.waitForFunction((all) => reports.length === all, {}, frames.length);
  const { reports, violations } = await told(tab);
  assert.deepEqual(violations, []);
  const [row] = opened(SEALED.ranges, [Object.assign({}, ...reports.map(({ cells }) => cells))]);
  assert.ok(Object.values(row).some(Boolean) && Object.keys(row).some((column) => column.endsWith("_upto")));
});

test("a tag without a wall asks nothing whose reports are sealed", async () => {
  const tab = await open("/sealed-tag");
  assert.deepEqual((await told(tab)).refusals, [["any_affair", "sealed"]]);
});
