/** What is needed of SurveyJS: what survey-core exports, or the global `Survey`. */
export interface SurveyCore {
  readonly ComponentCollection: { readonly Instance: { add(configuration: any): void; getCustomQuestionByName(name: string): unknown } };
  readonly Serializer: { addProperty(type: string, property: any): unknown };
  readonly settings: { readonly titleTags: { readonly question: string } };
  readonly surveyLocalization: { readonly defaultLocale: string };
}

/** What a question of the type "askance" stores in the survey's data. */
export interface StoredReport {
  /** The fingerprint of the form. */
  readonly form: string;
  /** The report by column. */
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Let surveys have questions of the type "askance", with the properties `src`, `fingerprint` and `question` (else
 * its name); and `exposed`, with which `src` or `form` is the form itself. Once the survey is complete, the next person is asked anew.
 */
export function register(core: SurveyCore): void;
