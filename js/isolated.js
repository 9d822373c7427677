// <askance-question> behind a wall: the study's own frame asks, whose form, words and odds come from where it
// lies and whose answer no script on the page can read. The page says which question it wants, and gets the
// report. `src` is the frame's address.

import { REASONS, refuseUnless } from "../src/askance_collect/respond/browser/refusal.js";
import { Reporting, tried } from "./reporting.js";

REASONS.frame = "it is not in a frame without an origin";
const PASSED = ["question", "level", "accent", "size", "given"];
const STORED = "askance-report:";
const PATIENCE = 30000;
const SENT = /^\d{1,5}$/;
const ENDS = ["", "_above", "_upto"];

export class AskanceQuestion extends Reporting {
  #root = this.attachShadow({ mode: "closed", delegatesFocus: true });

  #key = "";

  #hear = null;

  // Forget what was given in this tab, for the next person: a tablet is handed on.
  static forget() {
    this.forgetKept(STORED);
    this.all.forEach((node) => {
      node.handOver(null);
      node.removeAttribute("given");
      node.attributeChangedCallback();
    });
  }

  // One that is moved on its page is loaded anew, and asks anew.
  connectedCallback() {
    super.connectedCallback();
    if (this.#hear) addEventListener("message", this.#hear);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("message", this.#hear);
  }

  // Asked anew, in another frame, unless it was given.
  attributeChangedCallback() {
    if (this.#key && !this.report) this.heed(this.open());
  }

  async open() {
    const [src, question] = [this.getAttribute("src"), this.getAttribute("question") ?? ""];
    refuseUnless(src, "absent");
    this.#key = STORED + (await this.claim(this.getAttribute("fingerprint") ?? src, question));
    const before = tried(() => JSON.parse(sessionStorage.getItem(this.#key)));
    if (before) {
      this.handOver(before.report);
      return this.#say(before.told, "status");
    }
    return this.#ask(new URL(src, document.baseURI));
  }

  showRefusal(told) {
    this.#say(told, "alert");
  }

  #say(told, role) {
    const line = document.createElement("p");
    line.textContent = told;
    line.setAttribute("role", role);
    this.#root.replaceChildren(line);
  }

  // Only the frame's own window can say that a message is its.
  #ask(address) {
    const said = [["lang", this.closest("[lang]")?.lang], ...PASSED.map((name) => [name, this.getAttribute(name)])];
    address.hash = new URLSearchParams(said.filter(([, value]) => (value ?? null) !== null));
    const frame = document.createElement("iframe");
    frame.src = address;
    frame.sandbox = "allow-scripts";
    frame.part = "frame";
    frame.style = "border:0;display:block;width:100%";
    removeEventListener("message", this.#hear);
    return new Promise((settle) => {
      const late = setTimeout(() => settle(this.refuse("unreachable")), PATIENCE);
      this.#hear = ({ source, data }) => {
        if (source !== frame.contentWindow || !isSaid(data)) return;
        clearTimeout(late);
        settle(this.#take(frame, data));
      };
      addEventListener("message", this.#hear);
      this.#root.replaceChildren(frame);
    });
  }

  #take(frame, { askance, reason, label, height, choose, report, told }) {
    if (askance === "refused") return this.refuse(reason);
    frame.style.height = `${height}px`;
    if (askance === "asked") {
      frame.title = label;
      return choose && this.wait(choose);
    }
    if (this.report) return undefined;
    const expected = this.getAttribute("fingerprint") ?? report.form;
    if (report.form !== expected) return this.refuse("changed");
    const named = { ...report, cells: this.#named(report) };
    tried(() => sessionStorage.setItem(this.#key, JSON.stringify({ report: named, told }))); // else a reload asks anew
    this.handOver(named);
    return this.announce();
  }

  // Columns are called as the page says.
  #named({ question, cells }) {
    const name = this.getAttribute("name") ?? question;
    return Object.fromEntries(Object.entries(cells).map(([column, cell]) => [name + column.slice(question.length), cell]));
  }
}

AskanceQuestion.define();

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
