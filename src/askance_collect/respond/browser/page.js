// The visit: which screen is shown, in which language, and what becomes of the draft.

import { CHANCE, testChance } from "./askance.js";
import { button, element, paragraphs } from "./element.js";
import { openDraft } from "./draft.js";
import { endingScreen, receiptScreen } from "./endings.js";
import { NEWER, readForm } from "./form.js";
import { questionScreen } from "./questions.js";
import { reviewScreen } from "./review.js";
import { cardScreen, consentScreen, doorLine, practiceScreen } from "./screens.js";
import { ask, destination, isPrivate, sha256 } from "./send.js";
import { isProtected, speak } from "./speech.js";
import { NAMES } from "./words.js";

// `expected` is the fingerprint of the form that the page was made with.
export async function start(expected) {
  const form = await usable(document.getElementById("form").textContent, expected);
  if (typeof form === "string") return stop(form);
  // A page that the back button would bring back as it was left starts anew: its answers are not kept.
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  const visit = { form, fingerprint: expected, draft: openDraft(form, expected, () => window.sessionStorage) };
  return open(visit);
}

// Whoever changed the questions may have changed the contact. The languages are those that the page itself has
// words of: its form may not have been read.
function stop(reason) {
  const contact = document.getElementById("contact");
  contact.className = "";
  if (reason === "changed") contact.remove();
  const languages = [document.documentElement.lang, ...Object.keys(NAMES)];
  present(endingScreen(reason, { speech: pageSpeech(preferred(languages)) }));
}

// The form, read once; or, in a word, why this page must not be used.
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

export function open(visit) {
  let steps = [{ screen: consentScreen }];
  let at = 0;
  const ended = visit.draft.ending();
  let ending = ended ? [ended] : null;
  const show = () => present(ending ? end(visit, ending) : (visit.aside ?? steps[at].screen)(visit));
  // Someone who came from the review to change one answer goes straight back to it, and so does
  // whoever has seen what is sent.
  const go = (step, by) => {
    const next = NEWER.passed(steps, step, by, visit);
    at = visit.returning || visit.draft.isBound() ? steps.length - 1 : next;
    visit.returning = false;
    show();
  };
  Object.assign(visit, {
    show,
    forward() {
      if (at === 0) visit.draft.begin();
      go(at + 1, 1);
    },
    back: () => go(at - 1, -1),
    goTo(question) {
      go(steps.findIndex((step) => step.question === question));
      visit.returning = true;
    },
    bind() {
      visit.draft.bind();
      show();
    },
    retry(code) {
      visit.failed = code;
      show();
    },
    turnAway(word) {
      ending = [word];
      show();
    },
    finish(name, receipt) {
      visit.draft.erase(name);
      ending = [name, receipt];
      show();
    },
  });
  const choose = (language) => {
    visit.speech = pageSpeech(language);
    dress(visit, choose);
    show();
  };
  CHANCE.failed = () => {
    visit.draft.leave();
    visit.turnAway("chance");
  };
  choose(preferred(visit.form.languages));
  if (ending) return;
  testChance();
  steps = route(visit.form);
  if (!visit.post) knock(visit);
}

// Whether anybody takes answers. What was bound is sent all the same: a report that has arrived once is
// acknowledged by a closed survey too.
async function knock(visit) {
  const { form, fingerprint, draft } = visit;
  visit.standing = await ask(destination(form, location.href), fingerprint, visit);
  if (visit.standing === "silent") document.getElementById("door")?.replaceWith(doorLine("silent", visit.speech.words));
  if (["open", "silent"].includes(visit.standing) || draft.isBound()) return;
  draft.leave();
  visit.turnAway(visit.standing);
}

// Consent, practice, the questions with the card before the first protected one, and the review.
function route(form) {
  const { questions } = form;
  const first = questions.findIndex(isProtected);
  const asked = questions.flatMap((_, question) => {
    const step = { question, screen: (visit) => questionScreen(visit, question) };
    return question === first ? [{ screen: cardScreen }, step] : [step];
  });
  const practice = first < 0 ? [] : [{ screen: practiceScreen }];
  return [{ screen: consentScreen }, ...practice, ...NEWER.arranged(asked, form), { screen: reviewScreen }];
}

function end(visit, [name, receipt]) {
  const nodes = receipt ? receiptScreen(visit, receipt) : endingScreen(name === "receipt" ? "already" : name, visit);
  return NEWER.ended(nodes, name, visit);
}

// The browser's languages choose among the form's; which one is never sent.
function preferred(languages) {
  const short = (tag) => tag.split("-")[0];
  const found = navigator.languages.map((tag) => languages.find((one) => short(one) === short(tag)));
  return found.find(Boolean) ?? languages[0];
}

// The page is marked as in the language that it speaks.
function pageSpeech(lang) {
  const speech = speak(lang);
  Object.assign(document.documentElement, { lang, dir: speech.direction });
  return speech;
}

// The bar at the top: the way out, and the languages where there are several.
function dress(visit, choose) {
  const { form, speech } = visit;
  document.title = speech.text(form.title);
  const bar = document.getElementById("bar");
  const leave = button(speech.words.leave, () => flee(visit), "leave");
  bar.replaceChildren(leave);
  const contact = document.getElementById("contact");
  contact.className = "";
  const told = speech.text(form.contact).trim();
  contact.replaceChildren(...(told ? [element("h2", {}, speech.words.contact), ...paragraphs(told)] : []));
  if (form.languages.length > 1) bar.prepend(languagePicker(form, speech, choose));
  NEWER.dressed(bar, visit);
}

function languagePicker(form, speech, choose) {
  const options = form.languages.map((tag) =>
    element("option", { value: tag, lang: tag, selected: tag === speech.language }, NAMES[tag] ?? nameOf(tag)),
  );
  const picker = element("select", { autocomplete: "off" }, ...options);
  picker.setAttribute("aria-label", speech.words.language);
  picker.addEventListener("change", () => choose(picker.value));
  return picker;
}

function nameOf(tag) {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag);
}

// Out at once: no answer stays behind, and the back button does not lead here.
function flee({ draft }) {
  draft.leave();
  document.title = "";
  document.body.replaceChildren();
  location.replace("about:blank");
}

function present(nodes) {
  const main = document.getElementById("main");
  const begun = main.querySelector("h1");
  main.replaceChildren(...nodes);
  const settle = () => {
    window.scrollTo(0, 0);
    main.querySelector("h1").focus({ preventScroll: true });
  };
  // The first screen is drawn before script waits for where its parts stand.
  if (begun) settle();
  else requestAnimationFrame(settle);
  main.onkeydown = (event) => {
    const answering = event.key === "Enter" && ["radio", "text"].includes(event.target.type);
    if (answering) main.querySelector("button.main")?.click();
  };
}
