// How a question's draws part its line: known before, and without, any answer. The twin of
// askance_collect/respond/partition.py and of askance_collect/exact/line.py and pair_law.py.

/**
 * The first candidate that narrows a range (above, up to), or undefined. The side on which the
 * answer is plays no part.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @param {Cell} cell
 */
export function nextCut({ cuts: { weights, floor } }, draws, [above, upTo]) {
  const skips = floor?.rule === "skip";
  for (const index of draws.slice(1)) {
    const tick = pick(weights, index) + 1;
    const inside = above < tick && tick < upTo;
    if (inside && !(skips && !(keeps(floor, [above, tick]) && keeps(floor, [tick, upTo])))) return tick;
  }
  return undefined;
}

/**
 * The ranges into which the draws part the line, lowest first; a ring's inside first.
 *
 * @param {Question} question
 * @param {Draws} draws
 * @returns {Cell[]}
 */
export function cells(question, draws) {
  if (question.kind !== "ring") return parted(question, draws, [0, question.line.ticks]);
  const [above, upTo] = pairAt(question.ring, draws[1]);
  return [
    [above, upTo],
    [upTo, above],
  ];
}

/**
 * What an answer in a step of the line sends; null where its cell is withheld. `steps` is how often
 * the person agreed to a narrower range; as often as there is one if left out.
 *
 * @param {Question} question
 * @param {number} step
 * @param {Draws} draws
 * @param {number} [steps]
 * @returns {any}
 */
export function cellOf(question, step, draws, steps) {
  if (question.kind === "ring") {
    const [inside, outside] = cells(question, draws);
    return inside[0] <= step && step < inside[1] ? inside : outside;
  }
  const { floor, number, open } = question.cuts;
  if (open.some(([above, upTo]) => above <= step && step < upTo)) return [step, step + 1];
  const cell = narrowed(question, step, draws, steps ?? number);
  return floor?.rule === "withhold" && !keeps(floor, cell) ? null : cell;
}

/**
 * What a range means: plain ranges, two for a ring's outside; what is sent exactly is left out.
 *
 * @param {Pick<Question, "line" | "cuts">} question
 * @param {Cell} cell
 * @returns {Cell[]}
 */
export function remainder({ line, cuts }, [above, upTo]) {
  if (above > upTo) {
    return [
      [0, upTo],
      [above, line.ticks],
    ];
  }
  const open = (cuts?.open ?? []).filter(([low, high]) => above < high && low < upTo);
  const starts = [above, ...open.map(([, high]) => high)];
  const ends = [...open.map(([low]) => low), upTo];
  return starts.map((start, index) => [start, ends[index]]).filter(([start, end]) => start < end);
}

/**
 * A step of the line that sends this range; undefined if what it holds is all sent exactly.
 *
 * @param {Question} question
 * @param {Cell} cell
 */
export function stepIn(question, cell) {
  return remainder(question, cell)[0]?.[0];
}

/**
 * Whether a range has the least size; (above, up to) with above > up to is a ring's outside.
 *
 * @param {Sizes} floor
 * @param {number[]} pair
 */
export function keeps({ sizes, least }, [above, upTo]) {
  return between(sizes, above, upTo) + (above <= upTo ? 0 : sum(sizes)) >= least;
}

/**
 * The sum of the numbers after the first `above`, up to number `upTo`.
 *
 * @param {number[]} numbers
 * @param {number} above
 * @param {number} upTo
 */
export function between(numbers, above, upTo) {
  const sums = running(numbers);
  return sums[upTo] - sums[above];
}

/**
 * For each tick a that can be drawn its first and last eligible partner, and the pairs' units. Two
 * places that only move up find them all.
 *
 * @type {(ring: Ring) => { a: number, first: number, last: number, units: number }[]}
 */
export const pairRows = once(({ weights, sizes, least }) => {
  const upto = running(sizes);
  const drawn = [0].concat(running(weights));
  const total = upto[sizes.length];
  /** @type {ReturnType<typeof pairRows>} */
  const rows = [];
  let first = 0;
  let last = 0;
  weights.forEach((weight, index) => {
    const a = index + 1;
    while (first < upto.length && upto[first] < upto[a] + least) first += 1;
    while (last < weights.length && upto[last + 1] <= upto[a] + total - least) last += 1;
    const units = first <= last ? weight * (drawn[last + 1] - drawn[first]) : 0;
    if (units > 0) rows.push({ a, first, last, units });
  });
  return rows;
});

/**
 * @param {number[]} numbers
 * @returns {number}
 */
export const sum = (numbers) => running(numbers)[numbers.length];

/** @param {number[]} numbers */
export const largest = (numbers) => numbers.reduce((most, number) => (number > most ? number : most));

/**
 * Which weight covers the position when the weights are laid end to end.
 *
 * @param {number[]} weights
 * @param {number} position
 */
export function pick(weights, position) {
  const sums = running(weights);
  let [index, end] = [0, weights.length];
  while (index < end) {
    const middle = (index + end) >> 1;
    if (sums[middle + 1] > position) end = middle;
    else index = middle + 1;
  }
  if (index < weights.length) return index;
  throw new RangeError("draws: past the end");
}

/**
 * @param {Question} question
 * @param {Draws} draws
 * @param {Cell} cell
 * @returns {Cell[]}
 */
function parted(question, draws, cell) {
  const tick = nextCut(question, draws, cell);
  if (tick === undefined) return [cell];
  return [...parted(question, draws, [cell[0], tick]), ...parted(question, draws, [tick, cell[1]])];
}

/**
 * @param {Question} question
 * @param {number} step
 * @param {Draws} draws
 * @param {number} steps
 */
function narrowed(question, step, draws, steps) {
  let cell = [0, question.line.ticks];
  for (let taken = 0; taken < steps; taken += 1) {
    const tick = nextCut(question, draws, cell);
    if (tick === undefined) break;
    cell = tick <= step ? [tick, cell[1]] : [cell[0], tick];
  }
  return cell;
}

/**
 * @param {Ring} ring
 * @param {number} position
 */
function pairAt(ring, position) {
  let left = position;
  for (const { a, first, units } of pairRows(ring)) {
    if (left < units) {
      const passed = running(ring.weights)[first - 1];
      return [a, 1 + pick(ring.weights, passed + Math.floor(left / ring.weights[a - 1]))];
    }
    left -= units;
  }
  throw new RangeError("draws: past the end");
}

/**
 * The sums of the first none, one, two … of the numbers. What is read stays as it was read.
 *
 * @type {(numbers: number[]) => number[]}
 */
const running = once((numbers) => {
  const sums = [0];
  for (const number of numbers) sums.push(sums[sums.length - 1] + number);
  return sums;
});

// Work out a thing once for each object: a line can have a hundred thousand steps. A bundle that does not use
// the thing leaves it out.
/* @__NO_SIDE_EFFECTS__ */
/**
 * @template {object} From
 * @template Made
 * @param {(from: From) => Made} make
 * @returns {(from: From) => Made}
 */
export function once(make) {
  const made = new WeakMap();
  return (from) => {
    if (!made.has(from)) made.set(from, make(from));
    return made.get(from);
  };
}
