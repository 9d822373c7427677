// The study's look: its logo above every screen. Its colours stand in the page's style. A page whose form
// has no look goes without this module.

import { register } from "./hooks.js";
import { isImage, shownImage } from "./image.js";
import { only } from "./objects.js";

// Schema: look
const LOOK = { look: only({ "colours?": only({ light: /^#[0-9a-f]{6}$/, dark: /^#[0-9a-f]{6}$/ }), "logo?": isImage }) };

/** @type {Hooks["renderHeader"]} */
function renderLogo(bar, { form, speech }) {
  const logo = form.look?.logo;
  if (logo) bar.prepend(shownImage(logo, speech, "logo"));
}

register({
  name: "look",
  shapes: LOOK,
  wrap: { renderHeader: () => renderLogo },
});
