// <askance-question> for every kind of question.

import "./kinds.js";
import { AskanceQuestion } from "./element.js";

AskanceQuestion.define();

export { AskanceQuestion };
