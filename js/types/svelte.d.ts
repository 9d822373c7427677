// `import type {} from "askance/svelte"` gives Svelte's templates the tag, its properties and its events.

import type { HTMLAttributes } from "svelte/elements";
import type { AskanceQuestion, QuestionProperties, QuestionRefusal, QuestionReport } from "./element.js";

/** What `<askance-question>` takes in a template. */
export interface AskanceQuestionProps extends QuestionProperties, Omit<HTMLAttributes<AskanceQuestion>, keyof QuestionProperties> {
  "onaskance-report"?: (event: CustomEvent<QuestionReport>) => void;
  "onaskance-refused"?: (event: CustomEvent<QuestionRefusal>) => void;
}

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "askance-question": AskanceQuestionProps;
  }
}
