// The browser's Back and Forward as steps of a visit. A visit that has begun stands on the second of three history
// entries of this page's own address: Back leads to the first, Forward to the third, and the page returns to the
// second once it has taken the step. So there are as many entries for everybody, whatever was asked, and all that
// an entry holds is its number: 0, 1 or 2.

const entry = () => [0, 1, 2].indexOf(history.state);

// The entry that the page is on its way to, or -1. The history is the page's: the next visit may begin before it is
// there.
let target = -1;

/**
 * @param {{ back: () => void, forward: () => void }} steps
 * @param {AbortController} controller
 */
export function openEntries({ back, forward }, controller) {
  let wanted = 0;
  const settle = () => {
    if (target >= 0 || entry() < 0 || entry() === wanted) return;
    target = wanted;
    history.go(wanted - entry());
  };
  const step = () => {
    if (entry() < 0) return;
    const by = entry() === target ? 0 : entry() - wanted;
    // Nothing is settled in the middle of a step.
    target = wanted;
    if (by < 0) back();
    else if (by > 0) forward();
    target = -1;
    settle();
  };
  window.addEventListener("popstate", step, controller);
  return {
    /**
     * Whether the visit has begun and is not over. Within another page there are no entries: they would be that
     * page's, too.
     *
     * @param {boolean} isUnderWay
     */
    stand(isUnderWay) {
      wanted = Number(isUnderWay && window.parent === window);
      try {
        if (wanted && entry() < 0) {
          history.replaceState(0, "");
          history.pushState(1, "");
          history.pushState(2, "");
        }
      } catch {
        // a browser may let a saved page have none
      }
      settle();
    },
    // Away to an empty page, in the place of the first entry: none of the others lies before it.
    leave() {
      const away = () => location.replace("about:blank");
      if (entry() < 1) return away();
      window.addEventListener("popstate", away);
      setTimeout(away, 500);
      return history.go(-entry());
    },
  };
}
