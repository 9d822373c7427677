// `import type {} from "askance/react"` gives React's JSX the tag, its properties and its events.

import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { AskanceQuestion, QuestionProperties, QuestionRefusal, QuestionReport } from "./element.js";

type Own = Omit<DetailedHTMLProps<HTMLAttributes<AskanceQuestion>, AskanceQuestion>, keyof QuestionProperties>;

/** What `<askance-question>` takes in JSX. */
export interface AskanceQuestionProps extends Own, QuestionProperties {
  "onaskance-report"?: (event: CustomEvent<QuestionReport>) => void;
  "onaskance-refused"?: (event: CustomEvent<QuestionRefusal>) => void;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "askance-question": AskanceQuestionProps;
    }
  }
}
