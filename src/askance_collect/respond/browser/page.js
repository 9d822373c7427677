// The page: whether it may be used, and then the visit that it opens.

import { openDraft } from "./draft.js";
import { partOf } from "./element.js";
import { endingScreen } from "./endings.js";
import { readForm } from "./form.js";
import { pageSpeech, preferredLanguage } from "./header.js";
import { showNodes } from "./screen.js";
import { destination, isPrivate, sha256 } from "./send.js";
import { openVisit } from "./visit.js";
import { NAMES } from "./words.js";

/**
 * `expected` is the fingerprint of the form that the page was made with.
 *
 * @param {string} expected
 */
export async function start(expected) {
  const form = await usable(partOf("form").textContent, expected);
  if (typeof form === "string") return stop(form);
  // A page that the back button would bring back as it was left starts anew: its answers are not kept.
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  return openVisit(form, expected, openDraft(form, expected, () => window.sessionStorage));
}

/**
 * Whoever changed the questions may have changed the contact. The languages are those that the page itself has
 * words of: its form may not have been read.
 *
 * @param {string} reason
 */
function stop(reason) {
  const contact = partOf("contact");
  contact.className = "";
  if (reason === "changed") contact.remove();
  const languages = [document.documentElement.lang, ...Object.keys(NAMES)];
  showNodes(endingScreen(reason, { speech: pageSpeech(preferredLanguage(languages)) }), true);
}

/**
 * The form, read once; or, in a word, why this page must not be used.
 *
 * @param {string} text
 * @param {string} expected
 */
async function usable(text, expected) {
  if (location.protocol !== "file:" && !isPrivate(location)) return "unsafe";
  if (!globalThis.crypto?.subtle) return "chance";
  if ((await sha256(text)) !== expected) return "changed";
  try {
    const form = readForm(text);
    // The origin of a saved page and of a sandboxed frame: no collector can tell the two apart.
    if (origin === "null" && !form.saved) return "homeless";
    return isPrivate(destination(form, location.href)) ? form : "unsafe";
  } catch {
    return "changed";
  }
}
