// What puts <askance-question> into the pages of others: they hold a form as an object or by its address.

import { canonical } from "../src/askance_collect/respond/browser/askance.js";

const TAG = "askance-question";

// What says of a question where it comes from, as a host's own description of it has it.
export const WHERE = ["form", "src", "fingerprint", "question", "exposed"];

// The element that asks it. What a host leaves out, or denies, it leaves out.
export function asked({ form, ...attributes }) {
  const node = document.createElement(TAG);
  Object.entries(attributes).forEach(([name, value]) => {
    if (value) node.setAttribute(name, value === true ? "" : value);
  });
  if (form) node.textContent = typeof form === "string" ? form : canonical(form);
  return node;
}

// Tell of the report once it is there: just given, or before in this tab. Of a refusal, why.
// Settled once the question is asked, unless it was given before.
export async function settled(node, take, refuse = () => {}) {
  node.addEventListener("askance-report", ({ detail }) => take(detail));
  node.addEventListener("askance-refused", ({ detail }) => refuse(detail));
  await customElements.whenDefined(TAG);
  await node.ready;
  if (node.report) take(node.report);
}

// The next person at the same device is asked anew.
export function forget() {
  customElements.get(TAG)?.forget();
}
