// Groups by chance: which one the draw has put this device into, before any answer, and the question
// as that group is asked it. The twin of assigned_group in askance_collect/respond/encode.py. A page whose form
// has no groups goes without this module.

import { paragraph } from "./element.js";
import { areNamed, assert, LABEL, questionShapes } from "./form.js";
import { register } from "./hooks.js";
import { sum } from "./partition.js";
import { outOf100 } from "./speech.js";

// Schema: table.groups
const GROUPS = { "groups?": [{ ...LABEL, reports: [1] }, 2, areNamed] };

/**
 * Every report is of one group, and every answer has the same chance of a group's reports.
 *
 * @param {Form} form
 */
function validateGroups({ questions }) {
  for (const { groups, table: { rows } } of questions.filter(isGrouped)) {
    let from = 0;
    for (const { reports } of groups) {
      const [first, ...others] = rows.map((row) => sum(row.slice(from, from + reports)));
      assert(first > 0 && others.every((units) => units === first), "groups");
      from += reports;
    }
    assert(from === rows[0].length, "groups");
  }
}

/** @param {Question} question */
const isGrouped = ({ groups }) => groups;

/**
 * The question with the chances of one group alone, and that group: the one that a draw of a report
 * falls into or, of what is sent already, the one that it comes from.
 *
 * @type {Hooks["resolveQuestion"]}
 */
export function resolveGroup(question, draws, value) {
  const { groups, table } = question;
  if (groups === undefined || (!draws && value === null)) return question;
  let [from, upto, units, below] = [0, 0, 0, 0];
  const group = groups.find(({ reports }) => {
    [from, upto] = [upto, upto + reports];
    units = sum(table.rows[0].slice(from, upto));
    below += units;
    return draws ? draws[1] < below : value < upto;
  });
  /** @param {number[]} row */
  const own = (row) => row.map((entry, column) => (column >= from && column < upto ? entry : 0));
  return { ...question, group, share: [units, table.total], table: { total: units, rows: table.rows.map(own) } };
}

/**
 * Who put the device there, and that what is sent says so.
 *
 * @type {Hooks["renderHints"]}
 */
export function renderGroup({ group, share }, speech) {
  if (group === undefined) return [];
  return [paragraph(speech.words.groups(speech.inside(group.label), outOf100(BigInt(share[0]), BigInt(share[1]), speech)))];
}

Object.assign(questionShapes.table[0], GROUPS);
register({
  name: "groups",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(isGrouped),
  validate: validateGroups,
  wrap: { resolveQuestion: () => resolveGroup, renderHints: () => renderGroup },
});
