// A list to tick as one answer, whose item i is bit i of its position. A page whose form has no list goes
// without this module.

import { complaintLine, group, option, showComplaint } from "./controls.js";
import { element, paragraph } from "./element.js";
import { fieldTypes } from "./field.js";
import { assert, questionShapes } from "./form.js";
import { register } from "./hooks.js";

// Schema: table.ticks
const TICKS = { "ticks?": [2, 6] };

/**
 * Whether a question's answers are all sets of what is ticked.
 *
 * @param {Question} question
 */
const isTicked = ({ ticks }) => ticks !== undefined;

/** @param {Form} form */
function validateTicks({ questions }) {
  assert(questions.filter(isTicked).every(({ ticks, answers, groups }) => !groups && answers.length === 2 ** ticks), "ticks");
}

/**
 * A box for each item and two that empty all others: nothing of it, and no answer. What is read has the
 * items that are ticked as bits.
 *
 * @param {Wording[]} items
 * @param {Wording} none
 * @param {any} previous
 * @param {Speech} speech
 * @returns {Field}
 */
function boxesOf(items, none, previous, speech) {
  const { words } = speech;
  const complaint = complaintLine();
  const marks = [...items.map((_, index) => previous > 0 && Boolean((previous >> index) & 1)), previous === 0, previous === null];
  const boxes = marks.map((checked) => Object.assign(element("input", { type: "checkbox", autocomplete: "off" }), { checked }));
  const last = items.length;
  boxes.forEach((box, index) =>
    box.addEventListener("change", () => {
      if (!box.checked) return;
      boxes.forEach((other, otherIndex) => {
        if (other !== box && (index >= last || otherIndex >= last)) other.checked = false;
      });
    }),
  );
  const hint = words.tickAll(speech.inside(none));
  const rows = [...items, none].map((item, index) => option(boxes[index], speech.text(item)));
  const node = group([paragraph(hint, "hint"), ...rows, option(boxes[boxes.length - 1], words.rather)], complaint);
  const read = () => {
    const bits = boxes.map(({ checked }) => checked);
    if (!bits.includes(true)) throw showComplaint(complaint, hint, boxes[0]);
    if (bits.at(-1)) return { index: null };
    return { index: bits.slice(0, last).reduce((mask, bit, index) => mask + (bit ? 2 ** index : 0), 0) };
  };
  return { node, read };
}

/**
 * @param {Question} question
 * @param {Draws} draws
 * @param {any} bits
 * @param {Speech} speech
 */
function tickField({ ticks, answers, list }, draws, bits, speech) {
  const items = list?.items ?? Array.from({ length: ticks }, (_, index) => answers[2 ** index].label);
  return boxesOf(items, list?.none ?? answers[0].label, bits?.index, speech);
}

fieldTypes.ticks = tickField;
Object.assign(questionShapes.table[0], TICKS);
register({ name: "ticks", detect: ({ questions }) => questions.some(isTicked), validate: validateTicks });
