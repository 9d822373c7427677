// A survey whose protected and plain answers its collector keeps in two stores: a form that joins them by a rule,
// a check or a study is refused. The twin of askance_collect/wire/form.py. A page whose form keeps them in one
// row goes without this module.

import { assert } from "./form.js";
import { register } from "./hooks.js";

// Schema: apart
const APART = { apart: true };

/** @param {Question} question */
const isKeptProtected = ({ kind, coin }) => !["choice", "number", "text", "sealed"].includes(kind) || coin !== undefined;

/**
 * A rule from one part to the other, a check of attention, a study of explanations, a tablet and a seal of frames
 * join answers, or keep them where no collector parts them.
 *
 * @param {Form} form
 */
function validateApart(form) {
  const { questions, skips = [], about } = form;
  const guarded = questions.map(isKeptProtected);
  assert(new Set(guarded).size === 2, "questions");
  skips.forEach(({ question, after }, index) => assert(guarded[question] === guarded[after], `skips[${index}]`));
  const joining = ["evidence", "tablet", ...(questions.some(({ kind }) => kind === "sealed") ? [] : ["seal"])];
  assert(!joining.some((key) => key in form) && !("attention" in about), "apart");
}

register({
  name: "apart",
  shapes: APART,
  validate: validateApart,
});
