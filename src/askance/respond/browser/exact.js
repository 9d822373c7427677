// A number in a stretch of the line that is sent as it is: said beforehand, and never asked for twice.

import { complain, numberInput, option, radio, readNumber } from "./controls.js";
import { element } from "./element.js";
import { FIELDS } from "./field.js";
import { capital, exactPhrase, openOf } from "./ranges.js";

// One more choice, with a place for the number that shows once it is chosen (controls.css).
function exactRow(question, given, speech) {
  const { words, text } = speech;
  const chosen = radio(given?.typed !== undefined);
  const input = numberInput(given?.typed, question.line);
  const label = element("span", {}, words.exactNumber);
  const unit = element("span", {}, text(question.line.unit));
  const phrase = exactPhrase(question, speech);
  return {
    radio: chosen,
    nodes: [
      option(chosen, capital(phrase, speech), words.sentExactly),
      element("label", { className: "typed revealed" }, label, input, unit),
    ],
    read(complaint) {
      const index = readNumber(question.line, input.value, speech);
      if (!openOf(question).some(([above, upTo]) => above <= index && index < upTo)) {
        throw complain(complaint, words.typeExact(phrase), input);
      }
      return { index, typed: input.value };
    },
  };
}

FIELDS.exact = exactRow;
