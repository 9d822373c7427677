// A browser, and pages of this package in it: for the tests that need a real one. It is a Chromium, or the
// Firefox whose program FIREFOX names.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

import { canonical, cellsOf } from "askance";
import puppeteer from "puppeteer-core";

// First the one without windows, which opens a page for half of the work.
const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);
const PACKAGE = new URL("../dist/", import.meta.url);
const VECTORS = new URL("../../src/askance_collect/wire/vectors/", import.meta.url);
const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf-8");

// The forms of the vectors: the text of each and its fingerprint.
export const FORMS = Object.fromEntries(
  ["1", "2"].flatMap((version) => JSON.parse(readFileSync(new URL(`${version}/forms.json`, VECTORS), "ascii")).good).map((one) => [one.name, one]),
);

export const sha256 = (text) => createHash("sha256").update(text).digest("hex");

// The form with images, of something that can be seen.
const DOT = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#7a1fa2"/></svg>')}`;
export const SEEN = canonical({ ...FORMS.images.form, images: FORMS.images.form.images.map((one) => ({ ...one, image: DOT })) });

const NONE = {};
// In milliseconds: what takes longer never comes.
const PATIENCE = 60000;

// The frames of forms, each as a collector serves it: a page with headers of its own.
export function framesOf(texts) {
  const script = `import json, sys
from askance_collect.respond import render_frame
from askance_collect.wire import Form
frames = {name: render_frame(Form.read(text)) for name, text in json.load(sys.stdin).items()}
json.dump({name: [one.bytes.decode(), dict(one.headers)] for name, one in frames.items()}, sys.stdout)`;
  const python = new URL("../../.venv/bin/python", import.meta.url);
  const told = execFileSync(python.pathname, ["-c", script], { input: JSON.stringify(texts), maxBuffer: 2 ** 26 });
  return Object.fromEntries(
    Object.entries(JSON.parse(told)).map(([name, [text, headers]]) => [`/frame/${name.replaceAll(" ", "-")}`, Object.assign(() => text, { headers })]),
  );
}

export async function launch() {
  const firefox = process.env.FIREFOX;
  if (firefox) return puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true, protocolTimeout: PATIENCE });
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find(existsSync);
  if (!executablePath) throw new Error("Chromium is not installed (Debian: chromium): the element cannot be tested");
  return puppeteer.launch({ executablePath, headless: true, protocolTimeout: PATIENCE, args: ["--no-sandbox", "--disable-gpu"] });
}

// Serve pages, each a function of the nonce that its policy asks for, and beside them the package and, of
// other packages, the files whose style is then theirs.
export async function serve(pages, files = NONE) {
  const nonce = "c2VjcmV0";
  const styles = files === NONE ? "'none'" : "'self'; font-src data:";
  const asked = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    asked.push(pathname);
    const file = files[pathname] ?? new URL(`.${pathname.replace("/askance", "")}`, PACKAGE);
    if (pages[pathname]) {
      const policy = pages[pathname].policy ?? `default-src 'none'; script-src 'nonce-${nonce}' 'self'; connect-src 'self'; frame-src 'self'; img-src ${pages[pathname].images ?? "data:"}; style-src ${pages[pathname].styles ? `'nonce-${nonce}'` : styles}`;
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy, ...pages[pathname].headers });
      response.end(pages[pathname](nonce));
    } else if ((files[pathname] || pathname.startsWith("/askance/")) && existsSync(file)) {
      const kind = /\.(html|css)$/.exec(pathname)?.[1] ?? "javascript";
      response.writeHead(200, { "Content-Type": `text/${kind}; charset=utf-8` });
      response.end(readFileSync(file));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, asked, close: () => server.close() };
}

// What axe has against a page, closed roots included.
export async function faults(page) {
  await page.evaluate(`if (!window.axe) { ${AXE} }`);
  return page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => [id, nodes[0].html]);
  });
}

// What a screen reader is told: for each role the names of what has it. Only Chromium tells tests.
const NAMED = ["radio", "checkbox", "textbox", "group", "radiogroup", "button", "combobox", "heading", "image", "DisclosureTriangle"];

export async function heard(tab) {
  const session = await tab.createCDPSession();
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const told = nodes.filter(({ ignored, role }) => !ignored && NAMED.includes(role?.value));
  return told.map(({ role, name }) => [role.value, (name?.value ?? "").replaceAll(/\s+/g, " ").trim()]);
}

export const textOf = (name) => canonical(FORMS[name].form);

// Answer the question of a frame, its narrower steps and all.
export const answerFrame = (place, typed = "") => {
  for (let step = 0; step < 40; step += 1) {
    const give = document.querySelector("button.main");
    if (!give) return;
    const [number, boxes] = [document.querySelector("input.number, textarea"), [...document.querySelectorAll("[type=radio], [type=checkbox]")]];
    if (number && !number.closest(".revealed")) {
      number.value = number.classList.contains("words") ? "tea" : typed;
      number.dispatchEvent(new Event("input", { bubbles: true }));
    } else boxes[Math.min(place, boxes.length - 2)].click();
    give.click();
    if (document.querySelector(".complaint")?.textContent) throw new Error(document.querySelector(".complaint").textContent);
  }
};

// The frames of a page, once they ask or say why not; and all of their questions answered, whose reports came.
export const framesIn = async (tab, count = 1) => {
  await tab.waitForFunction((all) => document.querySelectorAll("askance-question").length >= all, {}, count);
  const frames = tab.frames().slice(1);
  await Promise.all(frames.map((frame) => frame.waitForFunction(() => document.querySelector("h1, .complaint"))));
  return frames;
};

export async function answerFrames(tab, place, typed) {
  for (const frame of await framesIn(tab)) await frame.evaluate(answerFrame, place, typed);
  await tab.waitForFunction(() => [...document.querySelectorAll("askance-question")].every(({ report }) => report));
}

const asked = (name) => FORMS[name].form.questions.map((question) => question.name);

// A number of each question's line, as it is typed.
export const numbersOf = ({ questions }) =>
  Object.fromEntries(questions.filter(({ line }) => line).map(({ name, line }) => [name, cellsOf({ kind: "number", line }, Math.ceil(line.ticks / 2))[0]]));


// What the page's policy has refused. Firefox asks by itself for a sign of the page.
export const WATCH = 'addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => blockedURI.endsWith("/favicon.ico") || violations.push(violatedDirective));';

// Elements of a form on one page, in a form of the page's own, with the events that came.
export const page = (name, { questions = asked(name), extra = "", script = "question", fingerprint = FORMS[name].fingerprint, inline = false, hostile = "", style = "" } = {}) =>
  (nonce) => `<!DOCTYPE html><html lang="en"><title>Study</title>${style}
<script nonce="${nonce}">${hostile}</script>
<script type="module" nonce="${nonce}" src="/askance/${script}.js"></script>
<script nonce="${nonce}">
window.reports = []; window.refusals = []; window.violations = []; window.heard = [];
addEventListener("askance-report", ({ detail }) => reports.push(detail));
addEventListener("askance-refused", ({ target, detail }) => refusals.push([target.getAttribute("question"), detail.reason]));
${WATCH}
for (const kind of ["click", "input", "keydown", "pointerdown"]) document.addEventListener(kind, () => heard.push(kind));
</script>
<main><h1>Study</h1><form>${questions
    .map((question) => `<askance-question question="${question}" fingerprint="${fingerprint}" ${inline ? "" : `src="${script === "isolated" ? `/frame/${name.replaceAll(" ", "-")}` : `/${encodeURIComponent(name)}.json`}"`} ${script === "isolated" ? "" : "exposed"} ${extra}>${inline ? textOf(name) : ""}</askance-question>`)
    .join("\n")}</form></main></html>`;

// A tab of its own, with whatever the page's own scripts did before all others. Closed roots are opened:
// so could any page, and so must these tests.
export async function open(browser, address, first = "") {
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  tab.faults = [];
  tab.on("pageerror", (error) => /Content-Security-Policy/.test(error) || tab.faults.push(String(error)));
  await tab.evaluateOnNewDocument(`{ const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (how) { return attach.call(this, { ...how, mode: "open" }); }; } ${first}`);
  await tab.goto(address);
  await tab.evaluate(settled);
  return tab;
}

export const settled = async () => {
  await customElements.whenDefined("askance-question");
  const nodes = [...document.querySelectorAll("askance-question")];
  await Promise.all(nodes.map((node) => node.ready));
  const images = nodes.flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll("img") ?? [])]);
  await Promise.allSettled(images.map((one) => one.decode()));
};

// Choose the answer at a place on each question that still asks, and give it, narrower steps and all.
export const answerAll = (place, numbers = {}) => {
  for (const node of document.querySelectorAll("askance-question")) {
    for (let step = 0; step < 40 && node.report === null; step += 1) {
      const root = node.shadowRoot;
      const give = root.querySelector("button.main");
      if (!give) break;
      const [number, boxes] = [root.querySelector("input.number, textarea"), [...root.querySelectorAll("[type=radio], [type=checkbox]")]];
      const typed = number && !number.closest(".revealed");
      if (typed) {
        number.value = number.classList.contains("words") ? "tea" : numbers[node.getAttribute("question")];
        number.dispatchEvent(new Event("input", { bubbles: true }));
      } else boxes[Math.min(place, boxes.length - 2)].click();
      give.click();
      if (root.querySelector(".complaint")?.textContent) throw new Error(`${node.getAttribute("question")}: ${root.querySelector(".complaint").textContent}`);
    }
  }
};

export const told = (tab) => tab.evaluate(() => ({ reports, refusals, violations, heard, values: [...new FormData(document.querySelector("form"))] }));

// A picture for the documentation, where somebody asks for it.
export async function shoot(tab, name, height, width = 640) {
  if (!process.env.PICTURES) return;
  await tab.setViewport({ width, height });
  await tab.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
}

// A form as it is in Arabic, which is written from right to left: its texts stay what they are.
const arabic = JSON.parse(JSON.stringify(FORMS.marriage.form).replaceAll('"en":', '"ar":').replace('["en"]', '["ar"]'));
export const ARABIC = { form: arabic, fingerprint: sha256(canonical(arabic)) };
export const SPEAK_ARABIC = 'import words from "/askance/languages/ar.js"; customElements.get("askance-question").speak("ar", words);';

// What is wrong on a telephone: what axe has against it, and what reaches over the screen or its element.
export async function onTelephone(tab) {
  await tab.setViewport({ width: 360, height: 740 });
  const wider = await tab.evaluate(() => {
    const bodies = [...document.querySelectorAll("askance-question")].map((node) => node.shadowRoot.querySelector(".body")).filter(Boolean);
    const over = (node, left, right) => node.getBoundingClientRect().left < left || node.getBoundingClientRect().right > right;
    const inside = (body) => [...body.querySelectorAll("*")].filter((node) => over(node, body.getBoundingClientRect().left - 4, body.getBoundingClientRect().right + 4));
    return [document.documentElement.scrollWidth > 360, bodies.some((body) => over(body, 8, 352) || inside(body).length > 0)];
  });
  const framed = await Promise.all(tab.frames().slice(1).map((frame) => frame.evaluate(() => document.documentElement.scrollWidth > innerWidth)));
  return [await faults(tab), [wider[0] || framed.includes(true), wider[1]]];
}
