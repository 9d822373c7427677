// The browser's Back and Forward as steps of a visit. A visit that has begun stands on the second of three history
// entries of this page's own address: Back leads to the first, Forward to the third, and the page returns to the
// second once it has taken the step. So there are as many entries for everybody, whatever was asked, and all that
// an entry holds is its number: 0, 1 or 2.

// Within another page there are none: they would be that page's, too.
const isAlone = () => window.parent === window;

const entry = () => [0, 1, 2].indexOf(history.state);

function makeEntries() {
  try {
    history.replaceState(0, "");
    history.pushState(1, "");
    history.pushState(2, "");
  } catch {
    // a browser may let a saved page have none
  }
}

/** @param {{ back: () => void, forward: () => void }} steps */
export function openEntries({ back, forward }) {
  const controller = new AbortController();
  let [wanted, underWay, isStepping] = [0, false, false];
  const settle = () => {
    if (underWay || isStepping || entry() < 0 || entry() === wanted) return;
    underWay = true;
    history.go(wanted - entry());
  };
  const step = () => {
    if (entry() < 0) return;
    underWay = false;
    isStepping = true;
    if (entry() < wanted) back();
    else if (entry() > wanted) forward();
    isStepping = false;
    settle();
  };
  window.addEventListener("popstate", step, controller);
  return {
    /**
     * Whether the visit has begun and is not over.
     *
     * @param {boolean} isUnderWay
     */
    stand(isUnderWay) {
      wanted = Number(isUnderWay && isAlone());
      if (wanted && entry() < 0) makeEntries();
      settle();
    },
    // Away to an empty page, in the place of the first entry: none of the others lies before it.
    leave() {
      controller.abort();
      const away = () => location.replace("about:blank");
      if (entry() < 1) return away();
      window.addEventListener("popstate", away);
      setTimeout(away, 500);
      return history.go(-entry());
    },
    dispose: () => controller.abort(),
  };
}
