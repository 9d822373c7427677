import type { Form, Value } from "./index.js";

type Later<Result> = Result | Promise<Result>;

/** A question of a form: its text, and the question's position. */
export interface Asked {
  readonly form: string;
  readonly question: number;
}

/** What an implementation answers; what it throws is a refusal. */
export interface Adapter {
  readForm(given: { readonly text: string }): Later<Form>;
  fingerprint(given: { readonly text: string }): Later<string>;
  draw(given: Asked & { readonly words: readonly number[] }): Later<{ readonly draws: readonly number[]; readonly used: number }>;
  /** `draws` is null where every draw is 0. */
  encode(given: Asked & { readonly draws: readonly number[] | null; readonly answer: number | string | null; readonly steps?: number }): Later<Value>;
  report(given: { readonly form: string; readonly id: string; readonly values: readonly Value[] }): Later<string>;
}

/** A case that an implementation failed. */
export interface Failure {
  readonly part: string;
  readonly call: keyof Adapter;
  readonly case: unknown;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Give an adapter every vector. */
export function conform(adapter: Adapter): Promise<{ readonly passed: Readonly<Record<string, number>>; readonly failures: readonly Failure[] }>;

/** An adapter that is a program, which answers in lines of JSON. */
export function programAdapter(program: string, args: readonly string[]): Adapter & { close(): void };
