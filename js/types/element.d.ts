import type { Value } from "./index.js";

/** A report by column, as `askance estimate` reads it from a table. */
export type Cells = Readonly<Record<string, string>>;

/** What a page gets of an answer. */
export interface QuestionReport {
  /** The fingerprint of the form. */
  readonly form: string;
  /** The question's name in the form. */
  readonly question: string;
  /** By column, as `askance estimate` reads it from a table. */
  readonly cells: Cells;
  /** As a collector would get it; only of a question that is exposed. */
  readonly value?: Value;
}

/** Why a question is not asked. */
export interface QuestionRefusal {
  readonly reason: "absent" | "chance" | "changed" | "exposed" | "form" | "frame" | "piped" | "question" | "rule" | "sealed" | "twice" | "unreachable";
  readonly message: string;
}

/** What the element says itself in one language, by name. */
export type LanguageWords = Readonly<Record<string, unknown>>;

/** The colours among which a page chooses for a frame. */
export type Accent = "blue" | "green" | "grey" | "orange" | "red" | "violet";

/** What a page sets on the tag: each an attribute, and a property of the same name. */
export interface QuestionProperties {
  /** The address of the study's frame or, where the question is exposed, of the form. */
  src?: string | null;
  /** The form's fingerprint: another form is refused. */
  fingerprint?: string | null;
  /** Which question of the form; can be left out if there is only one. */
  question?: string | null;
  /** Of the column; by default the question's name. */
  name?: string;
  /** The form waits for an answer. */
  required?: boolean;
  /** It takes no answer. */
  disabled?: boolean;
  /** The report of another day, by column or as JSON: the question is not asked again. */
  value?: Cells | string | null;
  /** There is a report of another day, which is not handed to the tag: the question is not asked again. */
  given?: boolean;
  /** The level of its heading, 1 to 6: by default 2. */
  level?: string | number | null;
  /** Of a frame: the size of its letters in pixels, 12 to 32. */
  size?: string | number | null;
  /** Of a frame: its colour. */
  accent?: Accent | null;
  /** For authors: nothing is drawn, and nothing sent. */
  preview?: boolean;
  /** Asked on the page itself, whose scripts can read the answer, and not in the study's frame. */
  exposed?: boolean;
}

/**
 * `<askance-question src="…/frame" fingerprint="…" question="…">`: one question of a form. It hands its page the
 * report, once, and never the answer.
 */
export class AskanceQuestion extends HTMLElement {
  static readonly formAssociated: true;
  /** Forget what was drawn and given in this tab: for the next person at the same device. */
  static forget(): void;
  /** Bring the words of another language to questions that are exposed. */
  static speak(language: string, words: LanguageWords): void;
  get src(): string;
  set src(value: string | null);
  get fingerprint(): string;
  set fingerprint(value: string | null);
  get question(): string;
  set question(value: string | null);
  get level(): string;
  set level(value: string | number | null);
  get size(): string;
  set size(value: string | number | null);
  get accent(): string;
  set accent(value: Accent | null);
  name: string;
  required: boolean;
  disabled: boolean;
  given: boolean;
  preview: boolean;
  exposed: boolean;
  /** What its form sends, by column: given here, or of another day. What was given here is not replaced. */
  get value(): Cells | null;
  set value(value: Cells | string | null);
  /** Settled once the question is asked, was given before, or is refused; another promise after each change. */
  readonly ready: Promise<void> | null;
  /** What was handed over here; null before. */
  readonly report: QuestionReport | null;
  readonly type: "askance-question";
  readonly form: HTMLFormElement | null;
  readonly labels: NodeList;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  readonly willValidate: boolean;
  checkValidity(): boolean;
  reportValidity(): boolean;
  setCustomValidity(message: string): void;
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
