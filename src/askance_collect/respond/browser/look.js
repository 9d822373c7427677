// The study's look: its logo above every screen. Its colours stand in the page's style. A page whose form
// has no look goes without this module.

import { assert, matches } from "./form.js";
import { register } from "./hooks.js";
import { isImage, shownImage } from "./image.js";

const COLOUR = /^#[0-9a-f]{6}$/;

/** @param {any} form */
function validateLook({ look, languages }) {
  /** @type {Record<string, (value: any) => boolean>} */
  const parts = { colours: areColours, logo: (logo) => isImage(logo, languages) };
  const keys = Object.keys(look ?? {});
  assert(keys.length > 0 && keys.every((key) => Object.hasOwn(parts, key) && parts[key](look[key])), "look");
}

/** @param {any} colours */
function areColours(colours) {
  const themes = Object.keys(colours ?? {});
  return themes.length === 2 && ["light", "dark"].every((theme) => matches(colours[theme], COLOUR));
}

/** @type {Hooks["renderHeader"]} */
function renderLogo(bar, { form, speech }) {
  const logo = form.look?.logo;
  if (logo) bar.prepend(shownImage(logo, speech, "logo"));
}

register({
  name: "look",
  /** @param {Form} form */
  detect: ({ look }) => look !== undefined,
  validate: validateLook,
  wrap: { renderHeader: () => renderLogo },
});
