// Images that stand in the form itself. The twin of askance_collect/wire/branding.py. A page whose form has no image
// goes without this module.

import { element } from "./element.js";
import { conforms, isWording } from "./form.js";
import { only } from "./objects.js";

// Schema: uri
export const URI = /^(?!.{65537})data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|svg\+xml;base64,|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]+={0,2}$/;
// Schema: image
const IMAGE = only({ image: URI, alt: isWording });

/**
 * Nothing is cut off, and something is read out in its place.
 *
 * @param {any} value
 * @param {string[]} languages
 */
export const isImage = (value, languages) => conforms(value, IMAGE, languages) && isWhole(value);

/**
 * What Python takes for no blank, too: U+FEFF.
 *
 * @param {Pick<PlacedPicture, "image" | "alt">} picture
 */
export const isWhole = ({ image, alt }) =>
  (image.length - image.indexOf(",") - 1) % 4 === 0 && Object.values(alt).every((text) => /[\S\ufeff]/.test(text));

/**
 * It runs no script and loads nothing, whatever is in it: the page shows it as an image.
 *
 * @param {any} parts
 * @param {any} parts2
 * @param {string} className
 */
export const shownImage = ({ image, alt }, { text }, className) =>
  element("img", { src: image, alt: text(alt), className, draggable: false });
