// A number between two bounds, cut into equal steps, exactly: fractions of big integers.

import { once } from "./partition.js";

// Schema: exact
export const EXACT = /^(-?)([0-9]{1,15})(?:\.([0-9]{1,15})|\/(?!0+$)([0-9]{1,15}))?$/;

/**
 * "17", "0.5" or "1/2" as [numerator, denominator].
 *
 * @param {string} written
 * @returns {Fraction}
 */
export function fraction(written) {
  const [, sign, whole, decimals = "", under = "1"] = EXACT.exec(written) ?? [];
  return [BigInt(whole + decimals) * (sign ? -1n : 1n), BigInt(under) * 10n ** BigInt(decimals.length)];
}

/**
 * Whether a fraction is a whole number.
 *
 * @param {Fraction} number
 */
export const isInteger = ([over, below]) => over % below === 0n;

/**
 * A quotient of big integers for showing, rounded up: to so many decimals, and to none where a double
 * would round down.
 *
 * @param {bigint} over
 * @param {bigint} below
 * @param {number} decimals
 */
export function roundedUp(over, below, decimals) {
  /** @param {any} scale */
  const up = (scale) => Number((over * scale + below - 1n) / below);
  const scale = 10n ** BigInt(decimals);
  return Number.isSafeInteger(up(scale)) ? up(scale) / Number(scale) : up(1n);
}

/**
 * The number at a tick, for showing.
 *
 * @param {Line} line
 * @param {number} tick
 * @returns {number}
 */
export function numberAt(line, tick) {
  const { low, step, below } = scaleOf(line);
  return Number(low + BigInt(tick) * step) / Number(below);
}

/**
 * The lower end and the step over one denominator.
 *
 * @type {(line: Line) => { low: bigint, step: bigint, below: bigint }}
 */
const scaleOf = once((line) => {
  const [low, lowBelow] = fraction(line.lower);
  const [step, stepBelow] = fraction(line.step);
  return { low: low * stepBelow, step: step * lowBelow, below: lowBelow * stepBelow };
});

/**
 * The first tick that is a value of the line: one of whole numbers has none at its lower end.
 *
 * @param {Line} line
 */
export const firstTick = (line) => (line.whole ? 1 : 0);

/**
 * The step (i, i + 1] that holds a number; the outer steps are open-ended. Undefined if the line has
 * whole numbers alone and this is none.
 *
 * @param {Line} line
 * @param {Fraction} number
 * @returns {number | undefined}
 */
export function stepOf(line, number) {
  if (line.whole && !isInteger(number)) return undefined;
  const [over, below] = stepsAbove(line, number);
  const step = Number((over + below - 1n) / below) - 1;
  return over <= 0n ? 0 : Math.min(step, line.ticks - 1);
}

/**
 * How many steps a number is above the lower end, as a fraction with a positive denominator.
 *
 * @param {Line} line
 * @param {Fraction} number
 * @returns {Fraction}
 */
export function stepsAbove(line, [number, below]) {
  const scale = scaleOf(line);
  return [number * scale.below - scale.low * below, scale.step * below];
}
