// Shapes of objects that have no other keys, and of those whose keys are anything. A page whose form has none of these
// goes without this module.

import { conforms, isObject } from "./form.js";

/**
 * An object that has some of the keys of a shape, and no others.
 *
 * @param {any} shape
 * @returns {Shape}
 */
export function only(shape) {
  const keys = Object.keys(shape).map((key) => key.replace("?", ""));
  return (value, languages) => conforms(value, shape, languages) && Object.keys(value).length > 0 && Object.keys(value).every((key) => keys.includes(key));
}

/**
 * @param {any} shape
 * @param {RegExp} [name]
 * @returns {Shape}
 */
export function mapOf(shape, name) {
  return (value, languages) => {
    const keys = isObject(value) ? Object.keys(value) : [];
    return keys.length > 0 && keys.every((key) => (name?.test(key) ?? true) && conforms(value[key], shape, languages));
  };
}
