// The survey's own thanks to who has sent a report. A page whose form says more of its endings has `panel.js` in its place.

import { paragraphs } from "./element.js";
import { isWording } from "./form.js";
import { register } from "./hooks.js";
import { only } from "./objects.js";

/** @type {Wrapper<"renderEnding">} */
const thank = () => ([title, hint, ...nodes], name, { form, speech }) => {
  const { thanks } = form.ending;
  const own = thanks && name === "receipt" ? paragraphs(speech.text(thanks)) : [];
  return [title, hint, ...own, ...nodes];
};

register({ name: "ending", shapes: { ending: only({ thanks: isWording }) }, wrap: { renderEnding: thank } });
