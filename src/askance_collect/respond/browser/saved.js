// A survey that is also asked from saved pages and from frames without an origin: its collector takes such
// reports in, and has to stand in the form. A page whose form does not say so refuses there, and goes
// without this module.

import { assert } from "./form.js";
import { register } from "./hooks.js";

// Schema: saved
const SAVED = { saved: true };

register({
  name: "saved",
  shapes: SAVED,
  /** @param {Form} form */
  validate: ({ collector }) => assert(collector !== "", "saved"),
});
