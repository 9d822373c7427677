// Groups by chance: which one the draw has put this device into, before any answer, and the question
// as that group is asked it. The twin of assigned_group in askance_collect/respond/encode.py. A page whose form
// has no groups goes without this module.

import { isIndex } from "./askance.js";
import { paragraph } from "./element.js";
import { checkLabels } from "./form.js";
import { register } from "./hooks.js";
import { sum } from "./partition.js";
import { outOf100 } from "./speech.js";

/**
 * Every report is of one group, and every answer has the same chance of a group's reports.
 *
 * @param {Group[]} groups
 * @param {Table} table
 * @param {string[]} languages
 */
function validateGroups(groups, { rows: [first, ...rest] }, languages) {
  checkLabels(groups, languages, "groups");
  let from = 0;
  /** @param {Group} group */
  const isEven = ({ reports }) => {
    /** @param {number[]} row */
    const units = (row) => sum(row.slice(from, from + reports));
    const even = isIndex(reports - 1, first.length) && units(first) > 0 && rest.every((row) => units(row) === units(first));
    from += reports;
    return even;
  };
  return groups.every(isEven) && from === first.length;
}

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

register({
  name: "groups",
  /** @param {Form} form */
  detect: ({ questions }) => questions.some(({ groups }) => groups),
  wrap: { validateGroups: () => validateGroups, resolveQuestion: () => resolveGroup, renderHints: () => renderGroup },
});
