// <askance-question> for named answers: the smallest one.

import "./choices.js";
import { AskanceQuestion } from "./element.js";

AskanceQuestion.define();

export { AskanceQuestion };
