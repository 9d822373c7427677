// Images beside questions and what is chosen from there. They decide nothing: what is asked, drawn and sent
// is the same without them. The twin of read_pictures in askance_collect/wire/branding.py. A page whose form has no such
// image goes without this module.

import { ASKED } from "./controls.js";
import { allDistinct, assert, isWording } from "./form.js";
import { register } from "./hooks.js";
import { isWhole, shownImage, URI } from "./image.js";
import { only } from "./objects.js";
import { changeScreen } from "./screen.js";

// Schema: images
const IMAGES = { images: [only({ image: URI, alt: isWording, at: [only({ question: [0], "answer?": [0] }), 1, allDistinct] }), 1] };

/**
 * An image without a place of its own is refused.
 *
 * @param {Form} form
 */
function validatePictures(form) {
  const places = form.images.flatMap((image) => image.at);
  /** @param {{ question: number, answer?: number }} place */
  const isPlace = ({ question, answer = -1 }) => question < form.questions.length && answer < (choicesOf(question, form) ?? -1);
  assert(form.images.every(isWhole) && places.every(isPlace), "images");
  assert(allDistinct(places.map(({ question, answer }) => `${question} ${answer}`)), "images");
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
      if (answer === undefined) nodes.splice(nodes.findIndex(({ id }) => id === ASKED) + 1, 0, shown);
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
  shapes: IMAGES,
  validate: validatePictures,
  wrap: { illustrate: () => illustrate, arrangeSteps: illustrateSteps },
});
