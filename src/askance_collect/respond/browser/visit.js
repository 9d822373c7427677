// One person's visit: the steps, the state that says which of them is shown, and the ways from one to another.

import { chanceSource, testChance } from "./askance.js";
import { element, partOf } from "./element.js";
import { brokenNodes, tellFault, watchFaults } from "./boundary.js";
import { endingScreen, receiptScreen } from "./endings.js";
import { openEntries } from "./entries.js";
import { foldContact, pageSpeech, preferredLanguage, renderHeader, titleOf } from "./header.js";
import { hooks } from "./hooks.js";
import { isAsked, questionScreen } from "./questions.js";
import { reviewScreen } from "./review.js";
import { derive, hasInput, readInput, showNodes, writeInput } from "./screen.js";
import { cardScreen, consentScreen, practiceScreen, statusLine } from "./screens.js";
import { askStatus, destination } from "./send.js";
import { isProtected } from "./speech.js";
import { initialState, reduce } from "./state.js";

/**
 * @param {Form} form
 * @param {string} fingerprint
 * @param {Draft} draft
 */
export function openVisit(form, fingerprint, draft) {
  const visit = makeVisit(form, fingerprint, draft);
  hooks.openVisit(visit);
  chanceSource.failed = () => visit.endVisit("chance");
  visit.chooseLanguage(preferredLanguage(form.languages), true);
  if (visit.state.ending) return;
  testChance();
  visit.steps.splice(0, 1, ...routeOf(form));
  if (!visit.post) checkSurveyStatus(visit);
}

/**
 * What a visit is and can do. Nothing changes its state but `dispatch`.
 *
 * @param {Form} form
 * @param {string} fingerprint
 * @param {Draft} draft
 * @returns {Visit}
 */
function makeVisit(form, fingerprint, draft) {
  /** @type {State} */
  let state = { ...initialState, ending: draft.ending() ?? undefined };
  /** @type {any} */
  const visit = {
    form,
    fingerprint,
    draft,
    steps: [{ screen: consentScreen }],
    get state() {
      return state;
    },
    /** @param {StateEvent} event */
    dispatch(event) {
      if (visit.isOver()) return;
      state = reduce(state, event);
      if (!visit.speech) return;
      if (event.type === "update" || event.type === "send") hooks.updateHeader(visit);
      else visit.show();
    },
  };
  return Object.assign(visit, shownBy(visit), waysOf(visit), endsOf(visit));
}

/**
 * What stands on the page, and the input that was left on each screen.
 *
 * @param {Visit} visit
 */
function shownBy(visit) {
  /** @type {Map<unknown, ReturnType<typeof readInput>>} */
  const unsent = new Map();
  const controller = new AbortController();
  const entries = openEntries({ back: () => stepBack(visit), forward: () => stepForward(visit) }, controller);
  const main = () => partOf("main");
  /** @type {{ screen?: PageScreen, key?: unknown } | undefined} */
  let shown;
  const keep = () => shown?.key && unsent.set(shown.key, readInput(main()));
  const drop = () => {
    unsent.delete(shown?.key);
    shown = { ...shown, key: undefined };
  };
  watchFaults(visit, controller);
  window.addEventListener("beforeunload", (event) => warn(event, visit, main()), controller);
  return {
    show(takesFocus = true) {
      keep();
      shown?.screen?.dispose?.();
      const { nodes, screen, key } = render(visit);
      shown = { screen, key };
      showNodes(nodes, takesFocus);
      document.title = titleOf(visit, main());
      writeInput(main(), unsent.get(key) ?? []);
      foldContact(visit.state);
      hooks.updateHeader(visit);
      entries.stand(visit.state.step > 0 && !visit.state.ending);
    },
    // What stands on the page has been taken up.
    drop,
    // Nothing of an answer stays in memory.
    forget() {
      drop();
      unsent.clear();
      visit.draft.leave();
      visit.speech.clear();
    },
    // Whether the page is another's by now, or nobody's: what is still under way changes nothing there.
    isOver: () => controller.signal.aborted,
    // The visit is over: nothing of the page holds on to it, or to what was in it.
    dispose() {
      visit.forget();
      shown?.screen?.dispose?.();
      controller.abort();
    },
    // Out at once: no answer stays behind, and the back button does not lead here.
    leave() {
      visit.dispose();
      document.title = "";
      document.body.replaceChildren();
      entries.leave();
    },
  };
}

/**
 * The screen that the state stands for, rendered; where that fails, what says so, and the way on.
 *
 * @param {Visit} visit
 */
function render(visit) {
  const { state, steps, draft } = visit;
  if (state.ending) return { nodes: endingNodes(visit, state.ending) };
  const step = steps[state.step];
  const screen = state.aside ?? step.screen;
  try {
    const nodes = screen.render(derive(visit, { form: hooks.resolveForm(visit.form, step, visit) }));
    if (screen === step.screen && step.question !== undefined) nodes.unshift(progressLine(visit, nodes));
    return { nodes, screen, key: draft.isBound() ? undefined : (state.aside ?? step) };
  } catch (fault) {
    console.error(fault);
    return { nodes: brokenNodes(visit) };
  }
}

/**
 * Which question is asked, of how many that this person may be asked.
 *
 * @param {Visit} visit
 * @param {HTMLElement[]} nodes
 */
function progressLine({ state, steps, draft, speech: { words } }, nodes) {
  /** @param {Step[]} some */
  const count = (some) => some.reduce((sum, step) => sum + (isAsked(step, draft) ? (step.rows ?? 1) : 0), 0);
  const [value, max] = [count(steps.slice(0, state.step + 1)) - (steps[state.step].rows ?? 1) + 1, count(steps)];
  nodes.find(({ tagName }) => tagName === "H1")?.setAttribute("aria-describedby", "step");
  return element("label", { className: "step", id: "step" }, words.step(value, max), element("progress", { value, max }));
}

/**
 * @param {Visit} visit
 * @param {string} ending
 */
function endingNodes(visit, ending) {
  const { receipt } = visit.state;
  const nodes = receipt ? receiptScreen(visit, receipt) : endingScreen(ending === "receipt" ? "already" : ending, visit);
  try {
    return hooks.renderEnding([...nodes], ending, visit);
  } catch (fault) {
    console.error(fault);
    return nodes;
  }
}

/**
 * What leads from one step to another.
 *
 * @param {Visit} visit
 */
function waysOf(visit) {
  /**
   * @param {number} target
   * @param {number} by
   */
  const go = (target, by) => {
    const { steps, draft, state } = visit;
    // Someone who came from the review to change one answer goes straight back to it, and so does whoever has
    // seen what is sent.
    const to = draft.isBound() || state.returning ? steps.length - 1 : target;
    const step = hooks.nextStep(steps, to, by, visit);
    visit.dispatch(hooks.redirectMove({ type: "move", step, by }, visit));
  };
  return {
    forward() {
      if (visit.state.step === 0) visit.draft.begin();
      visit.drop();
      go(visit.state.step + 1, 1);
    },
    back: () => go(visit.state.step - 1, -1),
    /** @param {number} question */
    goTo(question) {
      const step = visit.steps.findIndex((candidate) => candidate.question === question);
      visit.dispatch({ type: "move", step, returning: true });
    },
    /**
     * To the step that a function of the visit names: for whoever takes it up again.
     *
     * @param {(visit: Visit) => number} stepOf
     */
    resumeAt: (stepOf) => visit.dispatch({ type: "move", step: stepOf(visit) }),
    /** @param {PageScreen} [aside] */
    turnTo: (aside) => visit.dispatch({ type: "turn", aside }),
    /**
     * @param {string} language
     * @param {boolean} [takesFocus]
     */
    chooseLanguage(language, takesFocus = false) {
      visit.speech = pageSpeech(language);
      const isWhole = attempt(() => renderHeader(visit));
      visit.show(takesFocus);
      if (!isWhole) tellFault(visit);
    },
  };
}

/**
 * Whether something was done without a fault: the page goes on all the same.
 *
 * @param {() => void} work
 */
function attempt(work) {
  try {
    work();
    return true;
  } catch (fault) {
    console.error(fault);
    return false;
  }
}

/**
 * What a visit comes to.
 *
 * @param {Visit} visit
 */
function endsOf(visit) {
  return {
    // Fix what is sent.
    bind() {
      visit.draft.bind();
      visit.show();
    },
    /** @param {string} [failure] */
    retry: (failure) => visit.dispatch({ type: "retry", failure }),
    /**
     * Without a report, or without word of one.
     *
     * @param {string} ending
     */
    endVisit(ending) {
      visit.forget();
      visit.dispatch({ type: "end", ending });
    },
    /**
     * @param {string} ending
     * @param {Receipt} [receipt]
     */
    finish(ending, receipt) {
      visit.forget();
      visit.draft.erase(ending);
      visit.dispatch({ type: "end", ending, receipt });
    },
  };
}

/**
 * The browser's Back: what the button of the screen does, and nothing where there is none.
 *
 * @param {Visit} visit
 */
function stepBack(visit) {
  const { step, aside, ending, isSending } = visit.state;
  if (ending || isSending) return;
  if (aside) aside.back?.(visit);
  else if (step > 0 && !visit.draft.isBound()) visit.back();
}

/**
 * The browser's Forward: to what was seen already.
 *
 * @param {Visit} visit
 */
function stepForward(visit) {
  const { step, reached, aside, ending, isSending } = visit.state;
  if (ending || isSending || aside || step >= reached) return;
  visit.dispatch({ type: "retrace", step: hooks.nextStep(visit.steps, step + 1, 1, visit) });
}

/**
 * A reload or a closed window would lose what was answered. The browser says so in its own words, if it does.
 *
 * @param {any} event
 * @param {Visit} visit
 * @param {HTMLElement} main
 */
function warn(event, visit, main) {
  const { step, aside, ending, isSending } = visit.state;
  const isQuestion = !aside && visit.steps[step]?.question !== undefined;
  if (ending || !(isSending || visit.draft.hasAnswers() || (isQuestion && hasInput(main)))) return;
  event.preventDefault();
  event.returnValue = true;
}

/**
 * Whether anybody takes answers. What was bound is sent all the same: a report that has arrived once is
 * acknowledged by a closed survey too.
 *
 * @param {Visit} visit
 */
async function checkSurveyStatus(visit) {
  const { form, fingerprint } = visit;
  const { status, full } = await askStatus(destination(form, location.href), fingerprint);
  visit.dispatch({ type: "update", change: { status, full } });
  if (status === "silent") partOf("door")?.replaceWith(statusLine(status, visit.speech.words));
  if (["open", "silent"].includes(status) || visit.draft.isBound()) return;
  visit.endVisit(status);
}

/**
 * Consent, practice, the questions with the card before the first protected one, and the review.
 *
 * @param {Form} form
 */
function routeOf(form) {
  const first = form.questions.findIndex(isProtected);
  const questionSteps = form.questions.flatMap((_, question) => {
    const step = { question, screen: questionScreen(question) };
    return question === first ? [{ screen: cardScreen }, step] : [step];
  });
  const practice = first < 0 ? [] : [{ screen: practiceScreen }];
  return hooks.arrangeRoute([{ screen: consentScreen }, ...practice, ...hooks.arrangeSteps(questionSteps, form), { screen: reviewScreen }], form);
}
