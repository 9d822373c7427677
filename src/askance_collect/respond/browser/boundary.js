// Where something on the page fails: what happened is said, what was entered stays, and there is a way on.

import { complaintLine } from "./controls.js";
import { button, buttons, heading, paragraph, partOf } from "./element.js";

/**
 * In the place of a screen that could not be rendered.
 *
 * @param {Visit} visit
 */
export function brokenNodes(visit) {
  const { state, draft, speech: { words } } = visit;
  const back = state.step > 0 && !draft.isBound() ? [button(words.back, visit.back)] : [];
  return [heading(words.broken), paragraph(words.brokenHint), buttons(...back, button(words.tryAgain, () => visit.show(), "main"))];
}

/**
 * Above a screen on which something failed after it was shown, which stays as it is.
 *
 * @param {Visit} visit
 */
function tellFault(visit) {
  const main = partOf("main");
  if (visit.state.ending || !main || !visit.speech) return;
  const { words } = visit.speech;
  partOf("fault")?.remove();
  const line = Object.assign(complaintLine(), { id: "fault", textContent: `${words.broken}. ${words.brokenHint}` });
  main.prepend(line);
}

/**
 * Of a script of this page: others, such as a browser's extensions, fail by themselves.
 *
 * @param {Visit} visit
 * @param {AbortController} controller
 */
export function watchFaults(visit, controller) {
  /** @param {any} parts */
  const isOwn = ({ filename }) => !filename || filename.split("#")[0] === location.href.split("#")[0];
  window.addEventListener("error", (event) => isOwn(event) && tellFault(visit), controller);
  window.addEventListener("unhandledrejection", () => tellFault(visit), controller);
}
