// <askance-question> that asks in the study's frame or, where it is `exposed`, questions of named answers on
// the page itself.

import "./choices.js";
import { AskanceQuestion } from "./element.js";
import { exposed } from "./exposed.js";

AskanceQuestion.define(exposed);

export { AskanceQuestion };
