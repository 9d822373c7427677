// What one person's visit holds. The draws and the report id are kept in this tab's storage until
// the report is acknowledged, so that a reload cannot draw again. The answers are kept in memory
// only. After the acknowledgement nothing is left but a mark that says how the visit ended.

import { bounds, draw, encode, isIndex, reportBody, systemIdentifier, systemWord } from "./askance.js";
import { openTrail } from "./trail.js";

const ENDINGS = ["receipt", "closed", "conflict"];

export function openDraft(form, fingerprint, storage) {
  const key = `askance:${fingerprint}`;
  let kept = restore(form, storage, key);
  let answers = form.questions.map(() => undefined);
  let trails = [];
  const draft = {
    // Draw once, for every question, before any answer is given.
    begin() {
      if (kept !== null) return;
      const draws = form.questions.map((question) => draw(question, systemWord));
      kept = { id: systemIdentifier(), draws };
      keep(storage, key, JSON.stringify(kept));
    },
    ending: () => (ENDINGS.includes(kept) ? kept : null),
    draws: (at) => kept.draws[at],
    answer: (at) => answers[at],
    give(at, answer) {
      answers[at] = answer;
    },
    // How far a range has been narrowed: it outlives the screen, so that nothing seen is unseen.
    trail(at) {
      trails[at] ??= openTrail(form.questions[at], kept.draws[at]);
      return trails[at];
    },
    value: (at) => encode(form.questions[at], answers[at]?.index ?? null, kept.draws[at], answers[at]?.steps),
    id: () => kept.id,
    body: () => reportBody(form, fingerprint, kept.id, form.questions.map((_, at) => draft.value(at))),
    // Forget answers and draws. An ending leaves its mark, so that this tab cannot answer twice.
    erase(ending) {
      answers = form.questions.map(() => undefined);
      trails = [];
      kept = ending;
      if (ending) keep(storage, key, ending);
      else forget(storage, key);
    },
  };
  return draft;
}

// Storage may be absent or closed (private windows, saved pages): then memory is all there is.
function keep(storage, key, text) {
  try {
    storage()?.setItem(key, text);
  } catch {
    forget(storage, key);
  }
}

function forget(storage, key) {
  try {
    storage()?.removeItem(key);
  } catch {
    // nothing is kept where nothing can be kept
  }
}

function restore(form, storage, key) {
  try {
    const text = storage()?.getItem(key);
    if (ENDINGS.includes(text)) return text;
    const kept = JSON.parse(text);
    return isComplete(form, kept) ? kept : null;
  } catch {
    return null;
  }
}

function isComplete(form, kept) {
  if (!/^[0-9a-f]{32}$/.test(kept?.id) || kept.draws?.length !== form.questions.length) return false;
  return form.questions.every((question, at) => {
    const limits = bounds(question);
    const drawn = kept.draws[at];
    return drawn?.length === limits.length && limits.every((limit, n) => isIndex(drawn[n], limit));
  });
}
