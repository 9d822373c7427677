// The last look: what stays beside what is sent, then the exact bytes, then one button.

import { button, buttons, element, foldOut, heading, own, paragraph } from "./element.js";
import { answerLabel } from "./field.js";
import { checkThisPage, contact, sides } from "./screens.js";
import { destination, post } from "./send.js";
import { senders } from "./speech.js";

export function reviewScreen(visit) {
  const { form, fingerprint, draft, speech, back, failed } = visit;
  const { words } = speech;
  const body = draft.body();
  const spaces = body.length - body.trimEnd().length;
  const status = element("p", { className: "status" }, failed ? failure(failed, words) : "");
  status.setAttribute("role", failed ? "alert" : "status");
  const send = button(failed ? words.sendAgain : words.sendNow, () => submit(visit, body, send, status), "main");
  const first = failed
    ? [heading(words.notSent), status, paragraph(words.frozen), buttons(send), contact(form, speech)]
    : [heading(words.review), paragraph(words.reviewHint), paragraph(words.onceHint)];
  return [
    ...first,
    ...form.questions.map((question, at) => item(visit, question, at)),
    element("h2", {}, words.bytes),
    own("pre", "bytes", body),
    paragraph(words.bytesHint(speech.number(body.length), speech.number(spaces)), "hint"),
    ...(failed ? [] : [status, buttons(button(words.back, back), send)]),
    checkThisPage(fingerprint, speech),
  ];
}

function item({ draft, speech, goTo, failed }, question, at) {
  const { words, text } = speech;
  const value = draft.value(at);
  const said = answerLabel(question, draft.draws(at), draft.answer(at), speech);
  const change = button(words.change, () => goTo(at), "small");
  change.setAttribute("aria-label", words.changeThis(text(question.text)));
  const shares = question.kind === "table" && value !== null ? senders(question, value, speech) : [];
  const tells = foldOut(words.tells, element("ul", {}, ...shares.map((line) => element("li", {}, line))));
  return element(
    "section",
    { className: "item" },
    element("h2", {}, text(question.text)),
    sides(question, said, value, speech),
    shares.length > 0 ? tells : "",
    failed ? "" : change,
  );
}

// One message at a time. After a failure the same bytes can go again, and only those.
async function submit(visit, body, send, status) {
  if (visit.sending) return;
  visit.sending = true;
  send.setAttribute("aria-disabled", "true");
  status.textContent = visit.speech.words.sending;
  const answer = await post(destination(visit.form, location.href), body, visit.draft.id());
  visit.sending = false;
  if (answer.id) visit.finish("receipt", answer);
  else if (answer.code === "closed" || answer.code === "conflict") visit.finish(answer.code);
  else visit.retry(answer.code);
}

function failure(code, words) {
  if (code === "busy") return words.busy;
  return code === "unreachable" ? words.unreachable : words.refused(code);
}
