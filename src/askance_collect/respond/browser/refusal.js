/**
 * Why a question is not asked, in a word: what the element tells its page, and says itself.
 *
 * @type {Record<string, string>}
 */
export const REASONS = {
  absent: "it has no form: put the form's text inside it, or its address into src",
  chance: "this browser, or an address without https, gives it no cryptographic chance, or chance that is stuck",
  changed: "the form is not the one whose fingerprint the page names",
  form: "the form cannot be read, or asks this question in a way that this script does not know",
  piped: "its text takes up another answer: only the survey's own page asks it",
  question: "the form has no such question",
  rule: "a rule on a protected answer decides about it: only the survey's own page asks it",
  sealed: "only the study's own frame asks it",
  twice: "it, or another of its name, stands on this page already",
  unreachable: "its form did not come",
};

export class Refusal extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(REASONS[reason]);
    this.reason = reason;
  }
}

/**
 * @param {any} met
 * @param {string} reason
 */
export function refuseUnless(met, reason) {
  if (!met) throw new Refusal(reason);
}
