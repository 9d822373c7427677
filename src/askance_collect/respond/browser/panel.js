// The survey's own ending: its thanks, a completion code, and the way back to a panel. What the panel
// calls a person stands behind the # of the address, which browsers keep to themselves: it goes into the
// link back and nowhere else. A page that stands within another one tells it when it is done. A page whose form has no ending goes without this module.

import { button, buttons, element, paragraph, paragraphs } from "./element.js";
import { allDistinct, assert, isList, isWording, matches } from "./form.js";
import { register } from "./hooks.js";
import { destination } from "./send.js";

const CODE = /^[!-~]{1,100}$/;
const WAY_BACK = /^https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~:/?@!$&()*+,;=%-]|\{[A-Za-z_]\w{0,39}\})*$/;
const LONGEST = 1000;
const AROUND = /^(https:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/;
const MOST_AROUND = 10;
const BLANK = /\{(\w+)\}/g;

/** @param {any} form */
function validateEnding({ ending, languages, collector }) {
  /** @type {Record<string, (value: any) => boolean>} */
  const parts = {
    /** @param {Value} value */
    thanks: (value) => isWording(value, languages),
    /** @param {Value} value */
    code: (value) => matches(value, CODE),
    /** @param {Value} value */
    url: (value) => matches(value, WAY_BACK) && value.length <= LONGEST && leadsElsewhere(value, collector),
    /** @param {Value} value */
    within: (value) => isList(value) && value.length > 0 && value.length <= MOST_AROUND && allDistinct(value) && value.every(isOrigin),
  };
  const keys = Object.keys(ending ?? {});
  assert(keys.length > 0 && keys.every((key) => Object.hasOwn(parts, key) && parts[key](ending[key])), "ending");
}

/** @param {Value} value */
function isOrigin(value) {
  try {
    return matches(value, AROUND) && new URL(value).origin.length > 0;
  } catch {
    return false;
  }
}

/** @param {string} url */
const hostOf = (url) => new URL(url).hostname.replace(/\.$/, "");

/**
 * Whether it is an address at all, and none of the collector's, which would learn who sent a report.
 *
 * @param {string} url
 * @param {string} collector
 */
function leadsElsewhere(url, collector) {
  try {
    return hostOf(url) !== (collector && hostOf(collector));
  } catch {
    return false;
  }
}

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
  return url.replace(BLANK, (_, name) => encodeURIComponent(known.get(name) ?? ""));
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
  return [title, hint, ...(name === "receipt" ? toPanel(visit) : []), ...nodes];
}

/** @param {Visit} visit */
function toPanel({ form, speech: { words, text } }) {
  const { thanks, code, url } = form.ending;
  const nodes = thanks ? paragraphs(text(thanks)) : [];
  if (code) nodes.push(element("h2", {}, words.completion), element("p", { className: "code", translate: false }, code));
  if (!url) return nodes;
  const back = wayBack(url, location, destination(form, location.href).hostname);
  const leave = button(words.wayBack(new URL(back).hostname), () => location.assign(back), "main");
  return [...nodes, buttons(leave), paragraph(words.wayBackHint, "hint")];
}

register({
  name: "ending",
  /** @param {Form} form */
  detect: ({ ending }) => ending !== undefined,
  validate: validateEnding,
  wrap: { renderEnding: () => renderEnding },
});
