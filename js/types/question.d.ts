import type { Value } from "./index.js";

/** What a page gets of an answer. */
export interface QuestionReport {
  /** The fingerprint of the form. */
  readonly form: string;
  /** The question's name in the form. */
  readonly question: string;
  /** As a collector would get it. */
  readonly value: Value;
  /** The same by column, as `askance estimate` reads it from a table. */
  readonly cells: Readonly<Record<string, string>>;
}

/** Why a question is not asked. */
export interface QuestionRefusal {
  readonly reason: "absent" | "chance" | "changed" | "form" | "frame" | "piped" | "question" | "rule" | "sealed" | "twice" | "unreachable";
  readonly message: string;
}

/** What the element says itself in one language, by name. */
export type LanguageWords = Readonly<Record<string, unknown>>;

/**
 * `<askance-question fingerprint="…" question="…" src="…">`: one question of a form. It hands its page the
 * report, once, and never the answer.
 */
export class AskanceQuestion extends HTMLElement {
  /** Forget what was drawn and given in this tab: for the next person at the same device. */
  static forget(): void;
  /** Bring the words of another language. */
  static speak(language: string, words: LanguageWords): void;
  /** Settled once the question is asked, was given before, or is refused. */
  readonly ready: Promise<void> | null;
  /** What was handed over; null before. */
  readonly report: QuestionReport | null;
  readonly name: string;
  readonly form: HTMLFormElement | null;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  readonly willValidate: boolean;
  checkValidity(): boolean;
  reportValidity(): boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    "askance-question": AskanceQuestion;
  }
  interface HTMLElementEventMap {
    "askance-report": CustomEvent<QuestionReport>;
    "askance-refused": CustomEvent<QuestionRefusal>;
  }
}
