// The bar at the top: the way out, and the languages where there are several. The picker stays the same element,
// so that it keeps the focus of whoever chooses with it. The contact stands at the end, one tap away.

import { button, element, foldOut, paragraphs, partOf } from "./element.js";
import { hooks } from "./hooks.js";
import { speak } from "./speech.js";
import { NAMES } from "./words.js";

/**
 * The browser's languages choose among the form's; which one is never sent.
 *
 * @param {string[]} languages
 */
export function preferredLanguage(languages) {
  /** @param {string} tag */
  const short = (tag) => tag.split("-")[0];
  const candidates = navigator.languages.map((tag) => languages.find((language) => short(language) === short(tag)));
  return candidates.find(Boolean) ?? languages[0];
}

/**
 * The page is marked as in the language that it speaks.
 *
 * @param {any} lang
 */
export function pageSpeech(lang) {
  const speech = speak(lang);
  Object.assign(document.documentElement, { lang, dir: speech.direction });
  return speech;
}

/** @param {Visit} visit */
export function renderHeader(visit) {
  const { form, speech, leave, chooseLanguage } = visit;
  const bar = partOf("bar");
  const picker = bar.querySelector("select") ?? languagePicker(form.languages);
  for (const node of [...bar.children]) if (node !== picker) node.remove();
  if (form.languages.length > 1 && !picker.isConnected) bar.append(picker);
  picker.setAttribute("aria-label", speech.words.language);
  picker.value = speech.language;
  picker.onchange = () => chooseLanguage(picker.value);
  bar.append(button(speech.words.leave, leave, "leave"));
  renderContact(visit);
  hooks.renderHeader(bar, visit);
}

/**
 * What the window is called: after the screen that it shows, and the survey; for a question by its number alone. It
 * is the survey's title on all screens between the first and the last where some are passed over: browsers keep it.
 *
 * @param {Visit} visit
 * @param {HTMLElement} main
 * @returns {string}
 */
export function titleOf({ form, speech, state, steps }, main) {
  const title = speech.text(form.title);
  const isStep = !state.aside && !state.ending;
  if (isStep && (state.step === 0 || (form.skips && state.step < steps.length - 1))) return title;
  return `${(partOf("step") ?? main.querySelector("h1"))?.innerText} – ${title}`;
}

/** @param {Visit} visit */
function renderContact({ form, speech }) {
  const contact = partOf("contact");
  const text = speech.text(form.contact).trim();
  contact.className = "";
  contact.replaceChildren(...(text ? [foldOut(speech.words.contact, ...paragraphs(text))] : []));
}

/**
 * Whom to ask is shown before the first question and at the end, and between them to those who want to know.
 *
 * @param {State} state
 */
export function foldContact({ step, ending }) {
  partOf("contact").querySelector("details")?.toggleAttribute("open", step === 0 || ending !== undefined);
}

/** @param {string[]} languages */
function languagePicker(languages) {
  const options = languages.map((tag) => element("option", { value: tag, lang: tag }, NAMES[tag] ?? new Intl.DisplayNames([tag], { type: "language" }).of(tag)));
  return element("select", { autocomplete: "off" }, ...options);
}
