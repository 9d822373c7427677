// What features add to a visit. A feature is a value: its name, whether a form uses it (`detect`), what of the
// form is wrong then (`validate`), and the hooks that it wraps. A wrapper takes the hook that it stands around,
// `next`, and gives the one that takes its place. Each is called once, as its feature is registered.

// What a visit does where its form has no use for any feature.
export const hooks = {
  validateGroups: () => false,
  validateCoin: () => false,
  resolveQuestion: (question) => question,
  resolveForm: (form) => form,
  placeDraws: (question, draws) => draws,
  defaultAnswer: () => null,
  arrangeSteps: (steps) => steps,
  nextStep: (steps, to) => to,
  redirectMove: (move) => move,
  openVisit() {},
  renderConsent: (nodes) => nodes,
  renderHints: () => [],
  renderCoin() {},
  renderAnswers: (nodes) => nodes,
  renderSubmit() {},
  wrapRecords: (records) => records,
  stamp: () => "",
  renderHeader() {},
  updateHeader() {},
  renderEnding: (nodes) => nodes,
};

export const features = [];

export function register({ wrap = {}, ...feature }) {
  features.push(feature);
  for (const [hook, around] of Object.entries(wrap)) hooks[hook] = around(hooks[hook]);
}
