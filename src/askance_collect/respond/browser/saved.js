// A survey that is also asked from saved pages and from frames without an origin: its collector takes such
// reports in, and has to stand in the form. A page whose form does not say so refuses there, and goes
// without this module.

import { NEWER, need } from "./form.js";

function savedFits({ saved, collector }) {
  need(saved === undefined || (saved === true && collector !== ""), "saved");
  return saved === true;
}

NEWER.parts.push(savedFits);
