// <askance-question> in a real browser, on a page with a strict policy.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { canonical, encode, readForm } from "askance";
import { FORMS, SEEN, WATCH, answerAll, faults, heard, launch, numbersOf, onTelephone, open as openAt, page, serve, settled, sha256, shoot, textOf, told } from "./browser.mjs";

// Rules on protected answers and texts that take up others are the survey page's own.
const REFUSED = { "sealed texts": { long: "sealed", noisy: "sealed", plain: "sealed", plain_comment: "sealed", short: "sealed" }, "lists to count": { counted: "form" }, pipes: { words: "piped", last: "piped" }, sealed: { plain: "sealed", noisy: "sealed" }, skips: { often: "rule" }, "skipped numbers": { noisy: "rule" }, "skipped spans": { noisy: "rule" } };
const pictured = (nonce) => page("images", { questions: ["noisy_a", "whole", "plain", "many"], fingerprint: sha256(SEEN) })(nonce).replaceAll("/images.json", "/pictured.json");
// The package's script by its hash: the page asks for it so, and its policy allows that one alone.
const HASH = `sha256-${createHash("sha256").update(readFileSync(new URL("../dist/choice.js", import.meta.url))).digest("base64")}`;
const hashed = () => `<!DOCTYPE html><html lang="en"><title>Study</title><script type="module" integrity="${HASH}" src="/askance/choice.js"></script>
<main><h1>Study</h1><askance-question exposed question="any_affair" fingerprint="${FORMS.marriage.fingerprint}">${textOf("marriage")}</askance-question></main></html>`;
// Forms of one question each, which need not be named: here of the same name.
const alone = (title) => canonical({ ...FORMS.marriage.form, size: 256, title: { en: title }, questions: FORMS.marriage.form.questions.slice(1, 2) });
const namesakes = (nonce) => {
  const tags = ["One", "Two"].map(alone).map((text) => `<askance-question exposed fingerprint="${sha256(text)}">${text}</askance-question>`);
  return page("marriage", { questions: [] })(nonce).replace("</form>", `${tags[0]}</form><form>${tags[1]}</form>`);
};
const DRESS = ":root{--askance-accent:#aa0044;--askance-size:20px} askance-question::part(question){color:rgb(1,2,3)} askance-question::part(button){border-radius:0}";
const PAGES = {
  "/hashed": Object.assign(hashed, { policy: `default-src 'none'; script-src '${HASH}'` }),
  "/pictured": pictured,
  "/pictured.json": () => SEEN,
  "/unseen": Object.assign((nonce) => pictured(nonce), { images: "'none'" }),
  ...Object.fromEntries(Object.keys(FORMS).map((name) => [`/${encodeURIComponent(name)}`, page(name)])),
  ...Object.fromEntries(Object.keys(FORMS).map((name) => [`/${encodeURIComponent(name)}.json`, () => textOf(name)])),
  "/narrowed": page("ranges", { questions: ["steps", "age"] }),
  "/small": page("marriage", { questions: ["any_affair"], script: "choice" }),
  "/inline": page("marriage", { questions: ["any_affair"], inline: true }),
  "/changed": page("marriage", { questions: ["any_affair"], fingerprint: "0".repeat(64) }),
  "/twice": page("marriage", { questions: ["any_affair", "any_affair"] }),
  "/named": page("marriage", { questions: ["any_affair", "religious"], extra: "name=it" }),
  "/strange": page("marriage", { questions: ["tea"] }),
  "/lost": (nonce) => PAGES["/small"](nonce).replace("/marriage.json", "/lost.json"),
  "/namesakes": (nonce) => namesakes(nonce),
  "/dressed": Object.assign((nonce) => PAGES["/small"](nonce).replace("<main>", `<style nonce="${nonce}">${DRESS}</style><main>`), {
    policy: "default-src 'none'; script-src 'nonce-c2VjcmV0'; style-src 'nonce-c2VjcmV0'; connect-src 'self'",
  }),
  "/given": page("marriage", { questions: ["any_affair"], extra: "required given" }),
  "/required": page("marriage", { questions: ["any_affair"], extra: "required name=affair" }),
  "/german": page("evening", { extra: 'lang="de"' }),
  "/nowhere": () => PAGES["/small"]("c2VjcmV0").replace("/marriage.json", "http://127.0.0.1:9/"),
  "/absent": () => PAGES["/small"]("c2VjcmV0").replace(/src="\/marriage.json"/, ""),
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

// One tab that goes from form to form: each keeps what is its own.
let everywhere;

for (const [name, { form, fingerprint }] of Object.entries(FORMS)) {
  test(`${name}: the page gets every report, once, and nothing else`, async () => {
    everywhere ??= await open("/small");
    const tab = everywhere;
    await tab.goto(`${site.url}/${encodeURIComponent(name)}`);
    await tab.evaluate(settled);
    const refused = REFUSED[name] ?? {};
    const answered = form.questions.filter((question) => !Object.hasOwn(refused, question.name));
    assert.deepEqual(Object.fromEntries((await told(tab)).refusals), refused);
    assert.deepEqual(await faults(tab), []);
    await isHeard(tab, answered);
    await tab.evaluate(answerAll, 0, numbersOf(form));
    const { reports, values, violations, heard } = await told(tab);
    assert.deepEqual(reports.map((report) => report.question), answered.map((question) => question.name));
    reports.forEach((report, at) => {
      const { value, cells } = report;
      assert.equal(report.form, fingerprint);
      assert.ok(value === null || possible(answered[at], value), `${report.question}: ${JSON.stringify(value)}`);
      assert.deepEqual(values.filter(([column]) => column in cells), Object.entries(cells));
    });
    assert.deepEqual([violations, heard, tab.faults], [[], [], []]);
    if (name === "ranges") assert.deepEqual(await faults(tab), []);
    await tab.reload();
    await tab.evaluate(settled);
    const again = await told(tab);
    assert.deepEqual([again.values, again.reports], [values, []]);
  });
}

// A screen reader hears what everything is called, and by each question what its answers belong to. What folds
// out is a group, too, which its summary names.
async function isHeard(tab, questions) {
  if (process.env.FIREFOX) return;
  const names = await heard(tab);
  const isGroup = (role) => ["group", "radiogroup"].includes(role);
  assert.deepEqual(names.filter(([role, name]) => !isGroup(role) && !name), []);
  const groups = names.filter(([role, name]) => isGroup(role) && name).map(([, name]) => name);
  assert.deepEqual(groups, questions.map(({ text }) => (text.en ?? Object.values(text)[0]).replaceAll(/\s+/g, " ").trim()));
}

function possible(question, value) {
  if (question.line === undefined) return Number.isInteger(value) || typeof value === "string";
  return question.kind === "number" ? Number.isInteger(value) : value.length === 2;
}

test("the smaller one asks named answers, and asks nobody else for anything", async () => {
  site.asked.length = 0;
  const tab = await open("/small");
  await tab.evaluate(answerAll, 1);
  const { reports } = await told(tab);
  const question = readForm(textOf("marriage")).questions.find((one) => one.name === "any_affair");
  assert.ok(question.reports.map((report) => report.name).includes(reports[0].cells.any_affair) || reports[0].value === null);
  assert.deepEqual(site.asked.filter((path) => path !== "/favicon.ico").sort(), ["/askance/choice.js", "/marriage.json", "/small"]);
});

test("a policy that knows the script by its hash, and allows nothing else, is enough", async () => {
  site.asked.length = 0;
  const tab = await open("/hashed", `window.violations = []; ${WATCH}`);
  await tab.evaluate(answerAll, 0);
  assert.deepEqual(await tab.evaluate(() => [violations, document.querySelector("askance-question").report?.question]), [[], "any_affair"]);
  assert.deepEqual(site.asked.filter((path) => path !== "/favicon.ico"), ["/hashed", "/askance/choice.js"]);
});

test("images stand at their question and at its choices, are read out after their words, and are no request", async () => {
  site.asked.length = 0;
  const tab = await open("/pictured");
  const shown = await tab.evaluate(() =>
    [...document.querySelectorAll("askance-question")].map(({ shadowRoot: root }) => {
      const choices = [...root.querySelectorAll(".option img")].map((one) => [one.alt, one.closest(".option").querySelector("input").getAttribute("aria-describedby") === one.id]);
      const images = [...root.querySelectorAll("img")];
      return [images.map(({ alt }) => alt), choices, images.every((one) => one.complete && one.naturalWidth > 0)];
    }),
  );
  const [dot, other] = ["A dot", "Another"];
  assert.deepEqual(shown, [
    [[], [], true], // an item of a list: its image stands on the list's screen
    [[dot], [[dot, true]], true],
    [[dot, other, dot], [[other, true], [dot, true]], true],
    [[dot], [], true],
  ]);
  assert.deepEqual(await faults(tab), []);
  assert.deepEqual([...new Set(site.asked)].filter((path) => path !== "/favicon.ico").sort(), ["/askance/question.js", "/pictured", "/pictured.json"]);
  await tab.evaluate(answerAll, 0, numbersOf(FORMS.images.form));
  assert.deepEqual(await tab.evaluate(() => [...document.querySelectorAll("askance-question")].flatMap(({ shadowRoot: root }) => [...root.querySelectorAll("img")])), []);
});

test("where the page's policy lets no image in, the question is asked with the words in their place", async () => {
  const tab = await open("/unseen");
  const alts = await tab.evaluate(() => [...document.querySelector('[question="plain"]').shadowRoot.querySelectorAll("img")].map(({ alt, naturalWidth }) => [alt, naturalWidth]));
  assert.deepEqual(alts, [["A dot", 0], ["Another", 0], ["A dot", 0]]);
  await tab.evaluate(answerAll, 0, numbersOf(FORMS.images.form));
  assert.equal((await told(tab)).reports.length, 4);
});

test("a form within the element needs no request", async () => {
  site.asked.length = 0;
  const tab = await open("/inline");
  await tab.evaluate(answerAll, 1);
  assert.equal((await told(tab)).reports.length, 1);
  assert.ok(!site.asked.some((path) => path.endsWith(".json")));
});

for (const [path, reason] of [["/changed", "changed"], ["/strange", "question"], ["/nowhere", "unreachable"], ["/lost", "unreachable"], ["/absent", "absent"]]) {
  test(`refused, told, and nothing handed over: ${reason}`, async () => {
    const tab = await open(path);
    const { refusals, reports, values } = await told(tab);
    assert.deepEqual([refusals.map(([, one]) => one), reports, values], [[reason], [], []]);
    const shown = await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("[role=alert]").textContent);
    assert.match(shown, /^This question cannot be asked here: .+\.$/);
    assert.deepEqual(await tab.evaluate(() => Object.keys(sessionStorage)), []);
  });
}

for (const lost of ['Object.defineProperty(Crypto.prototype, "subtle", { get: () => undefined });', "delete globalThis.crypto;", "delete Crypto.prototype.getRandomValues;", "Crypto.prototype.getRandomValues = (bytes) => bytes;", "Crypto.prototype.getRandomValues = () => { throw new Error(); };"]) {
  test(`a browser without cryptographic chance is refused, and nothing handed over: ${lost}`, async () => {
    site.asked.length = 0;
    const tab = await open("/small", lost);
    const { refusals, reports, values } = await told(tab);
    assert.deepEqual([refusals, reports, values], [[["any_affair", "chance"]], [], []]);
    assert.deepEqual(await tab.evaluate(() => Object.keys(sessionStorage)), []);
    assert.ok(!site.asked.includes("/marriage.json"));
    await tab.browserContext().close();
  });
}

test("of two of one name in a form the second is refused: one column holds one report", async () => {
  const tab = await open("/named");
  assert.deepEqual((await told(tab)).refusals, [["religious", "twice"]]);
  await tab.evaluate(answerAll, 0);
  const { reports, values } = await told(tab);
  assert.deepEqual([reports.map((report) => report.question), values], [["any_affair"], Object.entries(reports[0].cells)]);
});

test("one that is moved into a form which has its name is refused, and what was given is taken back", async () => {
  const tab = await open("/namesakes");
  await tab.evaluate(answerAll, 0);
  const given = () => tab.evaluate(() => [...document.forms].map((form) => [...new FormData(form)].map(([name]) => name)));
  assert.deepEqual(await given(), [["any_affair"], ["any_affair"]]);
  await tab.evaluate(() => {
    const [, second] = document.querySelectorAll("askance-question");
    document.forms[0].append(second);
    second.lang = "en"; // it is not shown again
  });
  assert.deepEqual([await given(), (await told(tab)).refusals], [[["any_affair"], []], [[null, "twice"]]]);
  assert.match(await tab.evaluate(() => document.querySelectorAll("askance-question")[1].shadowRoot.textContent), /cannot be asked here/);
});

test("of two of one question the second is refused; where the first has gone another one may ask", async () => {
  const tab = await open("/twice");
  assert.deepEqual((await told(tab)).refusals, [["any_affair", "twice"]]);
  await tab.evaluate(async () => {
    const [first, second] = document.querySelectorAll("askance-question");
    const third = second.cloneNode();
    first.remove();
    second.remove();
    await Promise.resolve();
    document.querySelector("form").append(third);
    await third.ready;
  });
  await tab.evaluate(answerAll, 0);
  const { refusals, reports } = await told(tab);
  assert.deepEqual([refusals.length, reports.length], [1, 1]);
});

test("an element that is moved keeps what was chosen, and draws nothing anew", async () => {
  const tab = await open("/small");
  const kept = await tab.evaluate(() => ({ ...sessionStorage }));
  const checked = await tab.evaluate(() => {
    const node = document.querySelector("askance-question");
    node.shadowRoot.querySelectorAll("[type=radio]")[1].click();
    document.querySelector("main").append(node);
    return [...node.shadowRoot.querySelectorAll("[type=radio]")].map((control) => control.checked);
  });
  assert.deepEqual(checked.slice(0, 2), [false, true]);
  assert.deepEqual(await tab.evaluate(() => ({ ...sessionStorage })), kept);
});

test("a reload before an answer draws nothing anew", async () => {
  const tab = await open("/ranges");
  const kept = await tab.evaluate(() => ({ ...sessionStorage }));
  assert.equal(Object.keys(kept).length, FORMS.ranges.form.questions.length);
  await tab.reload();
  await tab.evaluate(settled);
  assert.deepEqual(await tab.evaluate(() => ({ ...sessionStorage })), kept);
});

test("the next person is asked anew, with other draws", async () => {
  const tab = await open("/small");
  await tab.evaluate(answerAll, 0);
  const kept = await tab.evaluate(() => JSON.stringify(sessionStorage));
  const [values, asking] = await tab.evaluate(() => {
    customElements.get("askance-question").forget();
    const [node] = document.querySelectorAll("askance-question");
    return [[...new FormData(document.querySelector("form"))], node.report === null && node.shadowRoot.querySelectorAll("[type=radio]:checked").length === 0];
  });
  assert.deepEqual([values, asking], [[], true]);
  assert.notEqual(await tab.evaluate(() => JSON.stringify(sessionStorage)), kept);
});

test("where nothing can be kept in the tab, the next person is asked anew, too", async () => {
  const tab = await open("/small", 'Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("no", "SecurityError"); } });');
  await tab.evaluate(answerAll, 0);
  await tab.evaluate(() => customElements.get("askance-question").forget());
  assert.deepEqual(await tab.evaluate(() => document.querySelector("askance-question").report), null);
  await tab.evaluate(answerAll, 1);
  assert.deepEqual([(await told(tab)).reports.length, tab.faults], [2, []]);
});

test("what its page has of another day is not asked again: nothing is drawn, and nothing handed over", async () => {
  const tab = await open("/given");
  const seen = await tab.evaluate(() => {
    const [node] = document.querySelectorAll("askance-question");
    return [node.shadowRoot.querySelector("[part=status]").textContent, node.report, node.checkValidity(), Object.keys(sessionStorage)];
  });
  assert.deepEqual(seen, ["Given. It cannot be changed any more.", null, true, []]);
  assert.deepEqual([(await told(tab)).values, await faults(tab)], [[], []]);
  await tab.evaluate(() => customElements.get("askance-question").forget());
  await tab.evaluate(answerAll, 0);
  assert.equal((await told(tab)).reports.length, 1, "the next person is asked");
});

test("its parts and colours are its page's to choose", async () => {
  const tab = await open("/dressed");
  const look = await tab.evaluate(() => {
    const { shadowRoot: root } = document.querySelector("askance-question");
    const [title, button] = ["h1", "button.main"].map((one) => getComputedStyle(root.querySelector(one)));
    return [title.color, title.fontSize, button.backgroundColor, button.borderRadius, violations];
  });
  assert.deepEqual(look, ["rgb(1, 2, 3)", "25px", "rgb(170, 0, 68)", "0px", []]);
});

test("the page's form waits for an answer that is required, under the name that it gave", async () => {
  const tab = await open("/required");
  const valid = () => tab.evaluate(() => [document.querySelector("form").checkValidity(), document.querySelector("askance-question").validity.valueMissing]);
  assert.deepEqual(await valid(), [false, true]);
  await tab.evaluate(() => document.querySelector("form").requestSubmit());
  assert.equal(await tab.evaluate(() => document.activeElement.localName), "askance-question");
  await tab.evaluate(answerAll, 0);
  assert.deepEqual(await valid(), [true, false]);
  const [[column]] = (await told(tab)).values;
  assert.equal(column, "affair");
  await tab.evaluate(() => document.querySelector("form").reset());
  assert.equal((await told(tab)).values.length, 1, "what is given stays given");
});

test("disabled, it takes no answer", async () => {
  const tab = await open("/small");
  const disabled = await tab.evaluate(() => {
    const [node] = document.querySelectorAll("askance-question");
    node.setAttribute("disabled", "");
    return [...node.shadowRoot.querySelectorAll("input, button")].every((control) => control.disabled);
  });
  assert.ok(disabled);
});

test("a page reads nothing of an answer that is chosen and not given", async () => {
  const tab = await open("/small");
  const [first, second] = await tab.evaluate(() => {
    const [node] = document.querySelectorAll("askance-question");
    const seen = () => JSON.stringify([node.outerHTML, node.report, { ...sessionStorage }, [...new FormData(document.querySelector("form"))], reports]);
    return [0, 1].map((at) => {
      node.shadowRoot.querySelectorAll("[type=radio]")[at].click();
      return seen();
    });
  });
  assert.equal(first, second);
});

test("on a telephone, where the page's ground is dark, all can be read", async () => {
  const tab = await open("/small");
  await tab.evaluate(() => {
    Object.assign(document.body.style, { background: "#15191c", color: "#fff" });
    document.querySelector("askance-question").lang = "en";
  });
  assert.deepEqual(await onTelephone(tab), [[], [false, false]]);
  assert.equal(await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector(".body").style.colorScheme), "dark");
  await shoot(tab, "question-telephone", 740, 360);
});

test("it says its words in the page's language, and in others that are brought", async () => {
  const tab = await open("/german");
  const give = () => tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("button.main").textContent);
  assert.equal(await give(), "Give this answer");
  await tab.evaluate(async () => {
    const { default: words } = await import("/askance/languages/de.js");
    customElements.get("askance-question").speak("de", words);
  });
  assert.equal(await give(), "Diese Antwort geben");
});

test("the keyboard alone gives an answer, and a closed root is shut to the page", async () => {
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  await tab.goto(`${site.url}/small`);
  await tab.evaluate(settled);
  assert.equal(await tab.evaluate(() => document.querySelector("askance-question").shadowRoot), null);
  for (const key of ["Tab", "ArrowDown", "Tab"]) await tab.keyboard.press(key);
  for (let at = 0; at < 8 && (await told(tab)).reports.length === 0; at += 1) {
    await tab.keyboard.press("Enter");
    await tab.keyboard.press("Tab");
  }
  assert.equal((await told(tab)).reports.length, 1);
});

for (const [path, count] of [["/evening", 4], ["/narrowed", 2]]) {
  test(`the keyboard alone answers numbers, ranges and steps, as on the page: ${path}`, async () => {
    const tab = await open(path);
    for (let at = 0; at < 80 && (await told(tab)).reports.length < count; at += 1) {
      await tab.keyboard.press("Tab");
      const on = await tab.evaluate(() => {
        const node = document.activeElement.shadowRoot?.activeElement;
        return node?.matches(".main") ? "give" : node?.type;
      });
      if (on === "text") await tab.keyboard.type("8");
      if (on === "radio") await tab.keyboard.type(" ");
      if (on === "give") await tab.keyboard.press("Enter");
    }
    const { reports, refusals } = await told(tab);
    assert.deepEqual([reports.length, refusals, tab.faults], [count, [], []]);
    assert.ok(reports.every(({ value }) => value !== undefined));
    await tab.browserContext().close();
  });
}

test("chance decides what is handed over, and the answer how", async () => {
  const { form } = FORMS.marriage;
  const question = form.questions.find((one) => one.name === "any_affair");
  const seen = new Set();
  const tab = await open("/small");
  for (let at = 0; at < 40; at += 1) {
    seen.add(
      await tab.evaluate(() => {
        customElements.get("askance-question").forget();
        const [node] = document.querySelectorAll("askance-question");
        node.shadowRoot.querySelectorAll("[type=radio]")[0].click();
        node.shadowRoot.querySelector("button.main").click();
        return node.report.value;
      }),
    );
  }
  const likely = question.table.rows[0].flatMap((units, at) => (units * 5 > question.table.total ? [at] : []));
  likely.forEach((value) => assert.ok(seen.has(value), `${value} never came`));
  assert.equal(encode(question, null, [0, 0]), null);
  assert.equal(sha256(textOf("marriage")), FORMS.marriage.fingerprint);
});
