// How far one person has narrowed a range. What was agreed to is a step; what was seen stays seen:
// at a range whose next number is known there is no stopping any more, only another side.

import { nextCut, stepIn } from "./partition.js";

export function openTrail(question, draws) {
  const start = { cell: [0, question.line.ticks], steps: 0 };
  const seen = new Set();
  let at = start;
  return {
    // Whether the person has said that the answer is in no stretch that is sent exactly.
    outside: false,
    cell: () => at.cell,
    moved: () => at.steps > 0,
    // The number that would be shown next and its two sides; undefined where there is none.
    next: () => upcoming(question, draws, at),
    revealed: () => seen.has(at.cell.join()),
    reveal() {
      seen.add(at.cell.join());
    },
    take(side) {
      at = { cell: side, steps: upcoming(question, draws, at).steps };
    },
    restart() {
      at = start;
      this.outside = false;
    },
    answer: () => ({ index: stepIn(question, at.cell), steps: at.steps }),
  };
}

// A cut beyond which everything is sent exactly asks nothing: it is passed, and counted.
function upcoming(question, draws, { cell, steps }) {
  const tick = nextCut(question, draws, cell);
  if (tick === undefined) return undefined;
  const sides = [
    [cell[0], tick],
    [tick, cell[1]],
  ];
  const live = sides.filter((side) => stepIn(question, side) !== undefined);
  if (live.length === 1) return upcoming(question, draws, { cell: live[0], steps: steps + 1 });
  return { tick, sides, steps: steps + 1 };
}
