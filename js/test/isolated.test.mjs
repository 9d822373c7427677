// <askance-question> behind a wall: in a frame that the page around cannot read.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { FORMS, SEEN, answerAll, launch, numbersOf, open as openAt, page, serve, settled, sha256, textOf, told } from "./browser.mjs";

const PAGES = {
  "/wall": page("ranges", { script: "isolated" }),
  "/wall-one": page("marriage", { questions: ["any_affair"], script: "isolated" }),
  "/wall-twice": page("marriage", { questions: ["any_affair", "any_affair"], script: "isolated" }),
  "/wall-given": page("marriage", { questions: ["any_affair"], script: "isolated", extra: "required given" }),
  "/wall-changed": page("marriage", { questions: ["any_affair"], script: "isolated", fingerprint: "0".repeat(64), extra: "required" }),
  "/wall-seen": (nonce) => page("images", { questions: ["plain"], script: "isolated", fingerprint: sha256(SEEN) })(nonce).replace("/images.json", "/seen.json"),
  "/seen.json": () => SEEN,
  "/wall-german": page("evening", { questions: ["vote"], script: "isolated", extra: 'lang="de"' }),
  ...Object.fromEntries(["ranges", "marriage", "evening"].map((name) => [`/${name}.json`, () => textOf(name)])),
};

let browser;
let site;
const open = (path, first) => openAt(browser, site.url + path, first);

before(async () => {
  [browser, site] = await Promise.all([launch(), serve(PAGES)]);
});

after(async () => {
  await browser?.close();
  site?.close();
});

test("behind a wall every question is asked, and the page gets its report", async () => {
  const tab = await open("/wall");
  const frames = tab.frames().slice(1);
  assert.equal(frames.length, FORMS.ranges.form.questions.length);
  for (const frame of frames) await frame.evaluate(answerAll, 0, numbersOf(FORMS.ranges.form));
  await tab.waitForFunction((all) => reports.length === all, {}, frames.length);
  const { reports, values, violations, refusals } = await told(tab);
  assert.deepEqual([violations, refusals, tab.faults], [[], [], []]);
  assert.deepEqual(values, FORMS.ranges.form.questions.flatMap(({ name }) => Object.entries(reports.find((one) => one.question === name).cells)));
  await tab.reload();
  await tab.evaluate(settled);
  assert.deepEqual((await told(tab)).values, values);
  assert.equal(tab.frames().length, 1, "what is given is not asked again");
});

test("behind a wall the page reads nothing, and hears nothing but the report", async () => {
  const spy = `{ const { addEventListener: listen } = MessagePort.prototype; window.channel = [];
    const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
    Object.defineProperty(MessagePort.prototype, "onmessage", { set(take) { set.call(this, (event) => { channel.push(event.data); take(event); }); } }); }`;
  const said = [];
  for (const place of [0, 1]) {
    const tab = await open("/wall-one", spy);
    const [, frame] = tab.frames();
    const shut = await tab.evaluate(() => {
      const { contentDocument } = document.querySelector("askance-question").shadowRoot.querySelector("iframe");
      return contentDocument === null;
    });
    assert.ok(shut, "the page has no way to the frame's document");
    await frame.evaluate((at) => document.querySelector("askance-question").shadowRoot.querySelectorAll("[type=radio]")[at].click(), place);
    assert.deepEqual((await tab.evaluate(() => channel)).map((message) => Object.keys(message)), [["height", "label", "choose"]]);
    said.push(await tab.evaluate(() => JSON.stringify([channel, heard, { ...sessionStorage }, document.querySelector("main").outerHTML])));
    await frame.evaluate(answerAll, place);
    await tab.waitForFunction(() => reports.length === 1);
    const [, last, ...more] = await tab.evaluate(() => channel);
    assert.deepEqual([Object.keys(last), more], [["height", "report", "told"], []]);
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
  await asking.waitForFunction(() => document.querySelector("askance-question")?.shadowRoot.querySelector("fieldset"));
  assert.deepEqual((await told(tab)).reports, []);
  await asking.evaluate(answerAll, 0);
  await tab.waitForFunction(() => reports.length > 0);
  assert.equal((await told(tab)).reports.length, 1);
});

test("behind a wall what its page has of another day is not asked again, but the next person is", async () => {
  const tab = await open("/wall-given");
  const [, frame] = tab.frames();
  assert.match(await frame.evaluate(() => document.querySelector("askance-question").shadowRoot.textContent), /Given\. It cannot be changed any more\.$/);
  assert.equal(await tab.evaluate(() => document.querySelector("form").checkValidity()), true);
  for (const count of [1, 2]) {
    const before = tab.frames();
    await tab.evaluate(() => customElements.get("askance-question").forget());
    const asking = await tab.waitForFrame((one) => !before.includes(one));
    await asking.waitForFunction(() => document.querySelector("askance-question")?.shadowRoot.querySelector("fieldset"));
    assert.equal(await tab.evaluate(() => document.querySelector("askance-question").report), null);
    await asking.evaluate(answerAll, 0);
    await tab.waitForFunction((wanted) => reports.length === wanted, {}, count);
  }
  assert.deepEqual([(await told(tab)).refusals, tab.faults], [[], []]);
});

test("behind a wall it says the words of a language that are brought, and asks anew in another", async () => {
  const tab = await open("/wall-german");
  const said = () => {
    const { shadowRoot: root } = document.querySelector("askance-question");
    return ["h1", "button.main"].map((one) => root.querySelector(one).textContent);
  };
  const again = async (change, wanted) => {
    const before = tab.frames();
    await tab.evaluate(change);
    const frame = await tab.waitForFrame((one) => !before.includes(one));
    await frame.waitForFunction(() => document.querySelector("askance-question")?.shadowRoot.querySelector("button.main"));
    assert.deepEqual(await frame.evaluate(said), wanted);
    return frame;
  };
  assert.deepEqual(await tab.frames()[1].evaluate(said), ["Haben Sie gewählt?", "Give this answer"]);
  await again(async () => {
    const { default: words } = await import("/askance/languages/de.js");
    customElements.get("askance-question").speak("de", words);
  }, ["Haben Sie gewählt?", "Diese Antwort geben"]);
  const frame = await again(() => {
    document.querySelector("askance-question").lang = "en";
  }, ["Did you vote?", "Give this answer"]);
  await frame.evaluate(answerAll, 0);
  await tab.waitForFunction(() => reports.length === 1);
  await tab.evaluate(() => {
    document.querySelector("askance-question").lang = "de";
  });
  assert.deepEqual([tab.frames().length, (await told(tab)).reports.length, tab.faults], [2, 1, []], "what is given stays given");
});

test("behind a wall images are shown", async () => {
  const tab = await open("/wall-seen");
  const [, frame] = tab.frames();
  await frame.evaluate(settled);
  const images = await frame.evaluate(() => [...document.querySelector("askance-question").shadowRoot.querySelectorAll("img")].map(({ alt, naturalWidth }) => [alt, naturalWidth]));
  assert.deepEqual(images, [["A dot", 40], ["Another", 40], ["A dot", 40]]);
  assert.deepEqual((await told(tab)).violations, []);
});

test("behind a wall, too, a form that was changed is refused", async () => {
  const tab = await open("/wall-changed");
  assert.deepEqual((await told(tab)).refusals, [["any_affair", "changed"]]);
  assert.deepEqual(await tab.evaluate(() => [reports.length, document.querySelector("form").checkValidity()]), [0, false]);
});
