// What people write in their own words, sent as it is. The twin of askance_collect/wire/question.py. A page
// whose form asks for no text goes without this module.

import { questionKinds } from "./askance.js";
import { complaintLine, group, showComplaint } from "./controls.js";
import { element, privateElement } from "./element.js";
import { fieldTypes } from "./field.js";
import { ASKED, assert, isLegible, questionShapes } from "./form.js";
import { register } from "./hooks.js";

// Schema: text
const TEXT = { ...ASKED, limit: [1, 2000], lines: [1, 20], "beside?": true };
const UNIT = "\\u0000".length;
const FILLED = /^[^ \n](.*[^ \n])?$/s;

/**
 * A comment stands beside a question whose answer it cannot tell.
 *
 * @param {Form} form
 */
export function validateTexts({ questions }) {
  questions.forEach(({ beside }, index) => {
    const before = questions[index - 1];
    const isPlain = before?.kind === "number" || (before?.kind === "choice" && before.coin === undefined);
    assert(!beside || isPlain, `questions[${index}].beside`);
  });
}

/**
 * What is typed as it is sent: without marks that nobody sees, and without blanks around it.
 *
 * @param {any} parts
 * @param {any} typed
 */
function trimmed({ lines }, typed) {
  const plain = typed.replace(/\r\n?/g, "\n").replace(lines > 1 ? /\t/g : /[\t\n]/g, " ");
  return Array.from(plain).filter(isLegible).join("").replace(/^[ \n]+|[ \n]+$/g, "");
}

/**
 * The place for a text, with how much room is left in it.
 *
 * @param {Question} question
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 * @param {string} label
 * @param {string} id
 * @returns {{ nodes: HTMLElement[], read(complaint: HTMLElement): Answer }}
 */
export function writing(question, answer, speech, label, id) {
  const { words, number } = speech;
  const { limit, lines } = question;
  const input = lines > 1 ? privateElement("textarea", "number words") : privateElement("input", "number words");
  Object.assign(input, { id, autocomplete: "off", dir: "auto", value: answer?.index ?? "", ...(lines > 1 ? { rows: lines } : { type: "text" }) });
  const room = element("p", { className: "hint", id: `${id}-room` });
  const left = () => limit - trimmed(question, input.value).length;
  const showRoom = () => {
    room.textContent = left() < 0 ? words.textOver(number(-left())) : words.textLeft(number(left()));
  };
  input.addEventListener("input", showRoom);
  showRoom();
  input.setAttribute("aria-describedby", `${id}-hint ${room.id}`);
  const free = question.needed ? "" : `${words.ownEmpty} `;
  const hint = element("p", { className: "hint", id: `${id}-hint` }, free + words.ownHint);
  /** @param {HTMLElement} complaint */
  const read = (complaint) => {
    const text = trimmed(question, input.value);
    if (left() < 0) throw showComplaint(complaint, room.textContent, input);
    if (question.needed && !text) throw showComplaint(complaint, words.needed, input);
    return { index: text || null };
  };
  return { nodes: [element("label", { htmlFor: id }, label), hint, input, room], read };
}

/**
 * @param {Question} question
 * @param {Draws} draws
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 * @returns {Field}
 */
function textField(question, draws, answer, speech) {
  const { nodes, read } = writing(question, answer, speech, speech.words.ownWords, "words");
  const complaint = complaintLine();
  return { node: group(nodes, complaint), read: () => read(complaint) };
}

questionKinds.text = {
  /**
   * Every character, counted as browsers do, takes at most as much of a report as its number does.
   *
   * @param {Question} question
   */
  maxLength: ({ limit }) => '""'.length + UNIT * limit,
  /**
   * Whether a report may carry a text: legible, not too long, neither empty nor blank at an end.
   *
   * @param {Question} question
   * @param {string} text
   */
  isValid({ limit, lines }, text) {
    const unused = lines > 1 ? /[\t\r]/ : /[\t\r\n]/;
    return isLegible(text) && FILLED.test(text) && text.length <= limit && !unused.test(text);
  },
  /**
   * @param {Question} question
   * @param {string} text
   */
  encode(question, text) {
    if (questionKinds.text.isValid(question, text)) return text;
    throw new RangeError(`answers.${question.name}: allowed: 1 to ${question.limit} characters`);
  },
  /**
   * @param {any} _
   * @param {string} text
   * @param {Speech} speech
   */
  label: (_, text, { language, inside }) => inside({ [language]: text }),
};
questionShapes.text = [TEXT];
fieldTypes.text = textField;
register({
  name: "texts",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(({ kind }) => kind === "text"),
  validate: validateTexts,
});
