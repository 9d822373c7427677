// What every <askance-question> is to the page around it: a control of a form, whose value is the report.

import { REASONS, Refusal, refuseUnless } from "../src/askance_collect/respond/browser/refusal.js";

const TAG = "askance-question";
// Who asks on this page: a question is asked once, and so is a name of one form.
const asked = new Set();

export class Reporting extends HTMLElement {
  static formAssociated = true;

  static observedAttributes = ["lang"];

  #internals = this.attachInternals();

  #report = null;

  #ready = null;

  #key = null;

  #question = "";

  // Every one of them that is asked on this page.
  static get all() {
    return [...asked];
  }

  // Known under its name once, however often the script is loaded.
  static define() {
    if (!customElements.get(TAG)) customElements.define(TAG, this);
  }

  // Forget what is kept in this tab under keys that begin so.
  static forgetKept(begins) {
    const keys = tried(() => Object.keys(sessionStorage)) ?? [];
    keys.filter((key) => key.startsWith(begins)).forEach((key) => sessionStorage.removeItem(key));
  }

  connectedCallback() {
    if (this.#key !== null) this.heed(this.#stand(this.#key));
    this.#ready ??= this.heed(this.open());
  }

  // Where something is refused, it says why.
  heed(work) {
    return work.catch((refusal) => {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.refuse(refusal.reason);
    });
  }

  // What is moved stays asked, unless its new form has its name; what is gone leaves its place.
  disconnectedCallback() {
    asked.delete(this);
  }

  // Take a question's place on this page, and its name's in this form.
  claim(fingerprint, question) {
    this.#question = question;
    return this.#stand(`${fingerprint}:${question}`);
  }

  async #stand(key) {
    const isTaken = (one) => one !== this && (one.#key === key || (one.form === this.form && one.name === this.name));
    refuseUnless(!this.constructor.all.some(isTaken), "twice");
    this.#key = key;
    asked.add(this);
    return key;
  }

  // Settled once the question is asked, was given before, or is refused.
  get ready() {
    return this.#ready;
  }

  // What was handed to the page: null before.
  get report() {
    return this.#report;
  }

  get name() {
    return this.getAttribute("name") ?? this.#question;
  }

  get form() {
    return this.#internals.form;
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

  // The form's own bytes: as the element's text, or from where its page says.
  async text() {
    const address = this.getAttribute("src");
    if (address === null) {
      await parsed();
      const text = this.textContent.trim();
      refuseUnless(text, "absent");
      return text;
    }
    const reply = fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" });
    const text = await reply.then((one) => one.ok && one.text()).catch(() => "");
    refuseUnless(text, "unreachable");
    return text.trim();
  }

  // The report becomes the element's value, an entry for each column of the collector's own table; null
  // takes it back.
  handOver(report) {
    this.#report = report && Object.freeze({ ...report, cells: Object.freeze({ ...report.cells }) });
    const data = new FormData();
    Object.entries(report?.cells ?? {}).forEach(([column, cell]) => data.append(column, cell));
    this.#internals.setFormValue(report && data);
    if (report) this.#internals.setValidity({});
  }

  announce() {
    this.dispatchEvent(new CustomEvent("askance-report", { bubbles: true, composed: true, detail: this.#report }));
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Without an answer the page's form is not complete, where it is required.
  wait(told) {
    if (this.hasAttribute("required")) this.#internals.setValidity({ valueMissing: true }, told);
  }

  // Nothing is drawn, and nothing handed over; what was is taken back.
  refuse(reason) {
    const message = REASONS[reason];
    this.#key = null;
    asked.delete(this);
    this.handOver(null);
    this.showRefusal(`This question cannot be asked here: ${message}.`);
    if (this.hasAttribute("required")) this.#internals.setValidity({ customError: true }, message);
    this.dispatchEvent(new CustomEvent("askance-refused", { bubbles: true, composed: true, detail: Object.freeze({ reason, message }) }));
  }
}

// Null where it cannot be done: storage may be closed, and what is read be damaged.
export function tried(run) {
  try {
    return run();
  } catch {
    return null;
  }
}

// What stands inside an element comes after its tag.
function parsed() {
  if (document.readyState !== "loading") return undefined;
  return new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
}

// The colour scheme of the page; of one that says none, that of the ground on which a node stands.
export function schemeOf(node) {
  const said = getComputedStyle(node).colorScheme;
  if (said !== "normal") return said;
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    const ground = /^rgba?\((.+)\)$/.exec(getComputedStyle(at).backgroundColor);
    const [red, green, blue, cover = 1] = ground?.[1].split(",") ?? [];
    if (red && cover > 0) return red - -green - -blue < 384 ? "dark" : "light";
  }
  return "light";
}
