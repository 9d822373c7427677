// Somebody takes a survey in Firefox, driven by WebDriver BiDi: node firefox.mjs FIREFOX AXE URL LANGUAGE
// Where a survey offers it, they put it away at the second question, and go on by the code.
// Prints what was on each screen, what was shown as the message, what was sent, and what stayed behind.

import { readFile } from "node:fs/promises";
import puppeteer from "puppeteer-core";

const [binary, axe, url, language] = process.argv.slice(2);
const MOST = 120;
const checker = await readFile(axe, "utf8");
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: binary,
  headless: true,
  extraPrefsFirefox: { "intl.accept_languages": language, "ui.prefersReducedMotion": 1 },
});
const told = { screens: [], shown: null, posts: 0, strangers: [], said: [], kept: null, receipt: null, away: null };
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 740 });
  page.on("console", (line) => told.said.push(line.text()));
  page.on("pageerror", (error) => told.said.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) told.strangers.push(request.url());
    if (request.method() === "POST") told.posts += 1;
  });
  await page.goto(url);
  await page.waitForSelector("h1");
  await walk(page);
  told.receipt = await page.$$eval(".receipt dd", (nodes) => nodes.map(({ textContent }) => textContent));
  told.kept = await page.evaluate(() => ({ ...sessionStorage, ...localStorage, cookie: document.cookie }));
} finally {
  await browser.close();
}
console.log(JSON.stringify(told));

async function walk(page) {
  for (let at = 0; at < MOST; at += 1) {
    await page.waitForFunction(() => !document.querySelector("main [aria-disabled=true]"));
    told.screens.push(await look(page));
    if (await page.$(".receipt")) return;
    told.away ??= await page.evaluate(code);
    const asked = told.screens.filter((screen) => screen.asked).length;
    if (told.screens.at(-1).asked && asked === 2 && (await page.evaluate(leave))) continue;
    const { shown, bytes } = await page.evaluate(answer);
    told.shown = bytes ?? told.shown;
    await page.evaluate(press);
    await page.waitForFunction((before) => document.getElementById("main").innerText !== before, {}, shown);
  }
  throw new Error(`no receipt after ${MOST} presses`);
}

// What axe has against a screen with all of it unfolded, and whether it is wider than the window.
async function look(page) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((node) => (node.open = true)));
  await page.evaluate(`if (!window.axe) { ${checker} }`);
  return page.evaluate(async () => {
    const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
    return {
      title: document.querySelector("h1").innerText,
      asked: document.querySelector(".step") !== null,
      broken: violations.map(({ id, nodes }) => [id, nodes[0].html]),
      passes: passes.length,
      wide: document.documentElement.scrollWidth > innerWidth,
    };
  });
}

// Turn to what puts a visit away, where that is offered; say whether it is.
function leave() {
  const later = document.getElementById("later");
  later?.click();
  return later !== null;
}

// The code by which to go on, with what this browser keeps meanwhile.
function code() {
  const shown = document.querySelector("p.away")?.textContent;
  return shown ? { code: (window.code = shown), tab: { ...sessionStorage }, lasting: { ...localStorage } } : null;
}

// Answer what a screen asks: the first choice or box; a number that fits anywhere; and where a person is shown
// what is sent on request alone, request it.
function answer() {
  const main = document.getElementById("main");
  const complains = (main.querySelector(".complaint")?.innerText ?? "") !== "";
  const set = (node, value) => {
    node.value = value;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const isShown = (node) => node.checkVisibility();
  const fields = [...main.querySelectorAll("fieldset:not(:disabled) :is(input, textarea), #door ~ * input")];
  const radios = fields.filter(({ type }) => type === "radio");
  if (main.querySelector("#door")) main.querySelector("input[type=checkbox]").click();
  if (radios.length > 0 && (complains || radios.length > 1)) radios.at(complains ? -1 : 0).click();
  if (!complains) fields.filter((node) => ["text", "textarea"].includes(node.type) && isShown(node)).forEach((node) => set(node, "30"));
  const boxes = fields.filter((node) => node.type === "checkbox" && node.closest("fieldset"));
  if (!boxes.some((node) => node.checked)) boxes[0]?.click();
  main.querySelector(".outcome button")?.click();
  if (main.querySelector("input.away")) set(main.querySelector("input.away"), window.code.toLowerCase());
  const { innerText: shown } = main;
  return { shown, bytes: main.querySelector("pre.bytes")?.textContent };
}

function press() {
  const main = document.getElementById("main");
  const asks = main.querySelector("section.item.given") && !main.querySelector("pre.bytes");
  const lone = [...main.querySelectorAll(".buttons")].find((row) => row.childElementCount === 1);
  const request = asks && lone ? lone.firstElementChild : null;
  const onward = [...main.querySelectorAll("button.main")].find((node) => node.checkVisibility());
  (request ?? onward).click();
}
