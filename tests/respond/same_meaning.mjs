// node --expose-internals same_meaning.mjs page.js module.js …
// How many statements a script holds, and how many stand only in it or only in the modules, as the
// browser reads them: by their trees, in any order. Constants that a block declares one after another are
// the same under one word as each under its own.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { parse } = createRequire(import.meta.url)("internal/deps/acorn/acorn/dist/acorn");

const PLACES = ["start", "end"];
const spelt = (tree) =>
  JSON.stringify(tree, (key, value) => {
    if (PLACES.includes(key)) return undefined;
    if (typeof value === "bigint") return `${value}n`;
    return key === "body" && Array.isArray(value) ? value.flatMap(apart) : value;
  });

const apart = (one) => (one.kind === "const" && one.declarations ? one.declarations.map((single) => ({ ...one, declarations: [single] })) : [one]);

function statements(path) {
  const { body } = parse(readFileSync(path, "utf-8"), { ecmaVersion: "latest", sourceType: "module" });
  const own = body.filter(({ type }) => type !== "ImportDeclaration");
  return own.map((one) => spelt(one.type === "ExportNamedDeclaration" ? one.declaration : one));
}

const [page, ...modules] = process.argv.slice(2);
const counts = new Map();
const count = (one, by) => counts.set(one, (counts.get(one) ?? 0) + by);
const read = statements(page);
read.forEach((one) => count(one, 1));
modules.flatMap(statements).forEach((one) => count(one, -1));
console.log(JSON.stringify([read.length, [...counts.values()].filter((number) => number !== 0).length]));
