// Every way a visit can end: received, closed, counted already, or a page that must not be used.

import { button, buttons, element, foldOut, heading, paragraph } from "./element.js";

/**
 * @param {Visit} visit
 * @param {Receipt} receipt
 * @returns {HTMLElement[]}
 */
export function receiptScreen({ form, fingerprint, speech }, { id, digest, page }) {
  const { words, text } = speech;
  const facts = [
    [words.receiptId, id],
    [words.receiptDigest, digest],
    [words.receiptPage, page],
    [words.receiptForm, fingerprint],
  ];
  const rows = facts.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", { className: "code", translate: false }, value)),
  );
  const lines = [text(form.title), "", ...facts.map((fact) => fact.join(": ")), "", words.withdraw, "", text(form.contact)];
  const receipt = foldOut(
    words.receipt,
    element("dl", {}, ...rows),
    paragraph(words.withdraw),
    buttons(button(words.save, () => save(`receipt-${id.slice(0, 8)}.txt`, lines.join("\n")))),
    paragraph(words.saveHint, "hint"),
  );
  return [heading(words.thanks), paragraph(words.thanksHint), Object.assign(receipt, { className: "receipt" })];
}

/**
 * @param {string} name
 * @param {Pick<Visit, "speech">} visit
 * @returns {HTMLElement[]}
 */
export function endingScreen(name, { speech: { words } }) {
  const [title, hint] = words[name] ? [words[name], words[`${name}Hint`]] : [words.stopped, words.stoppedHint[name]];
  return [heading(title), paragraph(hint)];
}

/**
 * @param {string} name
 * @param {string} text
 */
export function save(name, text) {
  const address = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
