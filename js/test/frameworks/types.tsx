// The tag in templates: what is used here must be typed; what is wrong must be refused. Never run.

import type { SvelteHTMLElements } from "svelte/elements";
import type { GlobalComponents } from "vue";
import type {} from "askance/react";
import type {} from "askance/svelte";
import type {} from "askance/vue";

const save = (cells: Readonly<Record<string, string>>) => void cells;

export const good = <askance-question src="/frame" fingerprint="…" question="affair" required value={{ affair: "yes" }} className="asked" onaskance-report={({ detail }) => save(detail.cells)} />;
// @ts-expect-error a flag is none
export const flag = <askance-question required="no" />;
// @ts-expect-error no other colours
export const colour = <askance-question accent="pink" />;
// @ts-expect-error a report has no answer
export const answer = <askance-question onaskance-report={({ detail }) => detail.answer} />;

type Vue = InstanceType<GlobalComponents["askance-question"]>["$props"];
export const vue: Vue = { src: "/frame", required: true, value: null, class: "asked", "onAskance-report": ({ detail }) => save(detail.cells) };
// @ts-expect-error a flag is none
export const vueFlag: Vue = { required: "no" };

type Svelte = SvelteHTMLElements["askance-question"];
export const svelte: Svelte = { src: "/frame", preview: true, class: "asked", "onaskance-refused": ({ detail }) => save({ reason: detail.reason }) };
// @ts-expect-error a level is no flag
export const svelteLevel: Svelte = { level: true };
