// The screens before the questions: consent, practice and the card. Each gives the nodes to show.

import { draw, encode, questionKinds, systemWord } from "./askance.js";
import { asksFor, clearOnInput, complaintLine, showComplaint } from "./controls.js";
import { button, buttons, element, foldOut, heading, paragraph, paragraphs, privateElement } from "./element.js";
import { answerLabel, fieldFor, fieldTypes } from "./field.js";
import { hooks } from "./hooks.js";
import { derive } from "./screen.js";
import { blankSentence, frequencies, howMuch, isProtected, isTruthful, oddsTexts, recordLabel, stillPossible } from "./speech.js";

/** @type {PageScreen} */
export const consentScreen = { render: (visit) => hooks.renderConsent(renderConsent(visit), visit) };

/** @param {Visit} visit */
function renderConsent({ form, fingerprint, speech, forward, state }) {
  const { words, text } = speech;
  const { check } = oddsTexts.proofTexts?.(form.questions, words) ?? {};
  const agreed = element("input", { type: "checkbox", autocomplete: "off" });
  const complaint = complaintLine();
  clearOnInput(agreed, complaint);
  const begin = () => {
    if (agreed.checked) return forward();
    return showComplaint(complaint, words.agreeFirst, agreed);
  };
  return [
    heading(text(form.title)),
    ...paragraphs(text(form.consent)),
    ...(check ? [paragraph(check)] : []),
    element("label", { className: "option" }, agreed, element("span", {}, words.agree)),
    complaint,
    buttons(button(words.begin, begin, "main")),
    statusLine(state.status, words),
    paragraph(`${words.nothingYet} ${words.leaveHint}`, "hint"),
    checkThisPage(fingerprint, speech),
  ];
}

/**
 * What the collector said of the survey, or that it said nothing: the answer may come after the screen.
 *
 * @param {string | undefined} status
 * @param {Words} words
 */
export function statusLine(status, words) {
  const line = paragraph(status === "silent" ? words.silent : "", "hint");
  line.setAttribute("role", "status");
  return Object.assign(line, { id: "door" });
}

/**
 * @param {string} fingerprint
 * @param {Speech} speech
 */
export function checkThisPage(fingerprint, { words }) {
  const code = element("p", { className: "code", translate: false }, fingerprint);
  return foldOut(words.check, paragraph(words.checkFingerprint), code, paragraph(words.checkCode));
}

// A practice question is asked in one step.
/** @type {any} */
const NO_TRAIL = undefined;

/**
 * What was tried of the practice question, by whose draft: until its owner goes on.
 *
 * @type {WeakMap<Draft, Trial>}
 */
const trials = new WeakMap();

// A harmless question of the survey's own kind, with throw-away draws: tried, shown, and forgotten.
/** @type {PageScreen} */
export const practiceScreen = {
  render(visit) {
    const { draft } = visit;
    const trial = trials.get(draft) ?? {};
    trials.set(draft, trial);
    const forward = () => {
      trials.delete(draft);
      visit.forward();
    };
    return renderPractice(derive(visit, { forward }), trial);
  },
};

/**
 * @param {Visit} visit
 * @param {Trial} trial
 */
function renderPractice(visit, trial) {
  const { form, speech, back } = visit;
  const { words } = speech;
  const named = form.questions.some(({ kind }) => kind === "table");
  const question = named ? practiceNames(speech) : fieldTypes.practice(speech);
  trial.draws ??= draw(question, systemWord);
  const { draws } = trial;
  const field = fieldFor(question, draws, trial.answer, speech, NO_TRAIL);
  const outcome = element("div", { className: "outcome" });
  const row = buttons(button(words.back, back), button(words.proceed, reveal, "main"));
  function reveal() {
    trial.answer = readField(field);
    showOutcome();
    outcome.querySelector("h2")?.focus();
  }
  function showOutcome() {
    if (!trial.answer) return;
    row.remove();
    field.node.disabled = true;
    outcome.replaceChildren(...practiceOutcome(question, trial.answer, draws, visit, trial));
  }
  const nodes = [
    heading(words.practice),
    paragraph(words.practiceHint, "hint"),
    asksFor(element("h2", { className: "ask" }, speech.text(question.text))),
    ...protection(question, draws, speech, field.node),
    outcome,
  ];
  showOutcome();
  return trial.answer ? nodes : [...nodes, row];
}

/**
 * @param {Question} question
 * @param {Answer} answer
 * @param {Draws} draws
 * @param {Visit} visit
 * @param {Trial} trial
 */
function practiceOutcome(question, answer, draws, { form, speech, forward, back }, trial) {
  const { words } = speech;
  const { check = "" } = oddsTexts.proofTexts?.(form.questions, words) ?? {};
  const value = encode(question, answer.index, draws);
  const feedback = element("p", { className: "feedback" });
  feedback.setAttribute("role", "status");
  const onward = button(words.proceed, forward, "main");
  const showFeedback = () => {
    onward.hidden = trial.isRight === undefined;
    if (!onward.hidden) feedback.textContent = `${trial.isRight ? words.checkRight : words.checkWrong} ${words.checkWhy} ${check}`;
  };
  /** @param {boolean} isRight */
  const reply = (isRight) => () => {
    trial.isRight = isRight;
    showFeedback();
  };
  showFeedback();
  return [
    element("h2", { tabIndex: -1 }, words.practiceTry),
    sides(question, answerLabel(question, draws, answer, speech), value, speech),
    element("h2", {}, words.checkQuestion),
    buttons(button(words.checkNo, reply(false)), button(words.checkYes, reply(true))),
    feedback,
    buttons(button(words.back, back), onward),
  ];
}

/**
 * @param {Speech} speech
 * @returns {any}
 */
function practiceNames({ words, language }) {
  const labels = words.practiceAnswers.map((/** @type {string} */ text) => ({ name: text, label: { [language]: text } }));
  const reports = labels.map((/** @type {Label} */ label, /** @type {number} */ index) => ({ ...label, means: [index] }));
  const table = { total: 4, rows: [[3, 1], [1, 3]] };
  const text = { [language]: words.practiceText };
  return { kind: "table", name: "practice", text, answers: labels, reports, table, blank: [0, 1] };
}

/** @type {PageScreen} */
export const cardScreen = { render: renderCard };

/** @param {Visit} visit */
function renderCard({ form, speech, forward, back }) {
  const { words } = speech;
  const lines = cardLines(form.questions, words).map(([title, line]) =>
    element("li", {}, element("strong", {}, title), element("span", {}, line)),
  );
  return [
    heading(words.card),
    element("ol", { className: "card" }, ...lines),
    buttons(button(words.back, back), button(words.proceed, forward, "main")),
  ];
}

/**
 * What leaves, what can be told, what not, what could go wrong; each kind of question has its word.
 *
 * @param {Question[]} questions
 * @param {Words} words
 */
function cardLines(questions, words) {
  const { lines = [], hidden = words.cardHidden } = questionKinds.cuts?.cardTexts(questions, words) ?? {};
  const { card = `${hidden} ${words.cardShared}` } = oddsTexts.proofTexts?.(questions, words) ?? {};
  return [
    [words.cardLeaves, words.cardRecord],
    [words.cardTells, [words.cardTold, ...lines].join(" ")],
    [words.cardHides, card],
    [words.cardRisks, words.cardWrong],
  ];
}

/**
 * Around a protected question's controls: what it sends, how often, and the figures for the curious.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Speech} speech
 * @param {HTMLElement} controls
 * @param {string[]} [first] What is said before what its records can prove.
 * @returns {HTMLElement[]}
 */
export function protection(question, draws, speech, controls, first = []) {
  const { words } = speech;
  const tells = foldOut(words.tells, paragraph(howMuch(question, speech)));
  const texts = [...first, ...(oddsTexts.proofBadges?.(question, speech) ?? [])];
  const badges = (texts.length > 0 ? texts : [isTruthful(question) ? words.broad : words.noisy]).map((text) => paragraph(text, "badge guarded"));
  const odds = oddsOf(question, draws, speech);
  return question.kind === "table" ? [...badges, controls, odds, tells] : [...badges, odds, controls, tells];
}

/**
 * @param {Question} question
 * @param {Draws} draws
 * @param {Speech} speech
 */
function oddsOf(question, draws, speech) {
  const { words } = speech;
  const blank = [blankSentence(question, speech)].filter(Boolean);
  if (questionKinds[question.kind]) {
    const lines = [...questionKinds[question.kind].describeOdds(question, draws, speech), ...blank];
    return element("section", { className: "odds" }, ...lines.map((line) => paragraph(line)));
  }
  const sets = oddsTexts.describeSets?.(question, speech);
  const lines = sets?.lines ?? frequencies(question, speech);
  const list = lines.length > 1 ? element("ul", {}, ...lines.map((/** @type {string} */ line) => element("li", {}, line))) : paragraph(lines[0]);
  const before = blank.map((line) => paragraph(`${line} ${words.others}`));
  if (sets) before.push(paragraph(sets.hint));
  const drawn = () => (!sets && oddsTexts.drawDots?.(question, lines, list, speech)) || [list];
  const nodes = lines.length > 5 ? [...before, foldOut(words.odds, list)] : [element("h2", {}, words.odds), ...before, ...drawn()];
  return element("section", { className: "odds" }, ...nodes);
}

/**
 * The two sides of a report: what stays, if the page still knows it, and what is sent.
 *
 * @param {Question} question
 * @param {string} text
 * @param {Value} value
 * @param {Speech} speech
 */
export function sides(question, text, value, speech) {
  const { words } = speech;
  const asGiven = !isProtected(question) || question.count || (value !== null && questionKinds[question.kind]?.isExact?.(question, value));
  return element(
    "dl",
    { className: "sides" },
    text ? element("div", {}, element("dt", {}, asGiven ? words.yours : words.yoursOnly), privateElement("dd", "", text)) : "",
    element("div", { className: "out" }, element("dt", {}, words.sent), privateElement("dd", "", ...recordNodes(question, value, speech))),
  );
}

/**
 * A record in neutral words, with what it may mean.
 *
 * @param {Question} question
 * @param {Value} value
 * @param {Speech} speech
 */
function recordNodes(question, value, speech) {
  const { words } = speech;
  const hint = value === null ? blankHint(question, words) : recordHint(question, value, speech);
  return [paragraph(reads(question, value, speech)), paragraph(hint, "hint")];
}

/**
 * @param {Question} question
 * @param {Value} value
 * @param {Speech} speech
 */
export const reads = (question, value, speech) =>
  value === null ? speech.words.readsNothing : speech.words.reads(recordLabel(question, value, speech));

/**
 * Whose doing a blank can be.
 *
 * @param {Question} question
 * @param {Words} words
 */
function blankHint(question, words) {
  const chance = question.blank?.[0] > 0;
  if (questionKinds[question.kind]?.isWithheld?.(question)) return chance ? words.withheldOrChance : words.withheldHint;
  return chance ? words.blankOrChance : words.blankHint;
}

/**
 * @param {Question} question
 * @param {Value} value
 * @param {Speech} speech
 */
function recordHint(question, value, speech) {
  const { words } = speech;
  const proof = oddsTexts.proofText?.(question, value, speech);
  if (proof) return proof;
  if (!isProtected(question)) return words.plain;
  if (questionKinds[question.kind]) return questionKinds[question.kind].recordHint(question, value, speech);
  if (!isTruthful(question)) return words.noisyHint;
  return `${words.broadHint} ${stillPossible(question, value, speech)}`.trim();
}

/**
 * What a field holds, or undefined after it has complained.
 *
 * @param {Pick<Field, "read">} field
 */
export function readField(field) {
  try {
    return field.read();
  } catch (/** @type {any} */ complaint) {
    if (complaint.name === "Complaint") return undefined;
    throw complaint;
  }
}
