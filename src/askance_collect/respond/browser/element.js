// Elements made of text nodes and properties only; no text is ever read as markup.

/**
 * element("p", { className: "hint" }, "some text", otherElement)
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...any} children
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  Object.assign(node, properties);
  node.append(...children.flat().filter((child) => child !== ""));
  return node;
}

/**
 * @param {string} text
 * @param {string} [className]
 */
export const paragraph = (text, className = "") => element("p", { className }, text);

/**
 * Single line breaks stay: the style keeps them.
 *
 * @param {string} text
 */
export function paragraphs(text) {
  return text.trim().split(/\n\s*\n/).map((part) => paragraph(part));
}

/**
 * A heading that can take the focus when its screen appears; of several lines, each is by itself.
 *
 * @param {string} text
 */
export function heading(text) {
  const lines = text.trim().split(/\n+/);
  return element("h1", { tabIndex: -1 }, ...(lines[1] ? lines.map((line) => element("span", {}, line)) : lines));
}

// In milliseconds: a second tap within them is of a double one.
const DOUBLE_TAP = 500;
let lastTap = -DOUBLE_TAP;

/**
 * The second press of a double one, which would hit what the first one has brought there. A mouse counts its own.
 *
 * @param {Partial<PointerEvent>} press
 */
function isSecond({ detail = 0, pointerType, timeStamp = 0 } = {}) {
  const isTap = pointerType === "touch";
  const isSoon = isTap && timeStamp - lastTap < DOUBLE_TAP;
  if (isTap) lastTap = timeStamp;
  return isSoon || detail > 1;
}

/**
 * A double press is one.
 *
 * @param {string} text
 * @param {() => void} action
 * @param {string} [className]
 */
export function button(text, action, className = "") {
  const node = element("button", { type: "button", className }, text);
  node.addEventListener("click", (press) => isSecond(/** @type {PointerEvent} */ (press)) || action());
  return node;
}

/** @param {...any} node */
export const buttons = (...node) => element("div", { className: "buttons" }, ...node);

/**
 * @param {string} title
 * @param {...any} children
 */
export function foldOut(title, ...children) {
  return element("details", {}, element("summary", {}, title), ...children);
}

/**
 * Text that holds a person's own answer: never translated or spell-checked elsewhere.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...any} children
 */
export function privateElement(tag, className, ...children) {
  return element(tag, { className, translate: false, spellcheck: false }, ...children);
}

/**
 * A part of the page's own markup, by its id.
 *
 * @param {string} id
 * @returns {any}
 */
export const partOf = (id) => document.getElementById(id);
