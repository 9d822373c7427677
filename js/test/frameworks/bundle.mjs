// The apps beside this, each in one script: compiled by its framework, and put together by esbuild.

import { readFile } from "node:fs/promises";

import { build } from "esbuild";
import { compile } from "svelte/compiler";
import { compileScript, parse } from "vue/compiler-sfc";

const vue = (source, filename) =>
  compileScript(parse(source, { filename }).descriptor, {
    id: "survey",
    inlineTemplate: true,
    templateOptions: { compilerOptions: { isCustomElement: (tag) => tag === "askance-question" } },
  }).content;
const svelte = (source, filename) => compile(source, { filename, generate: "client" }).js.code;

const compiled = (filter, compiler) => ({
  name: "compiled",
  setup: ({ onLoad }) => onLoad({ filter }, async ({ path }) => ({ contents: compiler(await readFile(path, "utf-8"), path), loader: "js" })),
});

export async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    conditions: ["svelte", "browser", "production"],
    define: { "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
    plugins: [compiled(/\.vue$/, vue), compiled(/\.svelte$/, svelte)],
    logLevel: "warning",
  });
  return outputFiles[0].text;
}
