// What somebody has chosen and typed, carried over to the same controls shown anew.

const CONTROLS = "input, textarea, select, button, summary";

// Remember it: what is given puts it into the controls that stand there then, in the same order.
export function chosenIn(root) {
  const before = [...root.querySelectorAll(CONTROLS)];
  const at = before.indexOf(root.activeElement);
  return () => {
    const controls = [...root.querySelectorAll(CONTROLS)];
    if (controls.length !== before.length) return;
    controls.forEach((control, place) => carry(before[place], control));
    controls[at]?.focus();
  };
}

function carry(from, to) {
  if (from.checked && !to.checked) to.click();
  if (!["radio", "checkbox"].includes(from.type) && from.value && to.value !== from.value) {
    Object.assign(to, { value: from.value }).dispatchEvent(new Event("input", { bubbles: true }));
  }
}
