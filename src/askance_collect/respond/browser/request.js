// What is sent, shown on request: where it may be untrue, who sees "yes" beside their "no" is frightened.
// So it is fixed and sent in one step, or fixed and shown to whoever asks; a survey may choose to show it
// to everybody. A page on whose form all that is sent is true goes without this module.

import { button, buttons, foldOut, paragraph } from "./element.js";
import { register } from "./hooks.js";
import { sendingLine, submit } from "./review.js";

// Schema: review
const REVIEW = { review: "open" };

/**
 * Whether everybody is shown what is sent.
 *
 * @param {Form} form
 */
const isOpen = ({ review }) => review !== undefined;

/**
 * Below the answers: one button sends, and another one shows first what would be sent.
 *
 * @param {Visit} visit
 */
function renderSubmit(visit) {
  if (isOpen(visit.form)) return undefined;
  const { speech, back, bind } = visit;
  const { words } = speech;
  const status = sendingLine(visit);
  const send = button(words.sendNow, () => submit(visit, send, status), "main");
  return [
    paragraph(`${words.differs} ${words.bindHint}`),
    buttons(button(words.bind, bind)),
    status,
    buttons(button(words.back, back), send),
  ];
}

/**
 * The records of a message that went out, which its sender need not have asked to see.
 *
 * @param {any} records
 * @param {Visit} visit
 */
const wrapRecords = (records, { form, speech }) => (isOpen(form) ? records : [foldOut(speech.words.bind, ...records)]);

register({
  name: "request",
  shapes: REVIEW,
  wrap: { renderSubmit: () => renderSubmit, wrapRecords: () => wrapRecords },
});
