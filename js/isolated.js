// <askance-question> behind a wall: asked in a frame of no origin, whose answer the page around it cannot
// read, nor any script on it. The page gets the report from the frame; the frame takes nothing but the
// question, and the words of its language, from the page. Beside this script lies frame.html, or where the
// attribute `frame` says.

import { Reporting, schemeOf, tried } from "./reporting.js";

const FRAME = new URL("frame.html", import.meta.url);
const PASSED = ["fingerprint", "question", "level", "name", "given"];
const STORED = "askance-report:";
const PATIENCE = 30000;
const spoken = {};

export class AskanceQuestion extends Reporting {
  #root = this.attachShadow({ mode: "closed", delegatesFocus: true });

  #key = "";

  // Forget what was given in this tab, for the next person: a tablet is handed on.
  static forget() {
    this.forgetKept(STORED);
    this.all.forEach((node) => {
      node.handOver(null);
      node.removeAttribute("given");
      node.attributeChangedCallback();
    });
  }

  // Bring the words of another language, from askance/languages.
  static speak(language, words) {
    spoken[language] = words;
    this.all.forEach((node) => node.attributeChangedCallback());
  }

  // Asked anew, in another frame, unless it was given.
  attributeChangedCallback() {
    if (this.#key && !this.report) this.heed(this.open());
  }

  async open() {
    const [text, fingerprint] = [await this.text(), this.getAttribute("fingerprint") ?? ""];
    // Whether the form is right, and has that one alone where none is named, the frame looks.
    const question = this.getAttribute("question") ?? tried(() => JSON.parse(text).questions[0].name);
    this.#key = STORED + (await this.claim(fingerprint, question));
    const before = tried(() => JSON.parse(sessionStorage.getItem(this.#key)));
    if (before) {
      this.handOver(before.report);
      return this.#say(before.told, "status");
    }
    const attributes = PASSED.map((one) => [one, this.getAttribute(one)]);
    return this.#ask({ attributes: [["lang", this.closest("[lang]")?.lang], ...attributes], text, look: lookOf(this), words: spoken });
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

  // The frame answers through a channel of its own: what it says there nobody else can say. One that is
  // moved on its page is loaded anew, and asks anew.
  #ask(asked) {
    const frame = document.createElement("iframe");
    frame.src = this.getAttribute("frame") ?? FRAME;
    frame.sandbox = "allow-scripts";
    frame.part = "frame";
    frame.style = "border:0;display:block;width:100%";
    return new Promise((settle) => {
      frame.addEventListener("load", () => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => settle(this.#hear(frame, data));
        frame.contentWindow.postMessage({ askance: "ask", ...asked }, "*", [port2]);
      });
      setTimeout(settle, PATIENCE);
      this.#root.replaceChildren(frame);
    });
  }

  #hear(frame, { refused, label, height, choose, report, told }) {
    if (refused) return this.refuse(refused);
    frame.style.height = `${height}px`;
    if (!report) {
      frame.title = label;
      return choose && this.wait(choose);
    }
    if (this.report) return undefined;
    tried(() => sessionStorage.setItem(this.#key, JSON.stringify({ report, told }))); // else a reload asks anew
    this.handOver(report);
    return this.announce();
  }
}

AskanceQuestion.define();

// The colours that the page has chosen, which the frame does not inherit.
function lookOf(node) {
  const style = getComputedStyle(node);
  const chosen = "accent on-accent ink soft tint raised edge line alarm size".split(" ").map((name) => `--askance-${name}`);
  const said = ["color", "font-family", ...chosen].map((name) => [name, style.getPropertyValue(name)]);
  return [["color-scheme", schemeOf(node)], ...said];
}

