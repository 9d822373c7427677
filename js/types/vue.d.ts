// `import type {} from "askance/vue"` gives Vue's templates the tag, its properties and its events.

import type { DefineComponent, HTMLAttributes } from "vue";
import type { QuestionProperties, QuestionRefusal, QuestionReport } from "./element.js";

/** What `<askance-question>` takes in a template. */
export interface AskanceQuestionProps extends QuestionProperties, Omit<HTMLAttributes, keyof QuestionProperties> {
  "onAskance-report"?: (event: CustomEvent<QuestionReport>) => void;
  "onAskance-refused"?: (event: CustomEvent<QuestionRefusal>) => void;
}

declare module "vue" {
  interface GlobalComponents {
    "askance-question": DefineComponent<AskanceQuestionProps>;
  }
}
