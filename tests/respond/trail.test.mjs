// Whoever narrows a range on the page sends what the encoder sends: every draw, every side, every stop.

import assert from "node:assert/strict";
import { test } from "node:test";

import { encode } from "../../src/askance_collect/respond/browser/askance.js";
import "../../src/askance_collect/respond/browser/cuts.js";
import { keeps, nextCut, remainder } from "../../src/askance_collect/respond/browser/partition.js";
import { openTrail } from "../../src/askance_collect/respond/browser/trail.js";

const TICKS = 6;
const line = { lower: "0", step: "1", ticks: TICKS, unit: {} };
const floor = { sizes: [1, 2, 0, 1, 1, 1], least: 2, rule: "skip" };
const LAWS = {
  free: { floor: null, open: [] },
  floored: { floor, open: [] },
  opened: { floor: null, open: [[0, 1], [4, 6]] },
  both: { floor: { ...floor, sizes: [1, 2, 0, 0, 1, 1] }, open: [[2, 4]] },
};

const asked = (law) => ({
  kind: "cuts", name: "x", line, ask: "narrow", typed: false, blank: [0, 1],
  cuts: { number: 3, weights: [1, 1, 1, 1, 1], ...law },
});

function* draws() {
  for (let a = 0; a < 5; a += 1) for (let b = 0; b < 5; b += 1) for (let c = 0; c < 5; c += 1) yield [0, a, b, c];
}

// Every place that someone can come to, with the sides taken on the way.
function* places(question, drawn, sides = []) {
  const trail = openTrail(question, drawn);
  for (const side of sides) trail.take(trail.next().sides[side]);
  yield trail;
  if (trail.next() === undefined) return;
  for (const side of [0, 1]) yield* places(question, drawn, [...sides, side]);
}

const same = (question, one, other) =>
  assert.deepEqual(remainder(question, one), remainder(question, other));

for (const [name, law] of Object.entries(LAWS)) {
  test(`${name}: the range shown is the range sent, for every answer in it`, () => {
    const question = asked(law);
    let seen = 0;
    for (const drawn of draws()) {
      for (const trail of places(question, drawn)) {
        const { index, steps } = trail.answer();
        const inside = remainder(question, trail.cell()).flatMap(([above, upTo]) =>
          Array.from({ length: upTo - above }, (_, at) => above + at),
        );
        assert.ok(inside.includes(index));
        for (const step of inside) same(question, encode(question, step, drawn, steps), trail.cell());
        if (law.floor) assert.ok(keeps(law.floor, trail.cell()));
        seen += 1;
      }
    }
    assert.ok(seen > 300);
  });
}

test("each number shown has an answer on either side, and ends where the encoder ends", () => {
  const question = asked(LAWS.opened);
  for (const drawn of draws()) {
    for (const trail of places(question, drawn)) {
      const next = trail.next();
      if (next) for (const side of next.sides) assert.ok(remainder(question, side).length > 0);
      else same(question, encode(question, trail.answer().index, drawn), trail.cell());
    }
  }
});

test("what was revealed stays so, and starting again changes no number", () => {
  const question = asked(LAWS.free);
  const drawn = [0, 2, 0, 4];
  const trail = openTrail(question, drawn);
  assert.equal(trail.revealed(), false);
  trail.reveal();
  const { tick, sides } = trail.next();
  assert.equal(tick, nextCut(question, drawn, [0, TICKS]));
  trail.take(sides[1]);
  assert.equal(trail.revealed(), false);
  trail.restart();
  assert.equal(trail.revealed(), true);
  assert.equal(trail.next().tick, tick);
  assert.deepEqual(trail.answer(), { index: 0, steps: 0 });
});
