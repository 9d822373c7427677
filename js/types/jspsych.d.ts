/** What a trial says of the question that it asks. */
export interface AskanceTrial {
  /** The address of the study's frame; or, of a question that is exposed, of its form. */
  readonly src?: string | null;
  /** Of a question that is exposed the published form, as an object or as its text. */
  readonly form?: object | string | null;
  /** Asked on the page itself, whose scripts can read the answer, and not in the study's frame. */
  readonly exposed?: boolean;
  readonly fingerprint: string;
  /** Can be left out where the form has one. */
  readonly question?: string | null;
  readonly lang?: string | null;
}

/** The report by column; or why the question was not asked. */
export type AskanceData = Record<string, string> | { askance_refused: string };

/** A plug-in for jsPsych 8: `{ type: AskancePlugin, src: …, fingerprint: …, question: … }`. */
export class AskancePlugin {
  constructor(jsPsych?: unknown);
  static info: {
    readonly name: "askance";
    readonly version: string;
    readonly parameters: Readonly<Record<keyof AskanceTrial, { readonly type: number; readonly default: null | false }>>;
    readonly data: Readonly<Record<string, { readonly type: number }>>;
  };
  trial(display: HTMLElement, trial: any, shown: () => void): Promise<AskanceData>;
}
