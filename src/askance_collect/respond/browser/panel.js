// The survey's own endings, of who has sent a report and of who is turned away: thanks, a code, and the way back
// to a panel. What the panel calls a person stands behind the # of the address, which browsers keep to themselves:
// it goes into the link back and nowhere else. A page that stands within another one tells it when it is done. A page
// whose form has no ending, or thanks alone (`thanks.js`), goes without this module.

import { button, buttons, element, paragraph, paragraphs } from "./element.js";
import { allDistinct, assert, isWording } from "./form.js";
import { register } from "./hooks.js";
import { only } from "./objects.js";
import { destination } from "./send.js";

// Schema: ending
const ENDING = { ending: only({ "thanks?": isWording, "code?": /^[!-~]{1,100}$/, "url?": /^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/, "within?": [/^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/, 1, allDistinct, 10], "full?": only({ "thanks?": isWording, "code?": /^[!-~]{1,100}$/, "url?": /^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/ }), "screened?": only({ "thanks?": isWording, "code?": /^[!-~]{1,100}$/, "url?": /^(?!.{1001})https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/ }) }) };
const PARAMETER = /\{(\w+)\}/g;

/**
 * What is no address throws. The way back is none of the collector's, which would learn who sent a report.
 *
 * @param {Form} form
 */
function validateEnding({ ending, collector }) {
  (ending.within ?? []).forEach((/** @type {string} */ origin) => new URL(origin));
  const urls = [ending, ending.full, ending.screened].flatMap((outcome) => outcome?.url ?? []);
  assert(urls.every((url) => hostOf(url) !== (collector && hostOf(collector))), "ending");
}

/** @param {string} url */
const hostOf = (url) => new URL(url).hostname.replace(/\.$/, "");

/**
 * The way back, its blanks filled from behind the # of an address; of nobody where it leads to the
 * collector, which would learn who has sent a report.
 *
 * @param {string} url
 * @param {{ hash: string }} address
 * @param {string} collector
 */
export function wayBack(url, { hash }, collector) {
  const known = new URLSearchParams(hostOf(url) === collector.replace(/\.$/, "") ? "" : hash.slice(1));
  return url.replace(PARAMETER, (_, name) => encodeURIComponent(known.get(name) ?? ""));
}

/**
 * Whoever has this page in a frame, or has opened it, hears that the visit is over and whether a report has
 * arrived; of the report, or of who sent it, nothing.
 *
 * @param {string} name
 * @param {Visit} visit
 */
function tellAround(name, { form: { ending }, fingerprint }) {
  const around = window.parent === window ? window.opener : window.parent;
  const message = { askance: "ended", form: fingerprint, sent: name === "receipt" };
  (ending.within ?? []).forEach((origin) => around?.postMessage(message, origin));
}

/** @type {Hooks["renderEnding"]} */
function renderEnding([title, hint, ...nodes], name, visit) {
  tellAround(name, visit);
  const { ending } = visit.form;
  /** @type {Record<string, Redirect | undefined>} */
  const outcomes = { receipt: ending, full: ending.full, closed: ending.full, screened: ending.screened };
  const outcome = outcomes[name];
  return [title, hint, ...(outcome ? toPanel(visit, outcome) : []), ...nodes];
}

/**
 * @param {Visit} visit
 * @param {Redirect} outcome
 */
function toPanel({ form, speech: { words, text } }, { thanks, code, url }) {
  const nodes = thanks ? paragraphs(text(thanks)) : [];
  if (code) nodes.push(element("h2", {}, words.completion), element("p", { className: "code", translate: false }, code));
  if (!url) return nodes;
  const back = wayBack(url, location, destination(form, location.href).hostname);
  const leave = button(words.wayBack(new URL(back).hostname), () => location.assign(back), "main");
  return [...nodes, buttons(leave), paragraph(words.wayBackHint, "hint")];
}

register({
  name: "ending",
  shapes: ENDING,
  validate: validateEnding,
  wrap: { renderEnding: () => renderEnding },
});
