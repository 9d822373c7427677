// A plug-in for jsPsych: a trial that asks one question, and whose data are the report by column, and never
// the answer. How long somebody took is not among them.

import { asked, settled } from "./hosts.js";

const TEXT = 1; // of jsPsych's types of parameters
const OBJECT = 12;
const BOOL = 0;

export class AskancePlugin {
  static info = {
    name: "askance",
    version: ASKANCE_VERSION,
    parameters: {
      form: { type: OBJECT, default: null },
      src: { type: TEXT, default: null },
      fingerprint: { type: TEXT, default: null },
      question: { type: TEXT, default: null },
      lang: { type: TEXT, default: null },
      exposed: { type: BOOL, default: false },
    },
    data: { askance_refused: { type: TEXT } },
  };

  trial(display, { form, src, fingerprint, question, lang, exposed }, shown) {
    const node = asked({ form, src, fingerprint, question, lang, exposed, level: 1 });
    node.style.margin = "1rem"; // jsPsych has none, and a telephone is narrow
    display.replaceChildren(node);
    return new Promise((finish) => {
      const refuse = ({ reason, message }) => {
        console.error(`askance: ${message}`);
        finish({ askance_refused: reason });
      };
      settled(node, ({ cells }) => finish({ ...cells }), refuse).then(shown);
    });
  }
}
