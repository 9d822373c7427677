// Shapes of what is asked on a line, and of what has one of several shapes.

import { ASKED, BLANK, conforms, isThere, isWording, TOTAL, WHOLE } from "./form.js";
import { EXACT, fraction, isInteger } from "./line.js";

/** @param {Line} line */
export function isLine({ lower, step, whole }) {
  const [low, width] = [lower, step].map(fraction);
  return width[0] > 0n && (!whole || (isInteger(low) && isInteger(width)));
}

/**
 * @param {...any} shapes
 * @returns {Shape}
 */
export const either = (...shapes) => (value, languages) => shapes.some((shape) => conforms(value, shape, languages));

// Schema: line
export const LINE = { lower: EXACT, step: EXACT, ticks: [2, 1e12], unit: isWording, "zero?": isWording, "one?": isWording, "two?": isWording, "few?": isWording, "many?": isWording, "lowest?": isWording, "highest?": isWording, "whole?": true };
// Schema: range
export const RANGE = { ...ASKED, line: { ...LINE, ticks: [2, 1e5] }, typed: either(true, false), blank: BLANK, about: isThere };
// Schema: floor
export const FLOOR = { sizes: WHOLE, least: TOTAL };
