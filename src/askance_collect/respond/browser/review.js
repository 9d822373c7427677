// The last look, in two steps: the answers alone, while they can still be changed; then what is sent,
// which was fixed before it is shown, with the rest of it, and the exact bytes, one tap away.

import { button, buttons, element, foldOut, heading, paragraph, partOf, privateElement } from "./element.js";
import { answerLabel } from "./field.js";
import { hooks } from "./hooks.js";
import { checkThisPage, reads, sides } from "./screens.js";
import { destination, post } from "./send.js";
import { senders } from "./speech.js";

/** @type {PageScreen} */
export const reviewScreen = { render: (visit) => (visit.draft.isBound() ? renderRecords(visit) : renderAnswers(visit)) };

/**
 * @param {Visit} visit
 * @returns {any[]}
 */
function renderAnswers(visit) {
  const { form, draft, speech, back, goTo, bind } = visit;
  const { words } = speech;
  /**
   * @param {string} question
   * @param {string} label
   * @param {number} index
   */
  const row = (question, label, index) => {
    const change = button(words.change, () => goTo(index), "small");
    change.setAttribute("aria-label", words.changeThis(question));
    return element("section", { className: "item given" }, element("h2", {}, question), privateElement("p", "", label), change);
  };
  /**
   * @param {any} parts
   * @param {number} index
   */
  const item = ({ text }, index) => (draft.answer(index)?.skipped ? "" : row(speech.text(text), answerText(visit, index), index));
  const last = hooks.renderSubmit(visit) ?? [
    paragraph(words.bindHint),
    buttons(button(words.back, back), button(words.bind, bind, "main")),
  ];
  return [heading(words.answers), ...hooks.renderAnswers(form.questions.map(item), visit, row), ...last];
}

/**
 * @param {Visit} visit
 * @returns {HTMLElement[]}
 */
function renderRecords(visit) {
  const { form, fingerprint, draft, speech } = visit;
  const { words } = speech;
  const sealed = draft.isSealed();
  const status = sendingLine(visit);
  const bytes = privateElement("pre", "bytes");
  const hint = paragraph("", "hint");
  const show = () => {
    const body = draft.body();
    const spaces = body.length - body.trimEnd().length;
    bytes.textContent = body + hooks.stamp(visit);
    hint.textContent = words.bytesHint(speech.number(bytes.textContent.length), speech.number(spaces));
  };
  show();
  const send = button(sealed ? words.sendAgain : words.sendNow, () => submit(visit, send, status), "main");
  const check = checkThisPage(fingerprint, speech);
  const shown = [...form.questions.keys()].filter((index) => hooks.isRecorded(visit, index));
  const records = [...shown.map((index) => renderRecord(visit, index, sealed, show)), foldOut(words.bytes, bytes, hint)];
  if (sealed) return [heading(words.notSent), status, paragraph(words.frozen), ...hooks.wrapRecords(records, visit), check, buttons(send)];
  return [heading(words.review), paragraph(words.onceHint), ...records, check, status, buttons(send)];
}

/**
 * How sending goes, or what went wrong with it.
 *
 * @param {Visit} visit
 */
export function sendingLine({ state, speech: { words } }) {
  const status = element("p", { className: "status" }, state.failure ? failure(state.failure, words) : "");
  status.setAttribute("role", state.failure ? "alert" : "status");
  return status;
}

/**
 * One record: what it reads and, one tap away, what that means. Until the message has gone out it can be
 * left blank, and taken up again as it was.
 *
 * @param {Visit} visit
 * @param {number} index
 * @param {boolean} sealed
 * @param {() => void} show
 */
function renderRecord(visit, index, sealed, show) {
  const { form, draft, speech } = visit;
  const title = speech.text(form.questions[index].text);
  const checked = draft.isDropped(index);
  const fixed = sealed || form.questions[index].needed || (draft.value(index) === null && !checked);
  const [read, details] = [privateElement("p", ""), element("div", {})];
  const tell = () => {
    read.textContent = reads(hooks.resolveQuestion(form.questions[index], null, draft.value(index)), draft.value(index), speech);
    details.replaceChildren(...recordSides(visit, index));
  };
  const control = element("input", { type: "checkbox", autocomplete: "off", checked });
  control.setAttribute("aria-label", `${speech.words.drop}: ${title}`);
  control.addEventListener("change", () => {
    draft.drop(index, control.checked);
    tell();
    show();
  });
  tell();
  const label = element("label", { className: "option" }, control, element("span", {}, speech.words.drop));
  return element("details", { className: "item" }, element("summary", {}, element("h2", {}, title), read), details, fixed ? "" : label);
}

/**
 * @param {Visit} visit
 * @param {number} index
 */
function recordSides(visit, index) {
  const { form, draft, speech } = visit;
  const value = draft.value(index);
  const question = hooks.resolveQuestion(form.questions[index], null, value);
  const shares = question.kind === "table" && value !== null ? senders(question, value, speech) : [];
  const list = element("ul", {}, ...shares.map((line) => element("li", {}, line)));
  return [sides(question, answerText(visit, index), value, speech), ...(shares.length > 0 ? [foldOut(speech.words.tells, list)] : [])];
}

/**
 * A person's own answer in words; nothing where a reload has forgotten it.
 *
 * @param {Visit} visit
 * @param {number} index
 * @returns {any}
 */
function answerText({ form, draft, speech }, index) {
  const answer = draft.answer(index);
  if (answer?.skipped && answer.index === null) return "";
  return answer && answerLabel(form.questions[index], draft.draws(index), answer, speech);
}

/**
 * One message at a time, fixed before it goes. After a failure the same bytes can go again, and only those.
 *
 * @param {Visit} visit
 * @param {HTMLElement} send
 * @param {HTMLElement} status
 */
export async function submit(visit, send, status) {
  const { draft, speech } = visit;
  if (visit.state.isSending) return;
  visit.dispatch({ type: "send" });
  try {
    if (!draft.isBound()) await draft.bind();
    draft.seal();
    for (const control of partOf("main").querySelectorAll(":is(input, button:not(.main))")) control.disabled = true;
    send.setAttribute("aria-disabled", "true");
    status.textContent = speech.words.sending;
    conclude(visit, await deliver(visit, status));
  } catch (fault) {
    visit.retry(draft.isBound() ? "unreachable" : undefined);
    throw fault;
  }
}

/**
 * @param {Visit} visit
 * @param {HTMLElement} status
 */
async function deliver(visit, status) {
  const { draft, form } = visit;
  const stamp = await hooks.stamp(visit, status);
  return (visit.post ?? post)(destination(form, location.href), draft.body(), draft.id(), stamp);
}

/**
 * @param {Visit} visit
 * @param {any} answer
 */
function conclude(visit, answer) {
  if (answer.id) visit.finish("receipt", answer);
  else if (answer.code === "closed" || answer.code === "conflict") visit.finish(answer.code);
  else visit.retry(answer.code);
}

/**
 * @param {string} code
 * @param {Words} words
 */
function failure(code, words) {
  if (code === "busy") return words.busy;
  if (code === "blocked") return words.blocked;
  return code === "unreachable" ? words.unreachable : words.refused(code);
}
