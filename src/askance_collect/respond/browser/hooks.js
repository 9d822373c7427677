// What features add to a visit. A feature is a value: its name, whether a form uses it (`detect`), the shapes of
// its own parts of the form, by which it does unless it says otherwise, what of the form is wrong then (`validate`), and the hooks that it wraps. A wrapper takes the hook that it stands around,
// `next`, and gives the one that takes its place. Each is called once, as its feature is registered.

/**
 * What a visit does where its form has no use for any feature.
 *
 * @type {Omit<Hooks, "illustrate" | "createSealer"> & Partial<Hooks>}
 */
export const hooks = {
  resolveQuestion: (question) => question,
  resolveForm: (form) => form,
  placeDraws: (question, draws) => draws,
  defaultAnswer: () => null,
  arrangeSteps: (steps) => steps,
  arrangeRoute: (steps) => steps,
  nextStep: (steps, to) => to,
  isRecorded: () => true,
  redirectMove: (move) => move,
  openVisit() {},
  renderConsent: (nodes) => nodes,
  renderHints: () => [],
  renderCoin: () => undefined,
  renderAnswers: (nodes) => nodes,
  renderSubmit: () => undefined,
  wrapRecords: (records) => records,
  stamp: () => "",
  renderHeader() {},
  updateHeader() {},
  renderEnding: (nodes) => nodes,
};

/** @type {Omit<Feature, "wrap">[]} */
export const features = [];

/** @param {Feature} feature */
export function register({ wrap = {}, shapes = {}, detect = (form) => Object.keys(shapes).some((key) => key in form), ...feature }) {
  /** @type {Record<string, any>} */
  const wrapped = hooks;
  features.push({ shapes, detect, ...feature });
  for (const [hook, around] of Object.entries(wrap)) wrapped[hook] = around(wrapped[hook]);
}
