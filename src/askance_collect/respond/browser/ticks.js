// A list to tick as one answer, whose item i is bit i of its position. A page whose form has no list goes
// without this module.

import { isIndex } from "./askance.js";
import { complain, complaintLine, group, option } from "./controls.js";
import { element, paragraph } from "./element.js";
import { fieldTypes } from "./field.js";
import { assert } from "./form.js";
import { register } from "./hooks.js";

const MOST_TICKED = 6;

// Whether a question's answers are all sets of what is ticked.
const isTicked = ({ ticks }) => ticks !== undefined;

function validateTicks({ questions }) {
  for (const { kind, ticks, answers, groups } of questions.filter(isTicked)) {
    assert(kind === "table" && isIndex(ticks, MOST_TICKED + 1) && ticks > 1 && groups === undefined && answers.length === 2 ** ticks, "ticks");
  }
}

// A box for each item and two that empty all others: nothing of it, and no answer. What is read has the
// items that are ticked as bits.
function boxesOf(text, items, none, given, speech) {
  const { words } = speech;
  const complaint = complaintLine();
  const marks = [...items.map((_, at) => given > 0 && Boolean((given >> at) & 1)), given === 0, given === null];
  const boxes = marks.map((checked) => Object.assign(element("input", { type: "checkbox", autocomplete: "off" }), { checked }));
  const last = items.length;
  boxes.forEach((box, at) =>
    box.addEventListener("change", () => {
      if (!box.checked) return;
      boxes.forEach((other, to) => {
        if (other !== box && (at >= last || to >= last)) other.checked = false;
      });
    }),
  );
  const told = words.tickAll(speech.inside(none));
  const rows = [...items, none].map((item, at) => option(boxes[at], speech.text(item)));
  const node = group({ text }, speech, [paragraph(told, "hint"), ...rows, option(boxes.at(-1), words.rather)], complaint);
  const read = () => {
    const bits = boxes.map(({ checked }) => checked);
    if (!bits.includes(true)) throw complain(complaint, told, boxes[0]);
    if (bits.at(-1)) return { index: null };
    return { index: bits.slice(0, last).reduce((mask, bit, at) => mask + (bit ? 2 ** at : 0), 0) };
  };
  return { node, read };
}

function tickField({ text, ticks, answers, list }, draws, given, speech) {
  const items = list?.items ?? Array.from({ length: ticks }, (_, at) => answers[2 ** at].label);
  return boxesOf(text, items, list?.none ?? answers[0].label, given?.index, speech);
}

fieldTypes.ticks = tickField;
register({ name: "ticks", detect: ({ questions }) => questions.some(isTicked), validate: validateTicks });
