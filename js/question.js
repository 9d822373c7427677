// <askance-question> that asks in the study's frame or, where it is `exposed`, every kind of question on the
// page itself.

import "./kinds.js";
import { AskanceQuestion } from "./element.js";
import { exposed } from "./exposed.js";

AskanceQuestion.define(exposed);

export { AskanceQuestion };
