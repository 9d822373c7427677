// Somebody visits pages in Firefox, driven by WebDriver BiDi, as a test says: node visits.mjs FIREFOX
// Reads a line of JSON for each step: `open` an address, `press` keys, `doubleClick` a selector, wait `until` an expression is true, and
// `tell` what another is. Prints a line of JSON for each: what it is, or why the step failed.

import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const PATIENCE = 20000;
const [binary] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: binary,
  headless: true,
  extraPrefsFirefox: { "intl.accept_languages": "en" },
});
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  for await (const line of createInterface({ input: process.stdin })) {
    const step = JSON.parse(line);
    const told = await take(page, step).catch((error) => ({ failed: String(error) }));
    console.log(JSON.stringify(told));
  }
} finally {
  await browser.close();
}

async function take(page, { open, press = [], doubleClick, until, tell }) {
  if (open) await page.goto(open);
  for (const key of press) await page.keyboard.press(key);
  if (doubleClick) await page.click(doubleClick, { count: 2 });
  if (until) await page.waitForFunction(until);
  return { told: (await page.evaluate(tell ?? "null")) ?? null };
}
