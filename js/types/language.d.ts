import type { LanguageWords } from "./question.js";

declare const words: LanguageWords;

export default words;
