// "Which way of asking?" one question at a time. The address says where the reader is, so that Back goes
// back; without scripts the page is a list of questions.

const PAGE = "which-way-of-asking";

function guide(whole) {
  const steps = [...whole.querySelectorAll(":scope > section")];
  const trail = Object.assign(document.createElement("p"), { className: "trail" });
  let passed = [];
  steps[0].before(trail);

  function show() {
    const id = decodeURIComponent(location.hash.slice(1));
    const now = steps.find((step) => step.id === id) ?? steps[0];
    const before = passed.indexOf(now);
    passed = now === steps[0] ? [now] : before < 0 ? [...passed, now] : passed.slice(0, before + 1);
    for (const step of steps) step.hidden = step !== now;
    const crumbs = passed.slice(0, -1).flatMap((step) => [crumb(step), " › "]);
    trail.replaceChildren(...crumbs, titleOf(now));
    trail.hidden = !crumbs.length; // the heading says it already
  }

  addEventListener("hashchange", show);
  show();
}

const titleOf = (step) => step.querySelector("h2").firstChild.textContent;

function crumb(step) {
  return Object.assign(document.createElement("a"), { href: `#${step.id}`, textContent: titleOf(step) });
}

const whole = document.getElementById(PAGE);
if (whole) guide(whole);
