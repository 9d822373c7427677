// What is used here must be typed; what is wrong must be refused. Checked by tsc, never run.

import { bounds, canonical, cells, cellsOf, columnsOf, draw, encode, readForm, reportBody, sha256, systemIdentifier, systemWord, uniformBelow } from "askance";
import type { Form, Value } from "askance";
import german from "askance/languages/de";
import { AskancePlugin } from "askance/jspsych";
import { checkEntry, checkGrowth, isConsistent, isIncluded, leafHash, readHead } from "askance/log";
import { AskanceQuestion } from "askance/question";
import { register } from "askance/surveyjs";
import type { StoredReport } from "askance/surveyjs";
import { AskanceQuestion as Smaller } from "askance/choice";

const form: Form = readForm("{}");
const [question] = form.questions;
const draws: number[] = draw(question!, systemWord);
const value: Value = encode(question!, 0, draws);
const body: string = reportBody(form, await sha256(canonical(form)), systemIdentifier(), [value]);
const drawn: [number, number][] = cells(question!, draws);
const row: Record<string, string> = Object.fromEntries(columnsOf(question!).map((name, at) => [name, cellsOf(question!, value)[at]!]));
AskanceQuestion.speak("de", german);
Smaller.forget();
declare const Survey: Parameters<typeof register>[0];
register(Survey);
const stored: StoredReport = { form: "", cells: row };
const data: Promise<object> = new AskancePlugin().trial(document.body, { fingerprint: stored.form }, () => {});
const asked: AskanceQuestion = document.createElement("askance-question");
const lacking: string = asked.reportValidity() ? "" : asked.validationMessage;
asked.addEventListener("askance-report", ({ detail }) => console.log(detail.cells, detail.value, body, drawn, row, bounds(question!), data, uniformBelow(6, systemWord)));
asked.addEventListener("askance-refused", ({ detail }) => console.log(detail.reason === "twice"));

asked.value = asked.value ?? { affair: "yes" };
asked.question = null;
asked.setCustomValidity(`${asked.labels.length}`);
const flags: boolean[] = [asked.required, asked.disabled, asked.exposed, asked.preview, asked.given];
// @ts-expect-error a value is a report by column
asked.value = { affair: 1 };
// @ts-expect-error no other colours
asked.accent = "pink";
// @ts-expect-error an answer is never given to the page
asked.answer;
// @ts-expect-error a report is not changed
asked.report!.value = 1;
// @ts-expect-error a form is read from text
readForm({});

const head = await readHead("", "");
const { size }: { size: number } = await checkGrowth("", await checkEntry("", "report", ""), "");
const holds: boolean = await isIncluded(await leafHash("page"), 0, size, [], head.head);
void [lacking, holds, flags, await isConsistent(0, head.head, size, head.head, [])];
// @ts-expect-error: a head, not its text
await checkGrowth("", "note", "");
