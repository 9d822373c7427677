// Screens: `{ render, dispose }` values, of which one is shown at a time. What somebody typed or chose on one is
// read off it when it is left, and put back when it is rendered again.

import { partOf } from "./element.js";

/**
 * A screen whose nodes are changed once it has rendered them.
 *
 * @param {PageScreen} screen
 * @param {(nodes: HTMLElement[], visit: Visit) => HTMLElement[]} change
 * @returns {PageScreen}
 */
export const changeScreen = (screen, change) => ({ ...screen, render: (visit) => change(screen.render(visit), visit) });

/**
 * A visit with other parts in the place of some; its state stays the visit's own.
 *
 * @param {Visit} visit
 * @param {Partial<Visit>} parts
 * @returns {Visit}
 */
export const derive = (visit, parts) => Object.assign(Object.create(visit), parts);

/**
 * @param {HTMLElement} main
 * @returns {HTMLInputElement[]}
 */
const controlsIn = (main) => Array.from(main.querySelectorAll("input, textarea"));

/** @param {{ type: string }} control */
const isTyped = ({ type }) => type === "text" || type === "textarea";

/** @param {HTMLElement} main */
export const readInput = (main) => controlsIn(main).map(({ type, value, checked }) => ({ type, value, checked }));

/** @param {HTMLElement} main */
export const hasInput = (main) => controlsIn(main).some((control) => (isTyped(control) ? control.value !== "" : control.checked));

/**
 * A screen that has other controls by now stays as it was rendered.
 *
 * @param {HTMLElement} main
 * @param {{ type: string, value: string, checked: boolean }[]} input
 */
export function writeInput(main, input) {
  const controls = controlsIn(main);
  if (controls.length !== input.length || controls.some(({ type }, index) => type !== input[index].type)) return;
  controls.forEach((control, index) => {
    if (isTyped(control)) control.value = input[index].value;
    else control.checked = input[index].checked;
  });
  controls.filter(isTyped).forEach((control) => control.dispatchEvent(new Event("input", { bubbles: true })));
}

/**
 * @param {HTMLElement[]} nodes
 * @param {boolean} takesFocus
 */
export function showNodes(nodes, takesFocus) {
  const main = partOf("main");
  const isFirst = !main.querySelector("h1");
  main.replaceChildren(...nodes);
  main.onkeydown = (/** @type {any} */ event) => {
    const answering = event.key === "Enter" && !event.repeat && ["radio", "text"].includes(event.target.type);
    if (answering) main.querySelector("button.main")?.click();
  };
  if (!takesFocus) return;
  const settle = () => {
    window.scrollTo(0, 0);
    main.querySelector("[tabindex]")?.focus({ preventScroll: true });
  };
  // The first screen is drawn before script waits for where its parts stand.
  if (isFirst) requestAnimationFrame(settle);
  else settle();
}
