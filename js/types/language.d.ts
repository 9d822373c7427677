import type { LanguageWords } from "./element.js";

declare const words: LanguageWords;

export default words;
