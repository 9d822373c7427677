// A question type "askance" for SurveyJS: its value is the report, and never the answer.

import { asked, forget, settled, WHERE } from "./hosts.js";

// Bring the type to the page's SurveyJS: what survey-core exports, or the global `Survey`. Whichever of its
// renderers the page uses shows it.
export function register(core) {
  const { ComponentCollection, Serializer } = core;
  if (ComponentCollection.Instance.getCustomQuestionByName("askance")) return;
  ComponentCollection.Instance.add({
    name: "askance",
    title: "Askance",
    // Of its own types the one that holds any value and takes none from the keyboard.
    questionJSON: { type: "expression" },
    onInit: () => WHERE.forEach((name) => Serializer.addProperty("askance", { name, type: name === "exposed" ? "boolean" : "string" })),
    onCreated: (question) => {
      question.titleLocation = "hidden";
    },
    onLoaded: (question) => question.survey.onComplete.add(forget),
    onAfterRender: (question, root) => show(question, root, core),
    // Who looks over what they said sees that it was given, and not what.
    getDisplayValue: (content) => (content.isEmpty() ? "" : "\u2713"),
  });
}

// Its heading is of the level of the other questions' titles, if these are headings. A report that the survey
// has from elsewhere, another day or another device, was given: it is not asked for again.
function show(question, root, { settings, surveyLocalization }) {
  const id = question.contentQuestion.inputId;
  const held = root.querySelector(`[id="${id}"]`);
  if (!held || held.parentNode.querySelector("askance-question")) return;
  held.style.display = "none"; // the value as it is kept
  held.id = "";
  const level = /\d/.exec(settings.titleTags.question);
  const [given, disabled] = [!question.isEmpty(), question.isReadOnly];
  const node = asked({ ...pick(question), question: question.question || question.name, level, given, disabled });
  node.id = id; // what SurveyJS brings into sight where a report is missing
  held.after(node);
  settled(node, ({ form, cells }) => {
    question.value = { form, cells: { ...cells } };
  });
  question.survey.onLocaleChangedEvent.add(({ locale }) => {
    node.lang = locale || surveyLocalization.defaultLocale;
  });
}

const pick = (question) => Object.fromEntries(WHERE.map((name) => [name, question[name]]));
