// Turn the odds: what chances of truth, lie and silence protect, and what they cost. The reports are
// drawn by the respondent's own encoder, with the browser's own chance.

import { made, percent, slider } from "../../src/askance/present/templates/explorer.js";
import { draw, encode, systemWord } from "../../src/askance_collect/respond/browser/askance.js";

const NORMAL = 1.959963984540054;
const SURVEYS = 12;
const UNITS = 100;

// A question as a form asks it: yes or no, sent truly, turned round, or as "don't know", in hundredths.
export function question(truth, lie) {
  const silent = UNITS - truth - lie;
  return {
    kind: "table",
    name: "asked",
    answers: [{ label: "yes" }, { label: "no" }],
    reports: [{ label: "yes" }, { label: "no" }, { label: "don't know" }],
    blank: [0, 1],
    table: { total: UNITS, rows: [[truth, lie, silent], [lie, truth, silent]] },
  };
}

// How often, at most, one report tells two equally likely answers apart.
export function guessed({ table: { total, rows } }) {
  return rows[0].reduce((sum, chance, at) => sum + Math.max(chance, rows[1][at]), 0) / (2 * total);
}

// By how much one report can multiply the odds.
export function oddsRatio({ table: { rows } }) {
  return Math.max(...rows[0].map((chance, at) => ratioOf(chance, rows[1][at])));
}

function ratioOf(one, other) {
  if (one === other) return 1;
  return Math.max(one, other) / Math.min(one, other);
}

// The share of "yes", with Wilson's interval of the answers that were heard, turned back; undefined
// where they tell nothing.
export function estimated(counts, truth, lie) {
  const heard = counts[0] + counts[1];
  if (heard === 0 || truth === lie) return undefined;
  const back = (share) => Math.min(1, Math.max(0, (share * (truth + lie) - lie) / (truth - lie)));
  const share = counts[0] / heard;
  const spread = NORMAL * Math.sqrt((share * (1 - share)) / heard + NORMAL ** 2 / (4 * heard ** 2));
  const [low, high] = [-1, 1].map((side) => back((share + NORMAL ** 2 / (2 * heard) + side * spread) / (1 + NORMAL ** 2 / heard)));
  return { share: back(share), low: Math.min(low, high), high: Math.max(low, high) };
}

// How many people, asked plainly, would tell as much as these many.
export function plainAnswers(people, share, truth, lie) {
  const heard = (truth + lie) / UNITS;
  const yes = (share * truth + (1 - share) * lie) / (truth + lie);
  const variance = (yes * (1 - yes) * (truth + lie) ** 2) / (heard * (truth - lie) ** 2);
  return truth === lie ? 0 : (people * share * (1 - share)) / variance;
}

export function survey(asked, people, share) {
  const counts = [0, 0, 0];
  const yes = Math.round(people * share);
  for (let person = 0; person < people; person += 1) {
    counts[encode(asked, person < yes ? 0 : 1, draw(asked, systemWord))] += 1;
  }
  return counts;
}

function crowd([yes, no]) {
  const dots = Array.from({ length: UNITS }, (_, at) => made("i", { className: at < yes ? "yes" : at < yes + no ? "no" : "silent" }));
  const picture = made("div", { className: "crowd" }, ...dots);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${yes} send yes, ${no} send no, ${UNITS - yes - no} send don't know`);
  return picture;
}

function strips(found, share) {
  const rows = found.map(({ low, high, share: told }, at) => {
    const y = 14 * at + 8;
    return `<line x1="${400 * low}" x2="${400 * high}" y1="${y}" y2="${y}" stroke="currentColor" stroke-width="5" opacity=".45"/><circle cx="${400 * told}" cy="${y}" r="4" fill="currentColor"/>`;
  });
  const tall = 14 * found.length + 4;
  const truth = `<line x1="${400 * share}" x2="${400 * share}" y1="0" y2="${tall}" stroke="#c0392b" stroke-width="2"/>`;
  const scale = [0, 25, 50, 75, 100].map((at) => `<text x="${4 * at}" y="${tall + 16}" font-size="13" fill="currentColor" text-anchor="${at ? (at < 100 ? "middle" : "end") : "start"}">${at} %</text>`);
  return `<svg viewBox="0 0 400 ${tall + 22}" role="img" aria-label="${found.length} surveys with their intervals; the red line is the truth">${rows.join("")}${truth}${scale.join("")}</svg>`;
}

function explore(place) {
  const truth = slider("of 100 people, so many send the truth", 1, 100, 60, "");
  const lie = slider("so many send the opposite (the rest send “don't know”)", 0, 99, 10, "");
  const share = slider("of all people, so many would truly say yes", 0, 100, 30, " %");
  const people = slider("so many people take part", 50, 3000, 1000, "");
  const crowds = made("div", { className: "crowds" });
  const told = made("p", { className: "told" });
  const picture = made("div");
  const again = made("button", { type: "button" }, "Ask again");
  told.setAttribute("aria-live", "polite");

  function show() {
    lie.input.value = Math.min(lie.number(), UNITS - truth.number());
    lie.line.querySelector("output").replaceChildren(lie.input.value);
    const [t, l, truly, n] = [truth.number(), lie.number(), share.number() / 100, people.number()];
    const asked = question(t, l);
    const titles = ["yes", "no"].map((answer, at) => made("div", {}, made("p", {}, `100 people whose answer is ${answer}`), crowd(asked.table.rows[at])));
    crowds.replaceChildren(...titles);
    const risk = oddsRatio(asked);
    const known = Number.isFinite(risk) ? `at most ${Number(risk.toPrecision(3))} times as likely from one answer as from the other` : "sometimes certain proof of an answer";
    const surveys = Array.from({ length: SURVEYS }, () => estimated(survey(asked, n, truly), t, l));
    if (surveys.includes(undefined)) {
      told.replaceChildren(`One report is ${known}. The truth and the lie are equally likely: nobody learns anything, you neither.`);
      picture.replaceChildren();
      return;
    }
    const worth = truly > 0 && truly < 1 ? ` ${n} reports tell as much as ${Math.round(plainAnswers(n, truly, t, l))} plain answers.` : "";
    const [{ share: first, low, high }] = surveys;
    told.replaceChildren(`One report is ${known}; whoever guesses from it is right ${percent(guessed(asked))} of the time, and by a coin 50 %.${worth} The first of ${SURVEYS} surveys tells ${percent(first)}, between ${percent(low)} and ${percent(high)}.`);
    picture.innerHTML = strips(surveys, truly);
  }

  for (const { input } of [truth, lie, share, people]) input.addEventListener("input", show);
  again.addEventListener("click", show);
  place.replaceChildren(truth.line, lie.line, share.line, people.line, crowds, told, picture, again);
  show();
}

const place = globalThis.document?.getElementById("odds");
if (place) explore(place);
