// <askance-question> as a control of a form: it follows its attributes and properties, in the study's frame and
// exposed on the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { FORMS, answerAll, answerFrames, faults, framesIn, framesOf, launch, open as openAt, page, serve, settled, shoot, textOf, told } from "./browser.mjs";

const { marriage, evening, ranges } = FORMS;
const ONE = { questions: ["any_affair"], extra: "required" };
const WALL = { ...ONE, script: "isolated" };
// A page that has put properties on its tags, and the tags into it, before the script came.
const early = (nonce) => page("marriage", ONE)(nonce).replace(/<script type="module".*<\/script>/, "").replace("</html>", `<script nonce="${nonce}">
  Object.assign(document.querySelector("askance-question"), { question: "religious", disabled: true, value: null });
</script><script type="module" nonce="${nonce}" src="/askance/question.js"></script></html>`);
const PAGES = {
  "/exposed": (nonce) => page("marriage", ONE)(nonce).replace("<form>", '<form><label for="it">About you</label>').replace("<askance-question", '<askance-question id="it"'),
  "/wall": page("marriage", WALL),
  "/early": early,
  "/inline": (nonce) => page("marriage", { ...ONE, inline: true })(nonce).replace(" exposed ", " "),
  "/json": (nonce) => page("marriage", ONE)(nonce).replace(" exposed ", " "),
  "/isolated-exposed": page("marriage", { ...WALL, extra: "exposed" }),
  "/german": page("evening", { extra: 'lang="en"' }),
  "/exposed-german": page("evening"),
  "/preview": page("ranges", { extra: "preview required" }),
  "/preview-wall": page("ranges", { extra: "preview required", script: "isolated" }),
  ...Object.fromEntries(["marriage", "evening", "ranges"].map((name) => [`/${name}.json`, () => textOf(name)])),
};

let browser;
let site;
const open = (path, first) => openAt(browser, site.url + path, first);

before(async () => {
  const frames = framesOf({ marriage: textOf("marriage"), evening: textOf("evening"), ranges: textOf("ranges") });
  [browser, site] = await Promise.all([launch(), serve({ ...PAGES, ...frames })]);
});

after(async () => {
  await browser?.close();
  site?.close();
});

// What is seen of the first tag from outside.
const seen = (tab) => tab.evaluate(() => {
  const [node] = document.querySelectorAll("askance-question");
  return { title: node.shadowRoot.querySelector("h1")?.textContent, value: node.value, answered: node.matches(":state(answered)"), valid: document.querySelector("form").checkValidity(), sent: [...new FormData(document.querySelector("form"))] };
});
// Set properties of the first tag, and wait for what follows.
const set = (tab, properties) => tab.evaluate(async (all) => {
  const [node] = document.querySelectorAll("askance-question");
  Object.assign(node, all);
  await node.ready;
}, properties);
const titleOf = (name) => marriage.form.questions.find((one) => one.name === name).text.en;

test("the custom elements manifest says what the element has, and nothing else", async () => {
  const read = (path) => readFileSync(new URL(path, import.meta.url), "utf-8");
  const [{ declarations: [manifest] }] = JSON.parse(read("../custom-elements.json")).modules;
  const named = (of, at = "name") => of.map((one) => one[at]).sort();
  const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  const tab = await open("/exposed");
  const has = await tab.evaluate(() => {
    const element = customElements.get("askance-question");
    const own = (object) => Object.getOwnPropertyNames(object).filter((name) => !/^(constructor|length|name|prototype|define|formAssociated|observedAttributes|.+Callback)$/.test(name) || (name === "name" && object === element.prototype));
    return { members: [...own(element), ...own(element.prototype)].sort(), attributes: [...element.observedAttributes, "disabled", "name"].sort() };
  });
  const isShown = ({ static: isStatic }) => Boolean(isStatic);
  assert.deepEqual([named(manifest.attributes), named(manifest.members)], [has.attributes, has.members]);
  assert.deepEqual(named(manifest.members.filter(isShown)), ["forget", "speak"]);
  const [element, exposed] = ["../element.js", "../exposed.js"].map(read);
  assert.deepEqual(named(manifest.events), found(element, /new (?:Custom)?Event\("([\w-]+)"/g));
  assert.deepEqual(named(manifest.cssParts), [...found(exposed.split("const PARTS")[1].split("};")[0], /: "(\w+)"/g), "frame"].sort());
  assert.deepEqual(named(manifest.cssProperties), found(read("../dist/question.js"), /var\((--askance-[\w-]+)/g));
  assert.deepEqual(named(manifest.cssStates), found(element, /\]\("(\w+)"\)/g));
  const types = read("../types/element.d.ts");
  assert.deepEqual(named(manifest.attributes), [...found(types.split("interface QuestionProperties")[1].split("}")[0], /^ {2}(\w+)\?:/gm), "lang"].sort());
});

test("each attribute is a property, and the other way round", async () => {
  const tab = await open("/exposed");
  const lines = await tab.evaluate(() => {
    const node = document.createElement("askance-question");
    const texts = ["accent", "fingerprint", "level", "name", "question", "size", "src"].map((name) => {
      node[name] = "3";
      const written = node.getAttribute(name);
      node.setAttribute(name, "4");
      const read = node[name];
      if (name !== "name") node[name] = null;
      return [name, written, read, name === "name" || !node.hasAttribute(name)].join();
    });
    const flags = ["disabled", "exposed", "given", "preview", "required"].map((name) => {
      node[name] = true;
      const written = node.getAttribute(name);
      node.removeAttribute(name);
      return [name, written, node[name]].join();
    });
    return [...texts, ...flags, node.ready];
  });
  assert.deepEqual(lines.filter((line) => !/^\w+,3,4,true$|^\w+,,false$/.test(line)), [null]);
});

test("another question is asked where the attribute says so, and the same once, however many change", async () => {
  const tab = await open("/exposed");
  await tab.evaluate(answerAll, 0);
  const first = await seen(tab);
  assert.deepEqual([first.title, first.answered, first.valid], [titleOf("any_affair"), true, true]);
  site.asked.length = 0;
  await set(tab, { level: "3", question: "religious", required: true, src: "/marriage.json?again" });
  assert.deepEqual(await seen(tab), { title: titleOf("religious"), value: null, answered: false, valid: false, sent: [] });
  assert.deepEqual(site.asked, ["/marriage.json"]);
  await set(tab, { question: "any_affair" });
  assert.deepEqual(await seen(tab), first, "what is given in this tab stays given");
  await set(tab, { src: "/nowhere.json" });
  assert.deepEqual([(await told(tab)).refusals, (await seen(tab)).sent], [[["any_affair", "unreachable"]], []]);
  await set(tab, { src: "/marriage.json" });
  assert.deepEqual([await seen(tab), tab.faults], [first, []]);
});

test("of two changes the later counts, though the earlier takes longer", async () => {
  const tab = await open("/exposed");
  await tab.evaluate(async () => {
    const [node] = document.querySelectorAll("askance-question");
    const { fetch } = window;
    window.fetch = (address, options) => new Promise((done) => setTimeout(done, address.endsWith("?slow") ? 300 : 0)).then(() => fetch(address, options));
    Object.assign(node, { question: "religious", src: "/marriage.json?slow" });
    const slow = node.ready;
    await new Promise((done) => setTimeout(done, 50));
    Object.assign(node, { question: "any_affair", src: "/marriage.json" });
    await node.ready;
    await slow;
    await new Promise((done) => setTimeout(done, 400));
  });
  assert.deepEqual([(await seen(tab)).title, (await told(tab)).refusals, tab.faults], [titleOf("any_affair"), [], []]);
});

test("required and disabled are followed, of a group of controls, too", async () => {
  const tab = await open("/exposed");
  const states = await tab.evaluate(() => {
    const [node] = document.querySelectorAll("askance-question");
    const state = () => [node.validity.valueMissing, node.validity.customError, node.willValidate, [...node.shadowRoot.querySelectorAll("input, button")].every(({ disabled }) => disabled)].map(Number).join("");
    const lines = [state()];
    const tried = (change) => {
      change();
      lines.push(state());
    };
    tried(() => (node.required = false));
    tried(() => node.setCustomValidity("Not yet"));
    lines.push(node.validationMessage);
    tried(() => node.setCustomValidity(""));
    tried(() => (node.required = true));
    tried(() => (node.disabled = true));
    tried(() => (node.disabled = false));
    const group = document.createElement("fieldset");
    node.replaceWith(group);
    group.append(node);
    tried(() => (group.disabled = true));
    tried(() => (group.disabled = false));
    return lines;
  });
  assert.deepEqual(states, ["1010", "0010", "0110", "Not yet", "0010", "1010", "1001", "1010", "1001", "1010"]);
});

test("its labels are its page's, and lead into it", async () => {
  const tab = await open("/exposed");
  const labels = await tab.evaluate(() => [...document.querySelector("askance-question").labels].map(({ textContent }) => textContent));
  assert.deepEqual(labels, ["About you"]);
  await tab.click("label[for=it]");
  assert.equal(await tab.evaluate(() => document.activeElement.id), "it");
});

test("in another language what was chosen and typed stays, and the focus", async () => {
  const tab = await open("/german");
  const lines = await tab.evaluate(() => [...document.querySelectorAll("askance-question")].map((node) => {
    const controls = () => [...node.shadowRoot.querySelectorAll("input, textarea")];
    const [first] = controls();
    if (["radio", "checkbox"].includes(first.type)) first.click();
    else Object.assign(first, { value: "8" }).dispatchEvent(new Event("input", { bubbles: true }));
    first.focus();
    const before = controls().map(({ checked, value }) => [checked, value].join());
    const title = node.shadowRoot.querySelector("h1").textContent;
    node.lang = "de";
    const now = controls().map(({ checked, value }) => [checked, value].join());
    return [title !== node.shadowRoot.querySelector("h1").textContent, before.join() === now.join(), node.shadowRoot.activeElement === controls()[0]];
  }));
  assert.deepEqual(lines, evening.form.questions.map(() => [true, true, true]));
});

test("it follows the language of what is around it", async () => {
  const tab = await open("/exposed-german");
  const titles = () => tab.evaluate(() => [...document.querySelectorAll("askance-question")].map((node) => node.shadowRoot.querySelector("h1").textContent));
  const inLanguage = (tag) => evening.form.questions.map(({ text }) => text[tag]);
  assert.deepEqual(await titles(), inLanguage("en"));
  await tab.evaluate(() => {
    document.documentElement.lang = "de";
  });
  assert.deepEqual(await titles(), inLanguage("de"));
  await tab.evaluate(() => {
    document.querySelector("form").lang = "en";
  });
  assert.deepEqual(await titles(), inLanguage("en"));
});

test("a reset of the form takes back what was chosen and not given, and draws nothing anew", async () => {
  const tab = await open("/exposed");
  const [checked, isSame] = await tab.evaluate(() => {
    const { shadowRoot } = document.querySelector("askance-question");
    const kept = JSON.stringify(sessionStorage);
    shadowRoot.querySelector("[type=radio]").click();
    document.querySelector("form").reset();
    return [shadowRoot.querySelectorAll(":checked").length, kept === JSON.stringify(sessionStorage)];
  });
  assert.deepEqual([checked, isSame], [0, true]);
  const wall = await open("/wall");
  const [frame] = await framesIn(wall);
  await frame.evaluate(() => document.querySelector("[type=radio]").click());
  const old = wall.frames();
  await wall.evaluate(() => document.querySelector("form").reset());
  const anew = await wall.waitForFrame((one) => !old.includes(one));
  await anew.waitForFunction(() => document.querySelector("h1"));
  assert.equal(await anew.evaluate(() => document.querySelectorAll(":checked").length), 0);
  await answerFrames(wall, 0);
  assert.deepEqual([(await told(wall)).reports.length, wall.faults], [1, []]);
});

for (const path of ["/exposed", "/wall"]) {
  test(`what its page has of another day is its value, and is not asked again: ${path}`, async () => {
    const tab = await open(path);
    const begun = await tab.evaluate(() => JSON.stringify(sessionStorage));
    await set(tab, { value: { any_affair: "yes", town: "north" } });
    const { title: _, ...restored } = await seen(tab);
    assert.deepEqual(restored, { value: { any_affair: "yes" }, answered: true, valid: true, sent: [["any_affair", "yes"]] });
    assert.equal(await tab.evaluate(() => document.querySelector("askance-question").report), null);
    await tab.evaluate(() => document.querySelector("askance-question").setAttribute("value", '{"any_affair":"no"}'));
    assert.deepEqual((await seen(tab)).sent, [["any_affair", "no"]]);
    await set(tab, { value: null });
    assert.deepEqual([(await seen(tab)).sent, (await seen(tab)).valid], [[], false]);
    assert.equal(await tab.evaluate(() => JSON.stringify(sessionStorage)), begun, "nothing is drawn or kept by this");
    if (path === "/wall") await answerFrames(tab, 0);
    else await tab.evaluate(answerAll, 0);
    const given = await seen(tab);
    await set(tab, { value: { any_affair: given.value.any_affair === "yes" ? "no" : "yes" } });
    await set(tab, { value: null });
    assert.deepEqual([await seen(tab), (await told(tab)).reports.length, tab.faults], [given, 1, []], "what is given here is not replaced");
    const wrong = await tab.evaluate(() => ["yes", 3, []].map((value) => {
      try {
        document.querySelector("askance-question").value = value;
        return "";
      } catch (error) {
        return error.name;
      }
    }));
    assert.deepEqual(wrong, ["TypeError", "TypeError", "TypeError"]);
  });
}

test("what the browser restores is the report, and never an answer", async () => {
  const state = JSON.stringify({ form: marriage.fingerprint, question: "any_affair", cells: { any_affair: "no" } });
  const tab = await open("/exposed");
  const restored = [];
  for (const [text, mode] of [[state.replace(marriage.fingerprint, "0".repeat(64)), "restore"], [state.replace("any_affair", "religious"), "restore"], ["{", "restore"], [state, "autocomplete"], [state, "restore"]]) {
    await tab.evaluate((...given) => document.querySelector("askance-question").formStateRestoreCallback(...given), text, mode);
    restored.push((await seen(tab)).value);
  }
  assert.deepEqual(restored, [null, null, null, null, { any_affair: "no" }]);
  assert.deepEqual((await told(tab)).reports, [], "its page has it already");
});

test("who goes back, where nothing can be kept in the tab, has given what they gave", async () => {
  const tab = await open("/exposed", 'Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("no", "SecurityError"); } });');
  await tab.evaluate(answerAll, 0);
  const given = await seen(tab);
  await tab.goto(`${site.url}/json`);
  await tab.evaluate(() => setTimeout(() => history.back()));
  await tab.waitForFunction(() => location.pathname === "/exposed" && Boolean(document.querySelector("askance-question")?.ready));
  await tab.evaluate(settled);
  assert.deepEqual([await seen(tab), await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("button.main"))], [given, null]);
});

test("what was set before the script came counts", async () => {
  const tab = await open("/early");
  assert.equal((await seen(tab)).title, titleOf("religious"));
  assert.equal(await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("button.main").disabled), true);
});

const WAITING = 'window.waiting = new Set(); { const { setTimeout: begin, clearTimeout: end } = window; window.setTimeout = (...given) => { const timer = begin(...given); if (given[1] === 30000) waiting.add(timer); return timer; }; window.clearTimeout = (timer) => { waiting.delete(timer); end(timer); }; }';

test("what has gone from its page before it was asked waits for nothing, and asks once it is back", async () => {
  const tab = await open("/wall", WAITING);
  await framesIn(tab);
  const waits = await tab.evaluate(async () => {
    const [node] = document.querySelectorAll("askance-question");
    const before = waiting.size;
    node.question = "religious";
    await new Promise((done) => requestAnimationFrame(done));
    const during = waiting.size;
    window.gone = node;
    node.remove();
    return [before, during, waiting.size];
  });
  assert.deepEqual(waits, [0, 1, 0]);
  await tab.evaluate(() => document.querySelector("form").append(gone));
  await answerFrames(tab, 0);
  assert.deepEqual([(await told(tab)).reports.map(({ question }) => question), await tab.evaluate(() => waiting.size), tab.faults], [["religious"], 0, []]);
});

test("disabled, a frame takes no answer", async () => {
  const tab = await open("/wall");
  await set(tab, { disabled: true });
  assert.equal(await tab.evaluate(() => document.querySelector("askance-question").shadowRoot.querySelector("iframe").inert), true);
  await set(tab, { disabled: false });
  await answerFrames(tab, 0);
  assert.equal((await told(tab)).reports.length, 1);
});

for (const [path, reason] of [["/inline", "exposed"], ["/json", "exposed"], ["/isolated-exposed", "form"]]) {
  test(`a question is asked on the page itself only where the tag and the script say so: ${path}`, async () => {
    const tab = await open(path);
    const { refusals, reports } = await told(tab);
    assert.deepEqual([refusals, reports, await tab.evaluate(() => Object.keys(sessionStorage))], [[["any_affair", reason]], [], []]);
  });
}

const COUNTED = 'window.words = 0; { const { getRandomValues } = crypto; crypto.getRandomValues = function (...given) { words += 1; return getRandomValues.apply(this, given); }; }';

test("a preview shows every question as people see it, draws nothing, and sends nothing", async () => {
  const tab = await open("/preview", COUNTED);
  const NOTE = "Preview for authors: nothing is drawn by chance, and nothing is sent.";
  assert.equal(await tab.evaluate(() => words), 0);
  const lines = await tab.evaluate(() => [...document.querySelectorAll("askance-question")].map(({ shadowRoot: root, validity }) => {
    const [first] = root.querySelectorAll("input, textarea");
    if (["radio", "checkbox"].includes(first.type)) first.click();
    else Object.assign(first, { value: "8" }).dispatchEvent(new Event("input", { bubbles: true }));
    root.querySelector("button.main").click();
    return [root.querySelector(".for-authors").textContent, root.querySelector("h1").textContent, validity.valid];
  }));
  assert.deepEqual(lines, ranges.form.questions.map(({ text }) => [NOTE, text.en, true]));
  const { reports, refusals, values } = await told(tab);
  assert.deepEqual([reports, refusals, values, await tab.evaluate(() => Object.keys(sessionStorage)), tab.faults], [[], [], [], [], []]);
  assert.deepEqual(await faults(tab), []);
  await shoot(tab, "preview", 740, 360);
});

test("a preview in the frame draws nothing, and sends nothing", async () => {
  const tab = await open("/preview-wall");
  const frames = await framesIn(tab);
  assert.equal(frames.length, ranges.form.questions.length);
  for (const frame of frames) {
    assert.match(await frame.evaluate(() => document.querySelector("main").textContent), /^Preview for authors/);
    await frame.evaluate(() => {
      document.querySelectorAll("[type=radio]")[0]?.click();
      document.querySelector("button.main").click();
    });
  }
  await shoot(tab, "preview-wall", 740, 360);
  await tab.evaluate(settled);
  const { reports, refusals, values } = await told(tab);
  assert.deepEqual([reports, refusals, values, await tab.evaluate(() => [document.querySelector("form").checkValidity(), Object.keys(sessionStorage)])], [[], [], [], [true, []]]);
});
