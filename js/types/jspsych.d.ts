/** What a trial says of the question that it asks. */
export interface AskanceTrial {
  /** A published form, as an object or as its text; or else `src`, its address. */
  readonly form?: object | string | null;
  readonly src?: string | null;
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
    readonly parameters: Readonly<Record<keyof AskanceTrial, { readonly type: number; readonly default: null }>>;
    readonly data: Readonly<Record<string, { readonly type: number }>>;
  };
  trial(display: HTMLElement, trial: any, shown: () => void): Promise<AskanceData>;
}
