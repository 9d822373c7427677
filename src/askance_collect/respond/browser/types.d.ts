// The types of the respondent's page, for those who change it: `make types` holds its modules to them. A form has
// been read by `readForm` before anything else looks at it, so what every question of a kind has is never absent
// here; the kinds share one interface.

/** A text in each language of the form. */
type Wording = Record<string, string>;
type Label = { name: string; label: Wording };
type ReportLabel = Label & { means: number[] };
type Table = { total: number; rows: number[][] };
/** A range of a line: above the first tick, up to the second. */
type Cell = number[];
/** A fraction: numerator and denominator. */
type Fraction = [bigint, bigint];
type Plural = "zero" | "one" | "two" | "few" | "many";
type Line = { lower: string; step: string; ticks: number; unit: Wording; whole?: true; lowest?: Wording; highest?: Wording } & { [form in Plural]?: Wording };
type Floor = { rule: "skip" | "withhold"; sizes: number[]; least: number };
type Sizes = { sizes: number[]; least: number };
type Cuts = { number: number; weights: number[]; floor: Floor; open: Cell[] };
type Ring = Sizes & { weights: number[] };
type Group = Label & { reports: number };
type AnswerSet = Label & { answers: number[] };
type Coin = { text: Wording; answers: Label[]; means: number[][]; table: Table; about: unknown; sets?: AnswerSet[] };

interface Question {
  kind: string;
  name: string;
  text: Wording;
  answers: Label[];
  reports: ReportLabel[];
  table: Table;
  blank: number[];
  about: unknown;
  groups: Group[];
  assigned: "invitation";
  group?: Group;
  share: number[];
  coin: Coin;
  line: Line;
  cuts: Cuts;
  ring: Ring;
  ask: "cells" | "narrow";
  typed: boolean;
  ticks: number;
  count: { items: Wording[]; sensitive: Wording; answers: Label[] };
  list: Checklist;
  limit: number;
  lines: number;
  beside?: true;
  needed: true;
  piped: true;
}

type Section = { at: number; title: Wording; text: Wording; order?: "random" };
type Rows = { at: number; items: Wording[] };
type Grid = Rows & { text: Wording };
type Checklist = Grid & { none: Wording };
type Answered = number[] | { from: number; to: number };
type Skip = { question: number; after: number; answered: Answered; send: number | null };
type Quota = { question: number; answer: number; most: number };
type Picture = { image: string; alt: Wording };
type PlacedPicture = Picture & { at: { question: number; answer?: number }[] };
type TokenKey = { name: string; n: string; codes?: number };
type Redirect = { thanks?: Wording; code?: string; url?: string };
type Ending = Redirect & { within?: string[]; full?: Redirect; screened?: Redirect };

interface Form {
  askance: string;
  title: Wording;
  consent: Wording;
  contact: Wording;
  languages: string[];
  collector: string;
  size: number;
  about: { traits: { questions: string[] }[]; minimum?: number };
  questions: Question[];
  sections: Section[];
  checklists: Checklist[];
  grids: Grid[];
  skips: Skip[];
  quotas: Quota[];
  images: PlacedPicture[];
  look: { colours: { light: string; dark: string }; logo: Picture };
  evidence: { question: number; groups: { first: "card" | "picture"; text?: Wording }[] };
  ending: Ending;
  review: "open";
  later: number;
  tablet: true;
  saved: true;
  apart: true;
  pin: true;
  seal: string;
  open: { work: number; rate: number };
  tokens: { issuer: string; keys: TokenKey[] };
  words: Record<string, { checked: boolean; words: Record<string, any> }>;
}

/** What somebody answered: its index, step, tick or text; null for no answer. */
type Answer = { index?: any; typed?: number; steps?: number; skipped?: boolean };
type Value = any;
type Draws = number[];

/** The page's own words in one language: a text, or what fills its blanks. Which keys there are, tests hold. */
type Words = Record<string, any>;

interface Speech {
  language: string;
  direction: "ltr" | "rtl";
  words: Words;
  text(wording: Wording): string;
  inside(wording: Wording): string;
  number(value: number): string;
  plural(value: number): Intl.LDMLPluralRule;
  grouped(value: number): string;
  plural(value: number): string;
  list(parts: string[]): string;
  either(parts: string[]): string;
  clear(): void;
}

type Trail = {
  at: { cell: Cell; steps: number };
  seen: string[];
  outside: boolean;
  cell(): Cell;
  moved(): boolean;
  next(): Stop | undefined;
  revealed(): boolean;
  reveal(): void;
  take(side: Cell): void;
  restart(): void;
  answer(): Answer;
};
type Stop = { tick: number; sides: Cell[]; steps: number };

/** What a tab keeps of a visit: its draws or, once they are bound, the values that are sent. */
type Kept = { id: string; draws?: Draws[]; values?: Value[]; dropped?: number[]; token?: string };

interface Draft {
  begin(): void;
  state(): { kept: any; answers: (Answer | undefined)[]; trails: (Trail | undefined)[] };
  resume(next: any): void;
  ending(): string | null;
  draws(index: number): Draws;
  answer(index: number): Answer | undefined;
  give(index: number, answer: Answer | undefined): void;
  hasAnswers(): boolean;
  trail(index: number): Trail;
  bind(): void | Promise<void>;
  isBound(): boolean;
  drop(index: number, dropped: boolean): void;
  seal(): void;
  isDropped(index: number): boolean;
  isSealed(): boolean;
  value(index: number): Value;
  id(): string;
  body(): string;
  leave(): void;
  erase(ending: string): void;
}

/** What is shown at a time. `dispose` lets go of what `render` has taken hold of; `back` is its way back, if any. */
type PageScreen = { render(visit: Visit): HTMLElement[]; dispose?(): void; back?(visit: Visit): void };
type Step = { screen: PageScreen; question?: number; beside?: boolean; rows?: number };

/** A practice question: what chance drew, what was answered, and whether the check after it was passed. */
type Trial = { draws?: Draws; answer?: Answer; isRight?: boolean };

type Receipt = { id: string; digest: string; page?: string };

interface State {
  step: number;
  reached: number;
  returning: boolean;
  aside?: PageScreen;
  ending?: string;
  receipt?: Receipt;
  failure?: string;
  isSending: boolean;
  status?: string;
  full?: unknown;
  canWait?: boolean;
  waiting?: number;
  pin?: string;
  token?: any;
}

type Move = { type: "move"; step: number; by?: number; aside?: PageScreen; returning?: boolean };
type End = { type: "end"; ending: string; receipt?: Receipt };
type StateEvent =
  | Move
  | End
  | { type: "retrace"; step: number }
  | { type: "turn"; aside?: PageScreen }
  | { type: "send" }
  | { type: "retry"; failure?: string }
  | { type: "update"; change: Partial<State> };

interface Visit {
  form: Form;
  fingerprint: string;
  draft: Draft;
  speech: Speech;
  steps: Step[];
  readonly state: State;
  post?(url: URL, body: string, id: string, stamp: string): Promise<Reply>;
  dispatch(event: StateEvent): void;
  show(takesFocus?: boolean): void;
  drop(): void;
  forget(): void;
  isOver(): boolean;
  dispose(): void;
  leave(): void;
  forward(): void;
  back(): void;
  goTo(question: number): void;
  resumeAt(stepOf: (visit: Visit) => number): void;
  turnTo(aside?: PageScreen): void;
  chooseLanguage(language: string, takesFocus?: boolean): void;
  bind(): void;
  retry(failure?: string): void;
  endVisit(ending: string): void;
  finish(ending: string, receipt?: Receipt): void;
}

/** What came of a message: its acknowledgement, or the code of what went wrong. */
type Reply = { id?: string; digest?: string; page?: string; code?: string };

type Field = { node: HTMLFieldSetElement; read(): Answer | undefined };
type Rendered = { input: HTMLInputElement; row: HTMLElement; status: HTMLElement; show(): void; read(complaint: HTMLElement): Answer };
type RenderRow = (question: string, label: string, index: number) => HTMLElement;

/** What features change of a visit; see hooks.js. */
interface Hooks {
  resolveQuestion(question: Question, draws: Draws | null, value?: Value): Question;
  resolveForm(form: Form, step: Step, visit: Visit): Form;
  placeDraws(question: Question, draws: Draws): Draws;
  defaultAnswer(form: Form, index: number): number | null;
  arrangeSteps(steps: Step[], form: Form): Step[];
  arrangeRoute(steps: Step[], form: Form): Step[];
  nextStep(steps: Step[], to: number, by: number, visit: Visit): number;
  isRecorded(visit: Visit, index: number): boolean;
  redirectMove(move: Move, visit: Visit): Move | End;
  openVisit(visit: Visit): void;
  renderConsent(nodes: HTMLElement[], visit: Visit): HTMLElement[];
  renderHints(question: Question, speech: Speech): HTMLElement[];
  renderCoin(question: Question, speech: Speech, controls: HTMLElement): HTMLElement[] | undefined;
  renderAnswers(nodes: (HTMLElement | "")[], visit: Visit, row: RenderRow): (HTMLElement | "")[];
  renderSubmit(visit: Visit): HTMLElement[] | undefined;
  wrapRecords(records: HTMLElement[], visit: Visit): HTMLElement[];
  stamp(visit: Visit, status?: HTMLElement): any;
  renderHeader(bar: HTMLElement, visit: Visit): void;
  updateHeader(visit: Visit): void;
  renderEnding(nodes: HTMLElement[], name: string, visit: Visit): HTMLElement[];
  illustrate(nodes: HTMLElement[], question: number, visit: Pick<Visit, "form" | "speech">): HTMLElement[];
  createSealer(form: Form, fingerprint: string, question: string): Promise<((body: string) => Promise<string>) | null>;
}

type Wrapper<Name extends keyof Hooks> = (next: NonNullable<Hooks[Name]>) => NonNullable<Hooks[Name]>;
type Wrappers = { [Name in keyof Hooks]?: (next: NonNullable<Hooks[Name]>) => Hooks[Name] };

/** A feature: whether a form uses it, what is wrong with the form then, and the hooks that it wraps. */
type Feature = {
  name: string;
  version?: number;
  shapes?: Record<string, any>;
  detect?(form: Form): unknown;
  validate?(form: Form): void;
  wrap?: Wrappers;
};

/** A kind of question beside named answers; see askance.js. */
interface QuestionKind {
  maxLength(question: Question): number;
  drawBounds?(question: Question): number[];
  isValid(question: Question, value: Value): boolean;
  encode(question: Question, answer: any, draws: Draws, steps?: number): Value;
  label(question: Question, value: Value, speech: Speech): string;
  /** What kinds that chance protects say besides. */
  [more: string]: any;
}

type FieldType = (question: Question, draws: Draws, answer: Answer | undefined, speech: Speech, ...more: any[]) => any;
/** Says whether a value is what it should be, in a form of these languages. */
type Shape = (value: any, languages: string[]) => boolean;
type Complaint = HTMLElement;

/** A key encapsulation mechanism of HPKE, and where its key lies among the study's. */
type Kem = { name: string; id: number; from: number; to: number; algorithm: { name: string; namedCurve?: string } };

declare var trustedTypes: any;
