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
export function tellFault(visit) {
  if (visit.state.ending || !visit.speech) return;
  const { words } = visit.speech;
  partOf("fault")?.remove();
  const line = Object.assign(complaintLine(), { id: "fault", textContent: `${words.broken}. ${words.brokenHint}` });
  partOf("main").prepend(line);
  line.scrollIntoView({ block: "center" });
}

/**
 * The page's policy lets no script run but its own, and those of a browser's extensions fail in a world of theirs.
 *
 * @param {Visit} visit
 * @param {AbortController} controller
 */
export function watchFaults(visit, controller) {
  for (const event of ["error", "unhandledrejection"]) window.addEventListener(event, () => tellFault(visit), controller);
}
