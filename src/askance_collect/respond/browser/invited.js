// Groups by invitation: the address by which somebody comes may name their group behind the #, which no
// server sees; else chance puts them into one. A page whose groups are all by chance goes without this
// module.

import { paragraph } from "./element.js";
import { assert, questionShapes } from "./form.js";
import { renderGroup } from "./groups.js";
import { register } from "./hooks.js";
import { sum } from "./partition.js";

/** @param {Question} question */
const isAssigned = (question) => Object.hasOwn(question, "assigned");

// Schema: table.assigned
const ASSIGNED = { "assigned?": "invitation" };

/**
 * Invitations choose among groups that are all as wide.
 *
 * @param {Form} form
 */
function validateInvited({ questions }) {
  for (const { groups, table } of questions.filter(isAssigned)) {
    assert(groups, "assigned");
    let from = 0;
    for (const { reports } of groups) {
      assert(sum(table.rows[0].slice(from, from + reports)) * groups.length === table.total, "assigned");
      from += reports;
    }
  }
}

/**
 * The position of the group that an address names; -1 where it names none of the question's.
 *
 * @param {Question} question
 * @param {any} parts
 */
function invitedTo({ assigned, groups }, { hash }) {
  const named = new URLSearchParams(hash.slice(1)).get("group");
  return assigned ? groups.findIndex(({ name }) => name === named) : -1;
}

/**
 * Draws moved into that group: what is left of one by the width of a group is uniform in it.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {any} [address]
 */
export function placed(question, draws, address = location) {
  const group = invitedTo(question, address);
  if (group < 0) return draws;
  const width = question.table.total / question.groups.length;
  return [draws[0], group * width + (draws[1] % width)];
}

/**
 * Who put the device there: the invitation, whose writer knows whom it was sent to.
 *
 * @param {Question} question
 * @param {Speech} speech
 */
function renderInvited(question, speech) {
  const { group } = question;
  if (!group || invitedTo(question, location) < 0) return renderGroup(question, speech);
  return [paragraph(speech.words.invited(speech.inside(group.label)))];
}

// A form is no newer one by that.
Object.assign(questionShapes.table[0], ASSIGNED);
register({
  name: "invited",
  version: 1,
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(isAssigned),
  validate: validateInvited,
  wrap: { placeDraws: () => placed, renderHints: () => renderInvited },
});
