// Texts beside the question before them: comments, on the same screen. A page whose form has none goes
// without this module.

import { complaintLine, heed } from "./controls.js";
import { element } from "./element.js";
import { NEWER } from "./form.js";
import { counted } from "./sections.js";
import { writing } from "./texts.js";

const before = { ...NEWER };

// The steps with each comment on the screen of its question, which is counted once. A comment keeps a
// step of its own behind that, so that it can be gone to from the review.
function joined(steps, form) {
  const isBeside = ({ question }) => form.questions[question]?.beside;
  if (!steps.some(isBeside)) return before.arranged(steps, form);
  return counted(before.arranged(steps.filter((step) => !isBeside(step)), form)).flatMap((step) => {
    const comment = step.question + 1;
    if (!isBeside({ question: comment })) return [step];
    const screen = (visit) => withComment(step.screen(visit), comment, visit);
    return [{ ...step, screen }, { question: comment, beside: true, screen }];
  });
}

function withComment(asked, comment, { form, draft, speech }) {
  const question = form.questions[comment];
  const row = asked.pop();
  const complaint = Object.assign(complaintLine(), { id: "overlong" });
  const { nodes, read } = writing(question, draft.answer(comment), speech, speech.text(question.text), "comment");
  const node = element("div", {}, complaint, ...nodes);
  heed(node, complaint);
  // Before the button does what it does.
  row.addEventListener(
    "click",
    (event) => {
      try {
        draft.give(comment, read(complaint));
      } catch {
        event.stopPropagation();
      }
    },
    true,
  );
  return [...asked, node, row];
}

function pastComments(steps, to, by, visit) {
  let next = before.passed(steps, to, by, visit);
  while (by && steps[next].beside) next = before.passed(steps, next + by, by, visit);
  return next;
}

Object.assign(NEWER, { arranged: joined, passed: pastComments });
