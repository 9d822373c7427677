// Codes as people write them down and type them in: of one's own to go on with later, or from an
// invitation. A page that asks for none goes without this module.

import { inAscii } from "./digits.js";
import { privateElement } from "./element.js";

// Without letters and digits that look alike (Crockford): five bits each.
export const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * A code as it is typed: in letters of any size and digits of any script, some for the digit that they look like.
 *
 * @param {string} typed
 */
export const codeIn = (typed) => inAscii(typed).toUpperCase().replace(/[\s-]/g, "").replace(/[IL]/g, "1").replace(/O/g, "0");

/**
 * As it is written: in groups of four.
 *
 * @param {string} code
 */
export const spaced = (code) => code.replace(/(.{4})(?=.)/g, "$1-");

export const codeInput = () => Object.assign(privateElement("input", "number away"), { type: "text", id: "code", dir: "ltr", autocomplete: "off" });
