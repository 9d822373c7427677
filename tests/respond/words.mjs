// The words of languages/*.toml put where a page has them: what reads them here knows no more of TOML
// than these files use, a line a word.

import { readdirSync, readFileSync } from "node:fs";

import { WORDS_OF } from "../../src/askance_collect/respond/browser/words.js";

const HOME = new URL("../../src/askance_collect/respond/languages/", import.meta.url);
const LINE = /^(\w+)(?:\.(\w+))? = (["[].*)$/gm;
const BLANK = /\{(\w+)\}/g;

function read(name) {
  const words = {};
  const file = readFileSync(new URL(name, HOME), "utf-8");
  for (const [, key, part, text] of file.slice(file.indexOf("[words]")).matchAll(LINE)) {
    if (part) (words[key] ??= {})[part] = JSON.parse(text);
    else words[key] = JSON.parse(text);
  }
  return words;
}

const english = read("en.toml");
const blanks = Object.fromEntries(
  Object.entries(english).map(([key, text]) => [key, [...new Set([...JSON.stringify(text).matchAll(BLANK)].map(([, name]) => name))]]),
);
const numbered = (key, text) => JSON.parse(JSON.stringify(text).replace(BLANK, (_, name) => `{${blanks[key].indexOf(name)}}`));

for (const name of readdirSync(HOME)) {
  const words = Object.entries(read(name)).map(([key, text]) => [key, numbered(key, text.other ? { by: blanks[key].indexOf("count"), ...text } : text)]);
  WORDS_OF[name.replace(".toml", "")] = Object.fromEntries(words);
}
