// <askance-question>: a control of a form, whose value is the report and never the answer. It asks in the
// frame of the study, which no script of the page can read. Only where it is `exposed` does it ask on the
// page itself, if the script that is loaded can.

import { REASONS, Refusal, refuseUnless } from "../src/askance_collect/respond/browser/refusal.js";
import { framed, STORED } from "./framed.js";
import { tried } from "./tried.js";

const TAG = "askance-question";
const TEXTS = ["accent", "fingerprint", "level", "name", "question", "size", "src"];
const FLAGS = ["disabled", "exposed", "given", "preview", "required"];
// Where one of these changes, another question is asked; or the same one, unless it was given, in another way.
const ANEW = ["exposed", "fingerprint", "preview", "question", "src"];
const AGAIN = ["accent", "given", "level", "size"];
const ENDS = ["", "_above", "_upto"];
// Until the question stands there, in the language of its form.
const UNASKED = "This question has not been answered yet.";
// Who asks on this page: a question is asked once, and so is a name of one form.
const asking = new Set();
const ways = {};
// Who is on this page, and who tells them of the language around them.
const present = new Set();
let aroundThem;

export class AskanceQuestion extends HTMLElement {
  static formAssociated = true;

  static observedAttributes = [...ANEW, ...AGAIN, "lang", "required", "value"];

  #internals = this.attachInternals();

  // What asks inside has more to say of the element than its page can.
  #host = Object.freeze({
    node: this,
    text: () => this.#text(),
    claim: (fingerprint, question) => this.#claim(fingerprint, question),
    isGiven: () => this.#isGiven,
    handOver: (report) => this.#handOver(report),
    announce: () => this.#announce(),
    wait: (choose) => this.#wait(choose),
    refuse: (reason) => this.#refuse(reason),
  });

  #root = this.attachShadow({ mode: "closed", delegatesFocus: true });

  #report = null;

  // Of another day: what its page says that was given.
  #restored = null;

  #ready = null;

  #stopping = new AbortController();

  // What asks, or has asked, inside.
  #inside = null;

  #isBegun = false;

  #isDue = false;

  #key = null;

  #question = "";

  #choose = UNASKED;

  #refused = "";

  #custom = "";

  #language = "";

  // Known under its name once, however often the script is loaded.
  static define(exposed) {
    if (customElements.get(TAG)) return;
    ways.exposed = exposed;
    customElements.define(TAG, this);
  }

  // Forget what was drawn and given in this tab, for the next person: a tablet is handed on.
  static forget() {
    const keys = tried(() => Object.keys(sessionStorage)) ?? [];
    keys.filter((key) => key.startsWith(STORED) || key.startsWith("askance:")).forEach((key) => sessionStorage.removeItem(key));
    [...asking].forEach((node) => node.#restart());
  }

  // Bring the words of another language, from askance/languages: a frame has its own.
  static speak(language, words) {
    ways.exposed?.speak(language, words);
    [...asking].forEach((node) => node.#inside?.speak?.());
  }

  // The language may be that of the page around, which changes it where it lies.
  static #watch() {
    if (aroundThem) return;
    aroundThem = new MutationObserver(() => [...present].forEach((node) => node.#heedLanguage()));
    aroundThem.observe(document, { attributes: true, attributeFilter: ["lang"], subtree: true });
  }

  connectedCallback() {
    AskanceQuestion.#watch();
    present.add(this);
    this.#heedLanguage();
    if (this.#ready) {
      if (this.#key !== null) this.#heed(this.#stand(this.#key), this.#stopping.signal);
      this.#inside?.connect?.();
      return;
    }
    this.#isBegun = true;
    [...TEXTS, ...FLAGS, "value"].forEach((name) => this.#upgrade(name));
    this.#anew();
  }

  // What is moved stays asked, unless its new form has its name; what is gone leaves its place.
  disconnectedCallback() {
    asking.delete(this);
    present.delete(this);
    this.#inside?.disconnect?.();
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "value") this.value = after;
    else if (name === "required") this.#judge();
    else if (name === "lang") this.#heedLanguage(true);
    else if (ANEW.includes(name) || !this.#report) this.#anew();
  }

  formDisabledCallback(disabled) {
    this.#inside?.disable(disabled);
  }

  // What is given stays given, and what was drawn stays drawn.
  formResetCallback() {
    if (!this.#isGiven) this.#inside?.reset();
  }

  // What the browser kept of a visit before is the report: nothing else was handed to it.
  formStateRestoreCallback(state, mode) {
    const { form, question, cells } = tried(() => JSON.parse(state)) ?? {};
    const isMine = form === this.fingerprint && (this.question === "" || question === this.question);
    if (mode === "restore" && isMine && cells) this.value = cells;
  }

  // Settled once the question is asked, was given before, or is refused.
  get ready() {
    return this.#ready;
  }

  // What was handed to the page: null before.
  get report() {
    return this.#report;
  }

  // What its form sends, by column: given here, or restored by its page; null before.
  get value() {
    return this.#report?.cells ?? this.#restored;
  }

  // What was given on another day is not asked again. What was given here is not replaced.
  set value(next) {
    const columns = Object.entries(readValue(next));
    const mine = columns.filter(([column, cell]) => typeof cell === "string" && this.#isColumn(column));
    if (this.#report || JSON.stringify(mine) === JSON.stringify(Object.entries(this.#restored ?? {}))) return;
    this.#restored = mine.length > 0 ? Object.freeze(Object.fromEntries(mine)) : null;
    this.#submit();
    this.#anew();
  }

  // Given here, or before: where its page keeps the report of another day, it says so.
  get #isGiven() {
    return this.value !== null || this.given;
  }

  get name() {
    return this.getAttribute("name") ?? this.#question;
  }

  set name(next) {
    this.setAttribute("name", next);
  }

  get type() {
    return TAG;
  }

  get form() {
    return this.#internals.form;
  }

  get labels() {
    return this.#internals.labels;
  }

  get validity() {
    return this.#internals.validity;
  }

  get validationMessage() {
    return this.#internals.validationMessage;
  }

  get willValidate() {
    return this.#internals.willValidate;
  }

  checkValidity() {
    return this.#internals.checkValidity();
  }

  reportValidity() {
    return this.#internals.reportValidity();
  }

  setCustomValidity(message) {
    this.#custom = String(message);
    this.#judge();
  }

  // The form's own bytes, as the element's text or from where its page says.
  async #text() {
    const address = this.getAttribute("src");
    if (address === null) {
      await parsed();
      const text = this.textContent.trim();
      refuseUnless(text, "absent");
      return text;
    }
    const reply = fetch(address, { credentials: "omit", referrerPolicy: "no-referrer", signal: this.#stopping.signal });
    const text = await reply.then((one) => one.ok && one.text()).catch(() => "");
    refuseUnless(text, "unreachable");
    return text.trim();
  }

  // Take a question's place on this page, and its name's in this form.
  #claim(fingerprint, question) {
    this.#question = question;
    return this.#stand(`${fingerprint}:${question}`);
  }

  // The report becomes the element's value.
  #handOver(report) {
    this.#report = report && Object.freeze({ ...report, cells: Object.freeze({ ...report.cells }) });
    if (report) this.#restored = null;
    this.#submit();
  }

  #announce() {
    this.dispatchEvent(new CustomEvent("askance-report", { bubbles: true, composed: true, detail: this.#report }));
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Without an answer the page's form is not complete, where it is required. A preview takes none.
  #wait(choose) {
    this.#choose = choose;
    this.#judge();
  }

  // Nothing is drawn, and nothing handed over; what was is taken back.
  #refuse(reason) {
    const message = REASONS[reason];
    this.#leave();
    this.#refused = message;
    this.#handOver(null);
    const line = document.createElement("p");
    line.className = "complaint";
    line.textContent = `This question cannot be asked here: ${message}.`;
    line.setAttribute("role", "alert");
    this.#root.replaceChildren(line);
    this.dispatchEvent(new CustomEvent("askance-refused", { bubbles: true, composed: true, detail: Object.freeze({ reason, message }) }));
  }

  // Set before the script came, a property lies on the element itself.
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const { [name]: value } = this;
    delete this[name];
    this[name] = value;
  }

  // Once, however many attributes change together.
  #anew() {
    if (this.#isDue || !this.#isBegun) return;
    this.#isDue = true;
    this.#ready = Promise.resolve().then(() => {
      this.#isDue = false;
      return this.#open();
    });
  }

  #open() {
    this.#leave();
    this.#report = null;
    this.#refused = "";
    this.#choose = UNASKED;
    this.#submit();
    if (!this.isConnected) {
      this.#ready = null;
      return undefined;
    }
    const { signal } = this.#stopping;
    return this.#heed(this.#ask(signal), signal);
  }

  async #ask(signal) {
    const way = this.exposed ? ways.exposed : framed;
    refuseUnless(way, "form");
    const inside = await way.open(this.#host, this.#root, signal);
    signal.throwIfAborted();
    this.#inside = inside;
    if (this.matches(":disabled")) inside.disable(true);
    await inside.ready;
  }

  // Leave what is asked, and its place.
  #leave() {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#inside?.disconnect?.();
    this.#inside = null;
    this.#key = null;
    asking.delete(this);
  }

  // Where something is refused, it says why; what was left for something else is over then.
  #heed(work, signal) {
    const before = this.#ready;
    return work.catch((refusal) => {
      if (signal.aborted) return this.#ready === before ? undefined : this.#ready;
      if (!(refusal instanceof Refusal)) throw refusal;
      return this.#refuse(refusal.reason);
    });
  }

  #heedLanguage(isOwn = false) {
    const language = this.closest("[lang]")?.lang ?? "";
    if (!isOwn && language === this.#language) return;
    this.#language = language;
    if (this.#inside?.speak) this.#inside.speak();
    else if (!this.#report) this.#anew();
  }

  #restart() {
    const isDue = this.#isDue;
    this.#isDue = true; // what goes is no reason to ask twice
    this.#restored = null;
    this.#handOver(null);
    ["given", "value"].forEach((name) => this.removeAttribute(name));
    this.#isDue = isDue;
    if (this.#inside?.restart) this.#inside.restart();
    else this.#anew();
  }

  async #stand(key) {
    const isTaken = (one) => one !== this && (one.#key === key || (one.form === this.form && one.name === this.name));
    refuseUnless(![...asking].some(isTaken), "twice");
    this.#key = key;
    asking.add(this);
    return key;
  }

  #isColumn(column) {
    const name = this.name || this.question;
    return name === "" || ENDS.some((end) => column === name + end);
  }

  // An entry for each column of the collector's own table. The browser keeps the same.
  #submit() {
    const { value } = this;
    const data = new FormData();
    Object.entries(value ?? {}).forEach(([column, cell]) => data.append(column, cell));
    const kept = JSON.stringify({ form: this.fingerprint, question: this.#question || this.question, cells: value });
    this.#internals.setFormValue(value && data, value && kept);
    tried(() => this.#internals.states[this.#isGiven ? "add" : "delete"]("answered")); // older browsers know no such state
    this.#judge();
  }

  #judge() {
    const isWaiting = this.required && !this.#isGiven && !this.preview;
    const custom = this.#custom || (isWaiting ? this.#refused : "");
    const valueMissing = isWaiting && custom === "";
    this.#internals.setValidity({ valueMissing, customError: custom !== "" }, custom || (valueMissing ? this.#choose : ""));
  }
}

// Each attribute is a property, as frameworks set them.
for (const name of TEXTS.filter((one) => one !== "name")) {
  Object.defineProperty(AskanceQuestion.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return this.getAttribute(name) ?? "";
    },
    set(next) {
      if (next === null || next === undefined) this.removeAttribute(name);
      else this.setAttribute(name, next);
    },
  });
}
for (const name of FLAGS) {
  Object.defineProperty(AskanceQuestion.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return this.hasAttribute(name);
    },
    set(next) {
      this.toggleAttribute(name, Boolean(next));
    },
  });
}

function readValue(value) {
  const read = typeof value === "string" && value !== "" ? tried(() => JSON.parse(value)) : value || {};
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return read;
  throw new TypeError(`${TAG}: value is an object with a text for each column, the same as JSON, or null`);
}

// What stands inside an element comes after its tag.
function parsed() {
  if (document.readyState !== "loading") return undefined;
  return new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
}
