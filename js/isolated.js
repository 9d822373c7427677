// <askance-question> that asks in the study's own frame, and nowhere else: the smallest one.

import { AskanceQuestion } from "./element.js";

AskanceQuestion.define();

export { AskanceQuestion };
