/** A text in each of a form's languages, by the language's tag. */
export type Wording = Readonly<Record<string, string>>;

/** One question of a form; docs/reference/form.md says what each kind has besides. */
export interface Question {
  readonly kind: "choice" | "number" | "table" | "cuts" | "ring" | "text";
  readonly name: string;
  readonly text: Wording;
  readonly [part: string]: unknown;
}

/** A published form: the questions and, as integers, the chances of everything that is sent. */
export interface Form {
  readonly askance: "form-1" | "form-2";
  readonly title: Wording;
  readonly consent: Wording;
  readonly contact: Wording;
  readonly languages: readonly string[];
  /** Where reports go; empty: the folder that the page lies in. */
  readonly collector: string;
  /** The length of every report's body, in bytes. */
  readonly size: number;
  readonly questions: readonly Question[];
  readonly about: unknown;
  readonly [part: string]: unknown;
}

/** What one question sends: a position, a range of ticks, a text, or null for a blank. */
export type Value = number | readonly [number, number] | string | null;

/** Gives 48 random bits, as an integer below 2^48. */
export type Words = () => number;

/**
 * Read a form from its canonical text.
 * @throws {TypeError} naming the first part that could not be asked or drawn exactly as it is written
 */
export function readForm(text: string): Form;

/** What a question draws: an integer below each of these, blank first. Depends on the form alone. */
export function bounds(question: Question): number[];

/** Draw once, before any answer. */
export function draw(question: Question, words: Words): number[];

/**
 * What is sent for an answer: its position, the tick of a plain number, the step of the line that holds a
 * protected one, a text, or null for none. `steps` is how often a narrower range was agreed to.
 * @throws {RangeError} if the question has no such answer; the message does not repeat it
 */
export function encode(question: Question, answer: number | string | null, draws: readonly number[], steps?: number): Value;

/** The body of a report: canonical, padded with spaces to the form's size. */
export function reportBody(form: Form, fingerprint: string, id: string, values: readonly Value[]): string;

/** The one spelling of a document. */
export function canonical(value: unknown): string;

/** The ranges into which draws part a question's line, lowest first; a ring's inside first. */
export function cells(question: Question, draws: readonly number[]): [number, number][];

/** An integer uniform on 0 … bound − 1, exactly. */
export function uniformBelow(bound: number, words: Words): number;

/** 48 bits from the cryptographic generator of the browser, or of Node. */
export function systemWord(): number;

/** A fresh report id: 128 bits in hexadecimal. */
export function systemIdentifier(): string;

/** SHA-256 of a text's UTF-8, in hexadecimal: of a form's text its fingerprint. */
export function sha256(text: string): Promise<string>;

/** The columns in which the collector's table has a question's reports: two for a range. */
export function columnsOf(question: Question, name?: string): string[];

/** A value in those columns; empty where nothing is sent, and where a range is open. */
export function cellsOf(question: Question, value: Value): string[];
