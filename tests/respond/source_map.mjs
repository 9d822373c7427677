// node source_map.mjs page.html page.map: for each name that the map gives, whether it stands in its source
// where the map says; and how many of the script's own functions are led to where they are declared.

import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";

const [page, text] = process.argv.slice(2).map((path) => readFileSync(path, "utf-8"));
const document = JSON.parse(text);
const map = new SourceMap(document);
const contents = new Map(document.sections.map(({ map: { sources, sourcesContent } }) => [sources[0], sourcesContent[0].split("\n")]));
const counts = { names: 0, wrong: 0, functions: 0, lost: [] };
for (const [row, line] of page.split("\n").entries()) {
  const [own] = line.match(/^(?:async )?function (?=[\w$]+\()/) ?? [];
  if (!own) continue;
  counts.functions += 1;
  const start = map.findEntry(row, 0);
  const declared = contents.get(start.originalSource)?.[start.originalLine] ?? "";
  if (!declared.includes(`function ${map.findEntry(row, own.length).name}(`)) counts.lost.push(line.slice(0, 40));
  for (const at of line.matchAll(/[\w$]+/g)) {
    const { name, generatedColumn, originalSource, originalLine, originalColumn } = map.findEntry(row, at.index);
    if (!name || generatedColumn !== at.index) continue;
    counts.names += 1;
    if (!contents.get(originalSource)[originalLine].startsWith(name, originalColumn)) counts.wrong += 1;
  }
}
console.log(JSON.stringify(counts));
