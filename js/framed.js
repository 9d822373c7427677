// A question that the study's own frame asks: its form, words and odds come from where the frame lies, and no
// script of the page can read its answer. The page says which question it wants, and gets the report.

import { REASONS, refuseUnless } from "../src/askance_collect/respond/browser/refusal.js";
import { schemeOf } from "./scheme.js";
import { tried } from "./tried.js";

// Under what begins so a report is kept in the tab.
export const STORED = "askance-report:";
REASONS.exposed = "it would be asked on the page itself, whose scripts can read the answer: let src lead to the study's frame, or add exposed";
REASONS.frame = "it is not in a frame without an origin";
const PASSED = ["question", "level", "accent", "size"];
const PATIENCE = 30000;
const SENT = /^\d{1,5}$/;
const ENDS = ["", "_above", "_upto"];

export const framed = {
  async open(host, root, signal) {
    const { src, fingerprint, question, preview, textContent } = host.node;
    const address = src && tried(() => new URL(src, document.baseURI));
    refuseUnless(src || textContent.trim(), "absent");
    refuseUnless(address && !/\.json$/.test(address.pathname), "exposed");
    const key = preview ? "" : STORED + (await host.claim(fingerprint || src, question));
    const before = key && tried(() => JSON.parse(sessionStorage.getItem(key)));
    root.adoptedStyleSheets = [];
    if (!before) return new Framed(host, root, signal, key);
    host.handOver(before.report);
    return said(before.told, root);
  },
};

// What was given before.
function said(told, root) {
  const line = document.createElement("p");
  line.textContent = told;
  line.setAttribute("role", "status");
  root.replaceChildren(line);
  return { disable: () => {} };
}

class Framed {
  #host;

  #frame = document.createElement("iframe");

  #key;

  #hear = (message) => this.#heard(message);

  #isHeard = false;

  #late;

  #settle;

  // Settled once the frame has said anything.
  ready = new Promise((settle) => {
    this.#settle = settle;
  });

  constructor(host, root, signal, key) {
    this.#host = host;
    this.#key = key;
    signal.addEventListener("abort", () => this.#stop());
    this.#frame.sandbox = "allow-scripts";
    this.#frame.part = "frame";
    this.#frame.style = "border:0;display:block;width:100%";
    this.reset();
    this.connect();
    root.replaceChildren(this.#frame);
  }

  // One that is moved on its page is loaded anew, and asks anew. What has gone from it waits for nothing.
  connect() {
    addEventListener("message", this.#hear);
    if (!this.#isHeard) this.#late = setTimeout(() => this.#settle(this.#host.refuse("unreachable")), PATIENCE);
  }

  disconnect() {
    removeEventListener("message", this.#hear);
    clearTimeout(this.#late);
  }

  disable(disabled) {
    this.#frame.inert = disabled;
    this.#frame.style.opacity = disabled ? "0.5" : "";
  }

  // Nothing can be taken back in there: it is loaded anew.
  reset() {
    const { node, isGiven } = this.#host;
    const { preview } = node;
    const wanted = [["lang", node.closest("[lang]")?.lang], ...PASSED.map((name) => [name, node.getAttribute(name)])];
    const flags = Object.entries({ preview, given: isGiven() && !preview }).filter(([, isSet]) => isSet);
    const address = new URL(node.src, document.baseURI);
    address.hash = new URLSearchParams([...wanted.filter(([, value]) => (value ?? null) !== null), ...flags.map(([name]) => [name, ""])]);
    this.#frame.style.colorScheme = schemeOf(node);
    const place = this.#frame.parentNode;
    this.#frame.remove(); // another fragment alone would load nothing
    this.#frame.src = address;
    place?.append(this.#frame);
  }

  #stop() {
    this.#settle();
    this.disconnect();
  }

  // Only the frame's own window can say that a message is its.
  #heard({ source, data }) {
    if (source !== this.#frame.contentWindow || !isSaid(data)) return;
    clearTimeout(this.#late);
    this.#isHeard = true;
    this.#settle(this.#take(data));
  }

  #take({ askance, reason, label, height, choose, report, told }) {
    const host = this.#host;
    if (askance === "refused") return host.refuse(reason);
    this.#frame.style.height = `${height}px`;
    if (askance === "asked") {
      this.#frame.title = label;
      return choose && host.wait(choose);
    }
    if (host.node.report || host.node.preview) return undefined;
    const expected = host.node.fingerprint || report.form;
    if (report.form !== expected) return host.refuse("changed");
    const named = { ...report, cells: this.#named(report) };
    tried(() => sessionStorage.setItem(this.#key, JSON.stringify({ report: named, told }))); // else a reload asks anew
    host.handOver(named);
    return host.announce();
  }

  // Columns are called as the page says.
  #named({ question, cells }) {
    const name = this.#host.node.getAttribute("name") ?? question;
    return Object.fromEntries(Object.entries(cells).map(([column, cell]) => [name + column.slice(question.length), cell]));
  }
}

// Whether something is what a frame says, part by part.
function isSaid(data) {
  const { askance, reason, label, height, choose, report, told } = data ?? {};
  if (askance === "refused") return Object.hasOwn(REASONS, reason);
  if (!SENT.test(height)) return false;
  return askance === "asked" ? isText(label) && isText(choose) : askance === "given" && isText(told) && isReport(report);
}

const isText = (value) => typeof value === "string";

function isReport(report) {
  const { form, question, cells } = report ?? {};
  if (!isText(form) || !isText(question)) return false;
  const columns = Object.entries(cells ?? {});
  return columns.length > 0 && columns.every(([column, cell]) => isText(cell) && ENDS.some((end) => column === question + end));
}
