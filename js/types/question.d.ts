export { AskanceQuestion } from "./element.js";
export type { Accent, Cells, LanguageWords, QuestionProperties, QuestionRefusal, QuestionReport } from "./element.js";
