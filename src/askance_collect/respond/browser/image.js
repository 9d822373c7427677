// Images that stand in the form itself. The twin of askance_collect/wire/branding.py. A page whose form has no image
// goes without this module.

import { element } from "./element.js";
import { isWording, matches } from "./form.js";

const IMAGE =
  /^data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|svg\+xml;base64,|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]+={0,2}$/;
const LARGEST_IMAGE = 65536;

/**
 * @param {Value} value
 * @param {string[]} languages
 */
export function isImage(value, languages) {
  const { image, alt } = value ?? {};
  if (!matches(image, IMAGE) || image.length > LARGEST_IMAGE || Object.keys(value).length !== 2) return false;
  const whole = (image.length - image.indexOf(",") - 1) % 4 === 0;
  return whole && isWording(alt, languages) && Object.values(alt).every((text) => text.trim() !== "");
}

/**
 * It runs no script and loads nothing, whatever is in it: the page shows it as an image.
 *
 * @param {any} parts
 * @param {any} parts2
 * @param {string} className
 */
export const shownImage = ({ image, alt }, { text }, className) =>
  element("img", { src: image, alt: text(alt), className, draggable: false });
