// Elements made of text nodes and properties only; no text is ever read as markup.

// element("p", { className: "hint" }, "some text", otherElement)
export function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children.flat().filter((child) => child !== ""));
  return node;
}

export const paragraph = (text, className = "") => element("p", { className }, text);

// Single line breaks stay: the style keeps them.
export function paragraphs(text) {
  return text.trim().split(/\n\s*\n/).map((part) => paragraph(part));
}

// A heading that can take the focus when its screen appears; of several lines, each is by itself.
export function heading(text) {
  const lines = text.trim().split(/\n+/);
  return element("h1", { tabIndex: -1 }, ...(lines[1] ? lines.map((line) => element("span", {}, line)) : lines));
}

export function button(text, action, className = "") {
  const node = element("button", { type: "button", className }, text);
  node.addEventListener("click", action);
  return node;
}

export const buttons = (...node) => element("div", { className: "buttons" }, ...node);

export function foldOut(title, ...children) {
  return element("details", {}, element("summary", {}, title), ...children);
}

// Text that holds a person's own answer: never translated or spell-checked elsewhere.
export function privateElement(tag, className, ...children) {
  return element(tag, { className, translate: false, spellcheck: false }, ...children);
}
