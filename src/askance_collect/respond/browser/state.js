// The state of one visit, and how each event changes it. Nothing else changes it.

/**
 * `step` is the place in the steps, and `reached` the furthest one that Forward leads to again. `returning`: to
 * the review, after one answer. `aside` is a screen that stands in the place of the step's; `ending` is how the
 * visit ended. `failure` says what went wrong with sending, and `status` what the collector said of the survey.
 *
 * @type {State}
 */
export const initialState = {
  step: 0,
  reached: 0,
  returning: false,
  isSending: false,
};

/** @type {{ [Type in StateEvent["type"]]: (state: State, event: Extract<StateEvent, { type: Type }>) => State }} */
const EVENTS = {
  move: (state, { step, by = 0, aside, returning = false }) => ({
    ...state,
    step,
    aside,
    returning,
    reached: by < 0 || returning ? Math.max(state.reached, step) : step,
  }),
  retrace: (state, { step }) => ({ ...state, step, aside: undefined, returning: false }),
  turn: (state, { aside }) => ({ ...state, aside }),
  send: (state) => ({ ...state, isSending: true, failure: undefined }),
  retry: (state, { failure }) => ({ ...state, isSending: false, failure }),
  end: (state, { ending, receipt }) => ({ ...state, isSending: false, aside: undefined, ending, receipt }),
  update: (state, { change }) => ({ ...state, ...change }),
};

/**
 * @param {State} state
 * @param {StateEvent} event
 * @returns {State}
 */
export function reduce(state, event) {
  /** @type {Record<string, (state: State, event: any) => State>} */
  const events = EVENTS;
  return events[event.type](state, event);
}
