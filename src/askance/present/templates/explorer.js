// The explorer of a channel in a notebook: sliders, and what Python tells of the channel they stand for.

export const made = (name, more = {}, ...inside) => {
  const node = Object.assign(document.createElement(name), more);
  node.append(...inside);
  return node;
};

export const percent = (share) => `${(100 * share).toFixed(1)}\u00a0%`;

// A label names the first field in it: the slider stands before what it is at.
export function slider(text, least, most, value, unit) {
  const shown = made("output", { ariaLive: "off" }, `${value}${unit}`);
  const input = made("input", { type: "range", min: least, max: most, value });
  const tell = () => shown.replaceChildren(`${input.value}${unit}`);
  input.addEventListener("input", tell);
  const put = (turned) => {
    input.value = turned;
    tell();
  };
  return { input, line: made("label", {}, made("span", {}, text), input, shown), number: () => Number(input.value), put };
}

// Truth, lie and silence sum to a hundred. What one of them takes or leaves, silence gives or gets as
// far as it can, then the truth; and where silence itself is turned, the truth, then the lie.
export function balanced(parts, moved, value) {
  const [first, second] = [2, 0, 1].filter((at) => at !== moved);
  const found = [...parts];
  const taken = value - parts[moved];
  const given = Math.min(taken, parts[first]);
  found[moved] = value;
  found[first] -= given;
  found[second] -= taken - given;
  return found;
}

const SHADES = [85, 45, 12, 65, 30, 5];
const shade = (at) => `color-mix(in srgb, currentColor ${SHADES[at % SHADES.length]}%, transparent)`;

function bar({ answer, sent }) {
  const coloured = (at, style = "") => {
    const piece = made("i");
    piece.style.cssText = `background: ${shade(at)}; ${style}`;
    return piece;
  };
  const some = sent.map(([report, share], at) => ({ report, share, at })).filter(({ share }) => share > 0);
  const words = some.map(({ report, share, at }) => made("li", {}, coloured(at), `${report} ${percent(share)}`));
  const picture = made("div", { className: "bar" }, ...some.map(({ share, at }) => coloured(at, `width: ${100 * share}%`)));
  picture.ariaHidden = "true";
  return made("figure", {}, made("figcaption", {}, `whose answer is “${answer}”`), picture, made("ul", {}, ...words));
}

function table(caption, heads, rows) {
  const head = made("tr", {}, ...heads.map((one) => made("th", { scope: "col" }, one)));
  const body = rows.map(([first, ...rest]) => made("tr", {}, made("th", { scope: "row" }, first), ...rest.map((one) => made("td", {}, one))));
  return made("table", {}, made("caption", {}, caption), made("thead", {}, head), made("tbody", {}, ...body));
}

function told({ cards, sent, beliefs, losses }) {
  const numbers = cards.map(({ name, value, note }) => made("div", {}, made("dt", {}, name), made("dd", {}, made("b", {}, value), made("span", {}, note))));
  return [
    made("dl", {}, ...numbers),
    made("section", {}, made("p", {}, "What is sent, of 100 people"), ...sent.map(bar)),
    table("What is learnt, if reports are taken at their word", ["answer", "share", "belief", "plausibility"], beliefs),
    table("What one report can give away, at the most", ["loss", "ε", "odds times"], losses),
  ];
}

function render({ model, el }) {
  const parts = model.get("words").map((text, at) => slider(text, 0, 100, model.get("chances")[at], ""));
  const share = slider(model.get("asked"), 1, 99, model.get("prevalence"), " %");
  const people = made("input", { type: "number", min: 1, max: 1_000_000, step: 1, required: true, value: model.get("people") });
  const figures = made("div", { className: "figures" });
  const waiting = made("p", { className: "waiting" });
  waiting.setAttribute("role", "status");

  function hand(name, value) {
    model.set(name, value);
    model.save_changes();
    wait();
  }
  function turn(moved) {
    const chances = balanced(model.get("chances"), moved, parts[moved].number());
    parts.forEach((part, at) => part.put(chances[at]));
    hand("chances", chances);
  }
  // What is shown is of the sliders as they stand, or says that it is not.
  function wait() {
    const { of } = model.get("figures");
    const now = [...model.get("chances"), model.get("prevalence"), model.get("people")];
    const old = now.some((one, at) => one !== of[at]);
    figures.classList.toggle("old", old);
    waiting.replaceChildren(old ? "Waiting for Python: a notebook without a running kernel shows the last figures." : "");
  }
  function show() {
    figures.replaceChildren(...told(model.get("figures")));
    wait();
  }
  function follow() {
    parts.forEach((part, at) => part.put(model.get("chances")[at]));
    share.put(model.get("prevalence"));
    people.value = model.get("people");
    wait();
  }

  parts.forEach(({ input }, at) => input.addEventListener("input", () => turn(at)));
  share.input.addEventListener("input", () => hand("prevalence", share.number()));
  people.addEventListener("input", () => people.validity.valid && hand("people", Number(people.value)));
  people.addEventListener("change", () => people.reportValidity());
  const heard = [["figures", show], ["chances", follow], ["prevalence", follow], ["people", follow]];
  for (const [name, hear] of heard) model.on(`change:${name}`, hear);
  const field = made("label", {}, made("span", {}, "so many reports arrive"), people);
  const turned = made("div", { className: "turned" }, ...parts.map(({ line }) => line), share.line, field);
  const group = made("div", { className: "askance-explorer" }, turned, waiting, figures);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Explore a channel");
  el.replaceChildren(group);
  show();
  return () => {
    for (const [name, hear] of heard) model.off(`change:${name}`, hear);
  };
}

export default { render };
