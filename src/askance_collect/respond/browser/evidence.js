// Evidence on how people are asked: the group into which the draw of one question has put this device reads the
// card or the practice question first, and there an explanation of its own. What is said around that question does
// not show which of its answers is right. A page whose form asks for no such evidence goes without this module.

import { element, paragraphs } from "./element.js";
import { assert, isWording } from "./form.js";
import { resolveGroup } from "./groups.js";
import { register } from "./hooks.js";
import { changeScreen } from "./screen.js";
import { cardScreen, practiceScreen, protection } from "./screens.js";

// Schema: evidence
const EVIDENCE = { evidence: { question: [0], groups: [{ first: /^(card|picture)$/, "text?": isWording }, 1] } };

/** @param {Form} form */
function validateEvidence({ evidence, questions }) {
  const { groups, assigned } = questions[evidence.question] ?? {};
  assert(groups && assigned === undefined, "evidence.question");
  assert(evidence.groups.length === groups.length, "evidence.groups");
}

/**
 * The question with the chances of this device's group.
 *
 * @param {Visit} visit
 */
const drawnQuestion = ({ form: { evidence, questions }, draft }) =>
  resolveGroup(questions[evidence.question], draft.draws(evidence.question));

/**
 * What is read by this device's group, where the form asks for evidence.
 *
 * @param {Visit} visit
 */
function explanationOf(visit) {
  const { evidence } = visit.form;
  if (!evidence) return undefined;
  const { groups, group } = drawnQuestion(visit);
  return group && evidence.groups[groups.indexOf(group)];
}

/**
 * The card and the practice question, of which each stands in the place of the other where the card comes first.
 *
 * @param {PageScreen["render"]} render
 * @param {PageScreen["render"]} other
 * @param {boolean} isFirst
 * @returns {PageScreen["render"]}
 */
const inOrder = (render, other, isFirst) => (visit) => {
  const { first, text } = explanationOf(visit) ?? {};
  const [title, ...nodes] = (first === "card" ? other : render)(visit);
  return [title, ...(isFirst && text ? paragraphs(visit.speech.text(text)) : []), ...nodes];
};

const [practice, card] = [practiceScreen.render, cardScreen.render];
practiceScreen.render = inOrder(practice, card, true);
cardScreen.render = inOrder(card, practice, false);

/**
 * A question whose answers are the classes of those that are sent alike, each called as the report that means it.
 *
 * @param {Question} question
 * @returns {Question}
 */
export function joinAlike({ group, ...question }) {
  const { answers, reports, table } = question;
  /** @param {Wording} label */
  const withoutGroup = (label) =>
    Object.fromEntries(Object.entries(label).map(([tag, text]) => [tag, group ? text.slice(`${group.label[tag]}: `.length) : text]));
  const spelt = table.rows.map(String);
  const classes = reports.flatMap(({ label, means }, column) => {
    const row = spelt[means[0]];
    const isClass = table.rows.some((entries) => entries[column]) && means.length === spelt.filter((other) => other === row).length;
    return isClass && means.every((answer) => spelt[answer] === row) ? [{ label: withoutGroup(label), row: table.rows[means[0]] }] : [];
  });
  if (classes.length < 2) return { ...question, group };
  const rows = classes.map(({ row }) => row);
  const joined = classes.map(({ label }, index) => ({ ...answers[index], label }));
  return { ...question, group, answers: joined, table: { ...table, rows } };
}

/**
 * What the screen says of the chances says it of right and of other answers.
 *
 * @param {HTMLElement[]} nodes
 * @param {Visit} visit
 */
function hideRight(nodes, visit) {
  const { form, draft, speech } = visit;
  const question = joinAlike(drawnQuestion(visit));
  const [odds] = protection(question, draft.draws(form.evidence.question), speech, element("div")).filter(({ className }) => className === "odds");
  return nodes.map((node) => (node.className === "odds" ? odds : node));
}

/** @type {Wrapper<"arrangeSteps">} */
const hideRightAnswer = (next) => (steps, form) =>
  next(
    steps.map((step) => {
      const isAsked = step.question !== undefined && step.question === form.evidence?.question;
      return isAsked ? { ...step, screen: changeScreen(step.screen, hideRight) } : step;
    }),
    form,
  );

register({
  name: "evidence",
  shapes: EVIDENCE,
  validate: validateEvidence,
  wrap: { arrangeSteps: hideRightAnswer },
});
