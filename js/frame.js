// The inside of an isolated question: one element, on a page that only its own policy lets do anything.
// How high it is is told twice, before it is touched and once it is given: in between that could tell
// what was chosen. What does not fit is scrolled to.

import "./kinds.js";
import { AskanceQuestion } from "./element.js";

AskanceQuestion.define();

addEventListener("message", ({ source, data, ports: [port] }) => {
  if (source !== parent || data?.askance !== "ask" || !port || document.querySelector("askance-question")) return;
  ask(data, port);
});

async function ask({ attributes, text, look, words }, port) {
  Object.entries(words).forEach(([language, own]) => AskanceQuestion.speak(language, own));
  const node = document.createElement("askance-question");
  [...attributes, ["required", ""]].forEach(([name, value]) => (value ?? null) !== null && node.setAttribute(name, value));
  node.textContent = text;
  dress(look);
  const tell = (more) => port.postMessage({ height: Math.ceil(document.documentElement.offsetHeight), ...more });
  node.addEventListener("askance-refused", ({ detail }) => port.postMessage({ refused: detail.reason }));
  node.addEventListener("askance-report", ({ detail }) => tell({ report: detail, told: node.label }));
  document.body.append(node);
  await node.ready;
  if (node.label) tell({ label: node.label, choose: node.validationMessage });
}

function dress(look) {
  const style = new CSSStyleSheet();
  style.replaceSync("body{margin:0}html{background:none}");
  document.adoptedStyleSheets = [style];
  look.forEach(([name, value]) => document.documentElement.style.setProperty(name, value));
}
