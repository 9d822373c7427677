// Images beside questions and what is chosen from there. They decide nothing: what is asked, drawn and sent
// is the same without them. The twin of read_pictures in askance_collect/wire/branding.py. A page whose form has no such
// image goes without this module.

import { isIndex } from "./askance.js";
import { allDistinct, assert, isList } from "./form.js";
import { register } from "./hooks.js";
import { isImage, shownImage } from "./image.js";
import { changeScreen } from "./screen.js";

/**
 * An image without a place of its own is refused.
 *
 * @param {Form} form
 */
function validatePictures(form) {
  const { images, languages } = form;
  assert(isList(images) && images.length > 0, "images");
  /** @param {any} parts */
  const stand = ({ at: places, ...image }) => isImage(image, languages) && isList(places) && places.length > 0 && places.every((place) => isPlace(place, form));
  images.forEach((image, n) => assert(image !== null && stand(image), `images[${n}]`));
  assert(allDistinct(images.flatMap(({ at: places }) => places.map(({ question, answer }) => `${question} ${answer}`))), "images");
}

/**
 * @param {any} place
 * @param {Form} form
 */
function isPlace(place, form) {
  const keys = Object.keys(place ?? {});
  if (!keys.every((key) => key === "question" || key === "answer") || !isIndex(place.question, form.questions.length)) return false;
  const offered = choicesOf(place.question, form);
  return offered !== undefined && (keys.length === 1 || isIndex(place.answer, offered));
}

/**
 * How many things are chosen from on the screen of a question; nothing where it has none.
 *
 * @param {number} question
 * @param {Form} form
 */
function choicesOf(question, { questions, checklists = [] }) {
  const checklist = checklists.find(({ at: first, items }) => question >= first && question < first + items.length);
  if (checklist) return question === checklist.at ? checklist.items.length : undefined;
  const { answers, beside, ticks } = questions[question];
  return beside ? undefined : (ticks ?? answers?.length ?? 0);
}

/**
 * A screen with the images of its question: one below its heading, and one in the row of each choice. What
 * is read out of a choice are its own words, and the text of the image is said after them.
 *
 * @type {NonNullable<Hooks["illustrate"]>}
 */
function illustrate(nodes, question, { form, speech }) {
  const rows = nodes.flatMap((node) => [...node.querySelectorAll("fieldset .option")]);
  for (const image of form.images) {
    for (const { answer } of image.at.filter((place) => place.question === question)) {
      const shown = shownImage(image, speech, "picture");
      if (answer === undefined) nodes.splice(nodes.findIndex(({ tagName }) => tagName === "H1") + 1, 0, shown);
      else putInto(rows[answer], shown, `picture-${answer}`);
    }
  }
  return nodes;
}

/**
 * @param {Element} row
 * @param {HTMLElement} shown
 * @param {string} id
 */
function putInto(row, shown, id) {
  const [control, label] = row.children;
  row.append(Object.assign(shown, { id }));
  label.id = `${id}-said`;
  control.setAttribute("aria-labelledby", label.id);
  control.setAttribute("aria-describedby", id);
}

/** @type {Wrapper<"arrangeSteps">} */
const illustrateSteps = (next) => (steps, form) =>
  next(steps, form).map((step) => {
    if (step.question === undefined) return step;
    const question = step.question - (step.beside ? 1 : 0);
    return { ...step, screen: changeScreen(step.screen, (nodes, visit) => illustrate(nodes, question, visit)) };
  });

register({
  name: "pictures",
  /** @param {Form} form */
  detect: ({ images }) => images !== undefined,
  validate: validatePictures,
  wrap: { illustrate: () => illustrate, arrangeSteps: illustrateSteps },
});
