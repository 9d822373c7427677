// A number in a stretch of the line that is sent as it is: said beforehand, and never asked for twice.

import { option, radio } from "./controls.js";
import { fieldTypes } from "./field.js";
import { stepOf } from "./line.js";
import { capital, exactPhrase, openOf } from "./ranges.js";
import { numberField } from "./reading.js";

// One more choice, with a place for the number that shows once it is chosen (controls.css).
function exactRow(question, given, speech) {
  const { words } = speech;
  const chosen = radio(given?.typed !== undefined);
  const phrase = exactPhrase(question, speech);
  const openAt = (line, number) => {
    const step = stepOf(line, number);
    return openOf(question).some(([above, upTo]) => above <= step && step < upTo) ? step : undefined;
  };
  const about = { label: words.exactNumber, at: openAt, beyond: words.typeExact(phrase) };
  const { row, status, read } = numberField(question, given, speech, about);
  row.className += " revealed";
  return { radio: chosen, nodes: [option(chosen, capital(phrase, speech), words.sentExactly), row, status], read };
}

fieldTypes.exact = exactRow;
