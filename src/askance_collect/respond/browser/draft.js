// What one person's visit holds. The draws and the report id are kept in this tab's storage, so that
// neither a reload nor leaving can draw again. The answers are kept in memory only. Once what is sent
// is shown, the draws' place is taken by the records: nothing can be answered or drawn anew, and
// nothing kept tells more than they do. After the acknowledgement nothing is left but a mark that says
// how the visit ended.

import { bounds, draw, encode, isIndex, questionKinds, reportBody, systemIdentifier, systemWord } from "./askance.js";
import { hooks } from "./hooks.js";

const ENDINGS = ["receipt", "closed", "conflict"];

/**
 * @param {Form} form
 * @param {string} fingerprint
 * @param {() => Storage | null | undefined} storage
 */
export function openDraft(form, fingerprint, storage) {
  const { questions } = form;
  const key = `askance:${fingerprint}`;
  let kept = restore(form, storage, key);
  let draws = kept?.draws;
  /** @type {(Answer | undefined)[]} */
  let answers = [];
  /** @type {Trail[]} */
  let trails = [];
  /** @param {any} next */
  const hold = (next) => {
    kept = next;
    keep(storage, key, typeof next === "string" ? next : JSON.stringify(next));
  };
  /** @param {number} index */
  const value = (index) => (kept.dropped?.includes(index) ? null : kept.values[index]);
  return {
    // Draw once, for every question, before any answer is given.
    begin() {
      if (kept !== null) return;
      this.resume({ id: systemIdentifier(), draws: questions.map((question) => hooks.placeDraws(question, draw(question, systemWord))) });
    },
    // All that there is of a visit; and what is bound of one, taken up again.
    state: () => ({ kept, answers, trails }),
    /** @param {any} next */
    resume(next) {
      ({ draws } = next);
      hold(next);
    },
    ending: () => (ENDINGS.includes(kept) ? kept : null),
    /** @param {number} index */
    draws: (index) => draws[index],
    /** @param {number} index */
    answer: (index) => answers[index],
    /**
     * @param {number} index
     * @param {Answer | undefined} answer
     */
    give(index, answer) {
      answers[index] = answer;
    },
    hasAnswers: () => answers.some((answer) => answer !== undefined),
    /**
     * How far a range has been narrowed: it outlives the screen, so that nothing seen is unseen.
     *
     * @param {number} index
     */
    trail(index) {
      trails[index] ??= questionKinds[questions[index].kind].trail(questions[index], draws[index]);
      return trails[index];
    },
    // Fix what is sent, before any of it is shown.
    bind() {
      const values = questions.map((question, index) => encode(question, answers[index]?.index ?? hooks.defaultAnswer(form, index), draws[index], answers[index]?.steps));
      hold({ id: kept.id, values, dropped: [] });
    },
    isBound: () => kept?.values !== undefined,
    /**
     * What is left to decide: to send nothing for a question, until the message has gone out once.
     *
     * @param {number} index
     * @param {any} dropped
     */
    drop(index, dropped) {
      const remaining = kept.dropped.filter((/** @type {number} */ other) => other !== index);
      hold({ ...kept, dropped: dropped ? [...remaining, index].sort() : remaining });
    },
    seal: () => hold({ id: kept.id, values: questions.map((_, index) => value(index)) }),
    /** @param {number} index */
    isDropped: (index) => kept.dropped?.includes(index) ?? false,
    isSealed: () => kept.dropped === undefined,
    value,
    id: () => kept.id,
    body: () => reportBody(form, fingerprint, kept.id, questions.map((_, index) => value(index))),
    // Forget the answers.
    leave() {
      answers = [];
      trails = [];
      // The browser keeps the text that was matched last, as `RegExp.$_`, until another one is.
      /^/.test("");
    },
    /**
     * Forget everything. The ending leaves its mark, so that this tab cannot answer twice.
     *
     * @param {string} ending
     */
    erase(ending) {
      answers = [];
      trails = [];
      draws = [];
      hold(ending);
    },
  };
}

/**
 * Storage may be absent or closed (private windows, saved pages): then memory is all there is.
 *
 * @param {() => Storage | null | undefined} storage
 * @param {string} key
 * @param {string} text
 */
function keep(storage, key, text) {
  try {
    storage()?.setItem(key, text);
  } catch {
    forget(storage, key);
  }
}

/**
 * @param {() => Storage | null | undefined} storage
 * @param {string} key
 */
function forget(storage, key) {
  try {
    storage()?.removeItem(key);
  } catch {
    // nothing is kept where nothing can be kept
  }
}

/**
 * @param {Form} form
 * @param {() => Storage | null | undefined} storage
 * @param {string} key
 */
function restore(form, storage, key) {
  try {
    const text = storage()?.getItem(key) ?? "";
    if (ENDINGS.includes(text)) return text;
    const kept = JSON.parse(text);
    return isComplete(form.questions, kept) ? kept : null;
  } catch {
    return null;
  }
}

/**
 * Whether something kept is whole, and of these questions.
 *
 * @param {Question[]} questions
 * @param {any} parts
 */
export function isComplete(questions, { id, draws, values, dropped = [] }) {
  const fits = values ? isValue : isDrawn;
  const parts = values ?? draws;
  if (!/^[0-9a-f]{32}$/.test(id) || parts.length !== questions.length) return false;
  return dropped.every((/** @type {number} */ index) => isIndex(index, parts.length)) && questions.every((question, index) => fits(question, parts[index]));
}

/**
 * @param {Question} question
 * @param {Draws} drawn
 */
function isDrawn(question, drawn) {
  const limits = bounds(question);
  return drawn.length === limits.length && limits.every((limit, n) => isIndex(drawn[n], limit));
}

/**
 * @param {Question} question
 * @param {Value} value
 */
function isValue(question, value) {
  if (value === null) return true;
  if (questionKinds[question.kind]) return questionKinds[question.kind].isValid(question, value);
  return isIndex(value, (question.reports ?? question.answers).length);
}
