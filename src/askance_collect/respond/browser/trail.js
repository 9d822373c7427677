// How far one person has narrowed a range. What was agreed to is a step; what was seen stays seen:
// at a range whose next number is known there is no stopping any more, only another side.

import { nextCut, stepIn } from "./partition.js";

/**
 * What is known of the way is data beside the methods, so that it can be put away and taken up again.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @returns {Trail}
 */
export function openTrail(question, draws) {
  const start = { cell: [0, question.line.ticks], steps: 0 };
  return {
    at: start,
    seen: [],
    // Whether the person has said that the answer is in no stretch that is sent exactly.
    outside: false,
    cell() {
      return this.at.cell;
    },
    moved() {
      return this.at.steps > 0;
    },
    // The number that would be shown next and its two sides; undefined where there is none.
    next() {
      return nextStop(question, draws, this.at);
    },
    revealed() {
      return this.seen.includes(this.at.cell.join());
    },
    reveal() {
      this.seen.push(this.at.cell.join());
    },
    /** @param {any} side */
    take(side) {
      this.at = { cell: side, steps: this.next()?.steps ?? 0 };
    },
    restart() {
      Object.assign(this, { at: start, outside: false });
    },
    answer() {
      return { index: stepIn(question, this.at.cell), steps: this.at.steps };
    },
  };
}

/**
 * A cut beyond which everything is sent exactly asks nothing: it is passed, and counted.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {{ cell: Cell, steps: number }} place
 * @returns {Stop | undefined}
 */
function nextStop(question, draws, { cell, steps }) {
  const tick = nextCut(question, draws, cell);
  if (tick === undefined) return undefined;
  const sides = [
    [cell[0], tick],
    [tick, cell[1]],
  ];
  const live = sides.filter((side) => stepIn(question, side) !== undefined);
  if (live.length === 1) return nextStop(question, draws, { cell: live[0], steps: steps + 1 });
  return { tick, sides, steps: steps + 1 };
}
