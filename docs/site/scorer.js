// How the site ranks what a search finds: guides first, then the reference, and the changelog last.

const WEIGHTS = [
  [/^(how-to|tutorials)\//, 2],
  [/^explanation\//, 1.5],
  [/^(api|genindex|reference\/python)/, 0.5],
  [/^(changelog|contributing)/, 0.2],
];

var Scorer = {
  score: ([page, , , , score]) => score * (WEIGHTS.find(([pages]) => pages.test(page))?.[1] ?? 1),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
