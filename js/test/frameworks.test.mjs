// <askance-question> in an app of React, of Vue and of Svelte, as npm has them: one browser for all.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { FORMS, answerFrames, framesOf, launch, open as openAt, serve, textOf } from "./browser.mjs";
import { bundled } from "./frameworks/bundle.mjs";

const { form, fingerprint } = FORMS.marriage;
const APPS = { react: "react.tsx", vue: "vue.js", svelte: "svelte.js" };
const titleOf = (name) => form.questions.find((one) => one.name === name).text.en;

let browser;
let site;

before(async () => {
  const scripts = await Promise.all(Object.values(APPS).map(bundled));
  const pages = Object.keys(APPS).map((name, at) => [`/${name}`, (nonce) => `<!DOCTYPE html><html lang="en"><title>${name}</title><main><h1>Study</h1><div id="app"></div></main><script type="module" nonce="${nonce}">${scripts[at].replaceAll("</script", "<\\/script")}</script></html>`]);
  [browser, site] = await Promise.all([launch(), serve({ ...Object.fromEntries(pages), ...framesOf({ marriage: textOf("marriage") }) })]);
});

after(async () => {
  await browser?.close();
  site?.close();
});

// What is seen of the app, once the element shows the question.
async function seen(tab, title) {
  await tab.waitForFunction((wanted) => {
    const root = document.querySelector("askance-question")?.shadowRoot;
    return root?.querySelector("iframe")?.title === wanted;
  }, {}, title);
  return tab.evaluate(() => {
    const node = document.querySelector("askance-question");
    const { inert } = node.shadowRoot.querySelector("iframe");
    return { inert, valid: document.querySelector("form").checkValidity(), answered: node.matches(":state(answered)"), sent: Object.fromEntries(new FormData(document.querySelector("form"))), kept: JSON.parse(document.querySelector("output").textContent) };
  });
}

for (const name of Object.keys(APPS)) {
  test(`an app of ${name} asks, follows its state, and keeps the report`, async () => {
    const tab = await openAt(browser, `${site.url}/${name}?src=/frame/marriage&fingerprint=${fingerprint}`);
    const asked = { inert: false, valid: false, answered: false, sent: {}, kept: {} };
    assert.deepEqual(await seen(tab, titleOf("any_affair")), asked);
    for (const inert of [true, false]) {
      await tab.click("#disable");
      await tab.waitForFunction((wanted) => document.querySelector("askance-question").shadowRoot.querySelector("iframe").inert === wanted, {}, inert);
    }
    await answerFrames(tab, 0);
    await tab.waitForFunction(() => document.querySelector("output").textContent !== "{}");
    const report = await tab.evaluate(() => ({ ...document.querySelector("askance-question").report.cells }));
    assert.deepEqual(await seen(tab, titleOf("any_affair")), { inert: false, valid: true, answered: true, sent: report, kept: report });
    await tab.click("#other");
    assert.deepEqual(await seen(tab, titleOf("religious")), { ...asked, kept: report });
    await tab.click("#restore");
    await tab.waitForSelector("askance-question:state(answered)");
    await tab.evaluate(() => document.querySelector("askance-question").ready);
    assert.deepEqual(await seen(tab, titleOf("religious")), { inert: false, valid: true, answered: true, sent: { religious: "very" }, kept: report });
    await tab.evaluate(() => dispatchEvent(new Event("leave")));
    await tab.waitForFunction(() => !document.querySelector("askance-question"));
    assert.deepEqual(tab.faults, []);
  });
}
