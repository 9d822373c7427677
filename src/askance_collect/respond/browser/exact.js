// A number in a stretch of the line that is sent as it is: said beforehand, and never asked for twice.

import { option, radio } from "./controls.js";
import { fieldTypes } from "./field.js";
import { stepOf } from "./line.js";
import { capital, exactPhrase, openOf } from "./ranges.js";
import { numberField } from "./reading.js";

/**
 * One more choice, with a place for the number that shows once it is chosen (controls.css).
 *
 * @param {Question} question
 * @param {Answer | undefined} answer
 * @param {Speech} speech
 */
function exactRow(question, answer, speech) {
  const { words } = speech;
  const chosen = radio(answer?.typed !== undefined);
  const phrase = exactPhrase(question, speech);
  /**
   * @param {Line} line
   * @param {Fraction} number
   */
  const locateOpen = (line, number) => {
    const step = stepOf(line, number);
    return openOf(question).some(([above, upTo]) => step !== undefined && above <= step && step < upTo) ? step : undefined;
  };
  const about = { label: words.exactNumber, locate: locateOpen, outOfRangeText: words.typeExact(phrase) };
  const { row, status, read } = numberField(question, answer, speech, about);
  row.className += " revealed";
  return { radio: chosen, nodes: [option(chosen, capital(phrase, speech), words.sentExactly), row, status], read };
}

fieldTypes.exact = exactRow;
