// Going on later on the same device, where a survey offers it. The answers, the draws and what is bound are
// moved off the page into this browser's lasting storage, locked with a code that is written down and kept
// nowhere: all of one length, until somebody goes on, begins anew, or the days are over. A page whose survey
// does not offer it goes without this module.

import { isIndex, systemBytes } from "./askance.js";
import { codeIn, codeInput, LETTERS, spaced } from "./codes.js";
import { isComplete } from "./draft.js";
import { button, buttons, element, heading, paragraph, partOf, privateElement } from "./element.js";
import { hooks, register } from "./hooks.js";

const DAY = 86400000;
const ROUNDS = 600000;
// In bytes: the salt, and with the nonce behind it all that is drawn for a lock beside its code.
const SALT = 16;
const DRAWN = 28;
// What a question takes at most beside its value in a report: its draws, and how far it was narrowed.
const ROOM = 1024;

// Schema: later
const LATER = { later: [1, 90] };

// One place for each address: what another version of a survey put there is not taken for this one's.
const storageKey = () => `askance-later:${location.pathname}`;

const clear = () => localStorage.removeItem(storageKey());

const today = () => Math.floor(Date.now() / DAY);

/**
 * What is put away here: its text or, once it is of no use any more, which erases it, a word why. Of a
 * browser that keeps nothing, nothing at all.
 *
 * @param {Pick<Visit, "form" | "fingerprint">} visit
 * @returns {{ text?: string, why?: string } | undefined}
 */
function findStored({ form, fingerprint }) {
  try {
    const text = localStorage.getItem(storageKey());
    if (text === null) return {};
    const [of, until] = text.split(" ");
    const isTimely = isIndex(Number(until) - today(), form.later + 1);
    if (of === fingerprint && isTimely) return { text };
    clear();
    return { why: isTimely ? "changed" : "expired" };
  } catch {
    return undefined;
  }
}

// Of 60 bits.
const newCode = () => Array.from(systemBytes(12), (byte) => LETTERS[byte % 32]).join("");

/** @param {string} text */
const bytesOf = (text) => new TextEncoder().encode(text);

/**
 * The cipher and its key, which takes a while to make: so each guess does.
 *
 * @param {string} code
 * @param {Uint8Array<ArrayBuffer>} drawn
 * @param {string} head
 * @returns {Promise<[AesGcmParams, CryptoKey]>}
 */
async function deriveCipher(code, drawn, head) {
  const typed = await crypto.subtle.importKey("raw", bytesOf(code), "PBKDF2", false, ["deriveKey"]);
  const slow = { name: "PBKDF2", hash: "SHA-256", salt: drawn.slice(0, SALT), iterations: ROUNDS };
  const key = await crypto.subtle.deriveKey(slow, typed, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  return [{ name: "AES-GCM", iv: drawn.slice(SALT, DRAWN), additionalData: bytesOf(head) }, key];
}

/**
 * All of a visit, locked: of what is bound nothing but what is bound. As many bytes for everybody: the
 * length says nothing of what was answered, nor of how much was.
 *
 * @param {Visit} visit
 * @param {string} code
 */
async function lock({ form, fingerprint, draft }, code) {
  const { kept, answers, trails } = draft.state();
  const state = draft.isBound() ? { kept, answers: [], trails: [] } : { kept, answers, trails };
  const padded = new Uint8Array(form.size + ROOM * form.questions.length).fill(32);
  padded.set(bytesOf(JSON.stringify(state)));
  const drawn = systemBytes(DRAWN);
  const head = `${fingerprint} ${today() + form.later}`;
  const locked = await crypto.subtle.encrypt(...(await deriveCipher(code, drawn, head)), padded);
  const bytes = [...drawn, ...new Uint8Array(locked)];
  return `${head} ${btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))}`;
}

/**
 * What a code unlocks; an error where it is another one.
 *
 * @param {string} text
 * @param {string} code
 * @returns {Promise<any>}
 */
async function unlock(text, code) {
  const end = text.lastIndexOf(" ");
  const bytes = Uint8Array.from(atob(text.slice(end)), (sign) => sign.charCodeAt(0));
  const plain = await crypto.subtle.decrypt(...(await deriveCipher(code, bytes, text.slice(0, end))), bytes.slice(DRAWN));
  return JSON.parse(new TextDecoder().decode(plain));
}

/**
 * The first screen says whether one can go on later.
 *
 * @type {Wrapper<"renderConsent">}
 */
const offerLater = (next) => (nodes, visit) => {
  const { words } = visit.speech;
  const offer = paragraph(visit.state.canWait ? words.laterOffer : words.laterNever, "hint");
  return [...next(nodes.slice(0, -1), visit), offer, ...nodes.slice(-1)];
};

/**
 * Before it comes what was put away, or what became of it.
 *
 * @param {Visit} visit
 */
function openLater(visit) {
  const here = findStored(visit);
  const aside = here?.why ? erasedScreen(here.why) : here?.text ? unlockScreen : undefined;
  visit.dispatch({ type: "update", change: { canWait: here !== undefined, aside } });
}

/** @param {Visit} visit */
const closeAside = (visit) => visit.turnTo(undefined);

// Before anything is put away the page says what that means.
const awayScreen = { render: renderAway, back: closeAside };

/** @param {Visit} visit */
function renderAway(visit) {
  const { speech, form } = visit;
  const { words } = speech;
  const back = button(words.back, () => closeAside(visit));
  if (findStored(visit)?.text) return [heading(words.later), paragraph(words.laterTaken), buttons(back)];
  const date = new Intl.DateTimeFormat(speech.language, { dateStyle: "long", timeZone: "UTC" });
  const { line, main } = slowButton(words.putAway, visit, storeVisit);
  return [
    heading(words.later),
    paragraph(words.laterHow(date.format((today() + form.later) * DAY))),
    paragraph(words.laterCode),
    paragraph(words.laterSeen, "hint"),
    line,
    buttons(back, main),
  ];
}

/**
 * A button for what takes a while, and the line that says so, and then what is wrong. Whatever is done
 * elsewhere meanwhile counts: `isHere` tells whether the screen is still shown.
 *
 * @param {string} label
 * @param {Visit} visit
 * @param {(visit: Visit, isHere: () => boolean) => Promise<string | void>} work
 */
function slowButton(label, visit, work) {
  const { words } = visit.speech;
  const line = element("p", { id: "line" });
  line.setAttribute("role", "status");
  const main = button(label, press, "main");
  async function press() {
    if (main.hasAttribute("aria-disabled")) return;
    main.setAttribute("aria-disabled", "true");
    Object.assign(line, { className: "status", textContent: words.wait });
    const wrong = await work(visit, () => main.isConnected);
    main.removeAttribute("aria-disabled");
    Object.assign(line, { className: "complaint", textContent: wrong ?? "" });
  }
  return { line, main };
}

/**
 * Move a visit off the page.
 *
 * @param {Visit} visit
 * @param {() => boolean} isHere
 */
async function storeVisit(visit, isHere) {
  const code = newCode();
  try {
    const text = await lock(visit, code);
    if (!isHere()) return undefined;
    localStorage.setItem(storageKey(), text);
  } catch {
    return visit.speech.words.laterFailed;
  }
  visit.forget();
  return visit.turnTo(codeScreen(code));
}

/** @param {string} code */
const codeScreen = (code) => ({
  /** @param {Visit} visit */
  render: (visit) => [
    heading(visit.speech.words.yourCode),
    privateElement("p", "code away", spaced(code)),
    paragraph(visit.speech.words.writeDown),
    buttons(button(visit.speech.words.codeDone, () => visit.turnTo(unlockScreen), "main")),
  ],
});

const unlockScreen = { render: renderUnlock };

/** @param {Visit} visit */
function renderUnlock(visit) {
  const { words } = visit.speech;
  const input = codeInput();
  const { line, main } = slowButton(words.goOn, visit, async (_, isHere) => {
    const wrong = await resumeVisit(visit, codeIn(input.value), isHere);
    if (wrong) input.setAttribute("aria-invalid", "true");
    input.focus();
    return wrong;
  });
  input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
  input.setAttribute("aria-describedby", line.id);
  return [
    heading(words.resume),
    paragraph(words.resumeHint),
    element("label", { htmlFor: input.id }, words.yourCode),
    input,
    line,
    buttons(button(words.anew, () => beginAnew(visit)), main),
  ];
}

/**
 * Take up again what a code unlocks: from then on it is in this tab, and nowhere else. Of two windows with
 * one code the first has it.
 *
 * @param {Visit} visit
 * @param {string} code
 * @param {() => boolean} isHere
 */
async function resumeVisit(visit, code, isHere) {
  const { draft, form, speech } = visit;
  const { text, why } = findStored(visit) ?? {};
  const state = text && (await unlock(text, code).catch(() => undefined));
  if (!isHere()) return undefined;
  if (text && !state) return speech.words.codeWrong;
  const isOurs = text && findStored(visit)?.text === text;
  if (isOurs) clear();
  if (!isOurs || !isComplete(form.questions, state.kept)) return visit.turnTo(erasedScreen(why ?? "taken"));
  visit.forget();
  draft.resume(state.kept);
  state.answers.forEach((/** @type {Answer} */ answer, /** @type {number} */ index) => answer && draft.give(index, answer));
  state.trails.forEach((/** @type {Trail} */ trail, /** @type {number} */ index) => trail && Object.assign(draft.trail(index), trail));
  return visit.resumeAt(whereLeft);
}

/**
 * @param {string} why
 * @returns {PageScreen}
 */
const erasedScreen = (why) => ({
  /** @param {Visit} visit */
  render: (visit) => [
    heading(visit.speech.words.erased),
    paragraph(visit.speech.words.erasedHint[why]),
    buttons(button(visit.speech.words.proceed, () => visit.resumeAt(firstStep), "main")),
  ],
});

/** @param {Visit} visit */
function beginAnew(visit) {
  clear();
  visit.forget();
  visit.resumeAt(firstStep);
}

/**
 * What is bound in this tab stays so.
 *
 * @param {Visit} visit
 */
const firstStep = ({ steps, draft }) => (draft.isBound() ? steps.length - 1 : 0);

/**
 * The first question without an answer, with the screens that lead up to it, the practice only for whoever
 * has answered none; the last look where there is no such question.
 *
 * @param {Visit} visit
 */
function whereLeft(visit) {
  const { steps, draft } = visit;
  const [first, last] = [draft.state().answers.length > 0 ? 2 : 1, steps.length - 1];
  let to = draft.isBound() ? last : steps.findIndex(({ question }) => question !== undefined && draft.answer(question) === undefined);
  if (to < 0) to = last;
  while (to > first && to < last && steps[to - 1].question === undefined) to -= 1;
  return hooks.nextStep(steps, to, 1, visit);
}

/**
 * At the top of every screen between the first one and the end, beside the other way out.
 *
 * @type {Wrapper<"renderHeader">}
 */
const linkLater = (next) => (bar, visit) => {
  next(bar, visit);
  const link = button(visit.speech.words.later, () => visit.state.isSending || visit.turnTo(awayScreen), "leave");
  link.id = "later";
  bar.lastElementChild?.before(link);
};

/** @param {Visit} visit */
function offerLink({ state: { canWait, aside, step, ending } }) {
  partOf("later").hidden = !canWait || aside !== undefined || step === 0 || ending !== undefined;
}

/**
 * Of a survey that takes no more reports nothing stays put away.
 *
 * @type {Wrapper<"renderEnding">}
 */
const endLater = (next) => (nodes, name, visit) => {
  if (["closed", "replaced"].includes(name) && findStored(visit)?.text) clear();
  return next(nodes, name, visit);
};

register({
  name: "later",
  shapes: LATER,
  wrap: {
    /** @param {any} next */
    openVisit: (next) => (visit) => {
      next(visit);
      openLater(visit);
    },
    renderConsent: offerLater,
    renderHeader: linkLater,
    /** @param {any} next */
    updateHeader: (next) => (visit) => {
      next(visit);
      offerLink(visit);
    },
    renderEnding: endLater,
  },
});
