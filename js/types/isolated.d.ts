/** What a page gets of an answer that was asked in the study's own frame. */
export interface FramedReport {
  /** The fingerprint of the form. */
  readonly form: string;
  /** The question's name in the form. */
  readonly question: string;
  /** By column, as `askance estimate` reads it from a table. */
  readonly cells: Readonly<Record<string, string>>;
}

/** `<askance-question src="…/frame" question="…">`, whose frame asks. */
export class AskanceQuestion extends HTMLElement {
  /** Forget what was given in this tab: for the next person at the same device. */
  static forget(): void;
  /** Settled once the question is asked, was given before, or is refused. */
  readonly ready: Promise<void> | null;
  /** What was handed over; null before. */
  readonly report: FramedReport | null;
  readonly name: string;
  readonly form: HTMLFormElement | null;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  readonly willValidate: boolean;
  checkValidity(): boolean;
  reportValidity(): boolean;
}
