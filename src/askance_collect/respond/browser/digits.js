// What people type, in the digits, spaces and strokes of ASCII, whatever the script of their keyboard. The twin of
// in_ascii in askance_collect/exact/typed_number.py. A page on which nobody types a number or a code goes without
// this module.

/** @param {number} code */
const isDigit = (code) => /\p{Nd}/u.test(String.fromCodePoint(code));

/**
 * The digits of a script follow one another.
 *
 * @param {string} sign
 */
function digitOf(sign) {
  const code = sign.codePointAt(0) ?? 0;
  let zero = code;
  while (isDigit(zero - 1)) zero -= 1;
  return `${code - zero}`;
}

/**
 * Without marks that nobody sees. A power or a fraction, as in 5² and 5½, is no further digit.
 *
 * @param {string} typed
 */
export const inAscii = (typed) =>
  typed
    .replace(/\p{No}/gu, "?")
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\p{Nd}/gu, digitOf);
