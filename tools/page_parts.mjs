// Builds the parts of the respondent's page from its sources: node tools/page_parts.mjs [SOURCES [FOLDER]].
//
// esbuild links the modules by their imports into one scope, so that no two names clash, and prints each
// top-level statement on a line of its own: its layout, comments and the names inside it shortened, its own
// name kept. A part is what one module comes to. Its JSON has the imports, the words that it may say, the
// digests of source and part, and a source map. Python joins parts and reads no JavaScript.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import esbuild from "esbuild";
import ts from "typescript";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const ROOM = resolve(process.argv[2] ?? join(ROOT, "src/askance_collect/respond"));
const OUT = resolve(process.argv[3] ?? join(ROOM, "built"));
const PRINTED = { charset: "utf8", target: "es2022", legalComments: "none", logLevel: "silent" };
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const sorted = (names) => [...new Set(names)].sort();
const filesOf = (folder, ending) =>
  readdirSync(join(ROOM, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name}`);

async function main() {
  const modules = [...filesOf("browser", ".js"), ...filesOf("hosted", ".js")];
  const parts = new Map([
    ...(await builtModules(modules)),
    ...(await Promise.all(filesOf("worker", ".js").map(builtWorker))),
    ...(await Promise.all(filesOf("browser", ".css").map(builtStyle))),
  ]);
  for (const folder of ["browser", "hosted", "worker"]) {
    rmSync(join(OUT, folder), { recursive: true, force: true });
    mkdirSync(join(OUT, folder), { recursive: true });
  }
  for (const [path, { code, ...facts }] of parts) {
    const source = sha256(readFileSync(join(ROOM, path), "utf-8"));
    writeFileSync(join(OUT, path), code);
    const members = Object.entries({ source, part: sha256(code), ...facts });
    const lines = members.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    writeFileSync(join(OUT, `${path}.json`), `{\n${lines.join(",\n")}\n}\n`);
  }
}

// Each module's part. One scope holds them all: whatever is chosen from it, no name is declared twice.
async function builtModules(paths) {
  const { outputFiles, metafile } = await esbuild.build({
    ...PRINTED,
    absWorkingDir: ROOM,
    stdin: { contents: paths.map((path) => `import "./${path}";`).join("\n"), resolveDir: ROOM, sourcefile: "all" },
    bundle: true,
    format: "esm",
    treeShaking: false,
    metafile: true,
    sourcemap: "external",
    outdir: ROOM,
    write: false,
  });
  const [bundle, map] = [".js", ".js.map"].map((ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text);
  const origins = new SourceMap(JSON.parse(map));
  const linked = ts.createSourceFile("all.js", bundle, ts.ScriptTarget.ES2022, true);
  const parts = new Map(paths.map((path) => [path, []]));
  for (const statement of linked.statements) {
    const { path } = originOf(linked, origins, statement.getStart());
    if (!parts.has(path)) throw new Error(`no module holds: ${statement.getText().slice(0, 80)}`);
    parts.get(path).push(statement);
  }
  const built = [...parts].map(async ([path, statements]) => {
    requireExports(path, statements);
    const imports = sorted(metafile.inputs[path].imports.map((one) => one.path));
    return [path, { imports, names: namesIn(statements), ...(await printed(path, linked, origins, statements)) }];
  });
  return Promise.all(built);
}

function originOf(linked, origins, position) {
  const { line, character } = linked.getLineAndCharacterOfPosition(position);
  const { originalSource, originalLine, originalColumn, name } = origins.findEntry(line, character);
  return { path: originalSource, line: originalLine, column: originalColumn, name };
}

// A module's statements as they are sent, each on a line of its own, with a source map of version 3.
async function printed(path, linked, origins, statements) {
  const start = statements[0].getStart();
  const text = linked.text.slice(start, statements.at(-1).end);
  const { code, map } = await esbuild.transform(text, { ...PRINTED, minify: true, sourcemap: "external", sourcefile: path });
  const [input, output] = [text, code].map((one) => ts.createSourceFile(path, one, ts.ScriptTarget.ES2022, true));
  const breaks = output.statements.flatMap(breaksBefore).slice(1);
  const lines = [0, ...breaks].map((from, index) => code.slice(from, breaks[index]).trimEnd());
  const broken = ts.createSourceFile(path, `${lines.join("\n")}\n`, ts.ScriptTarget.ES2022);
  const places = decoded(JSON.parse(map)).map(({ row, at, line, column, name }) => {
    const offset = output.getPositionOfLineAndCharacter(row, at);
    const moved = offset + breaks.filter((one) => one <= offset).length;
    const origin = originOf(linked, origins, start + input.getPositionOfLineAndCharacter(line, column));
    const { line: newRow, character } = broken.getLineAndCharacterOfPosition(moved);
    return { ...origin, row: newRow, at: character, name: name && (origin.name ?? name) };
  });
  return { code: broken.text, map: encoded(path, places) };
}

// Where lines begin: at each statement, and at each further variable of one.
const breaksBefore = (statement) => [statement.getStart(), ...(statement.declarationList?.declarations.slice(1) ?? []).map((one) => one.getStart())];

// What others import must be there under its own name: esbuild renames one of two that clash.
function requireExports(path, statements) {
  const names = new Set(statements.flatMap(declared));
  const module = ts.createSourceFile(path, readFileSync(join(ROOM, path), "utf-8"), ts.ScriptTarget.ES2022);
  const exported = module.statements.filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));
  for (const name of exported.flatMap(declared)) {
    if (!names.has(name)) throw new Error(`${path}: exports ${name}, a name that another module declares too: rename one`);
  }
}

const declared = ({ name, declarationList }) =>
  (declarationList?.declarations.map((declaration) => declaration.name) ?? (name ? [name] : [])).map(({ text }) => text);

// Names that a module may say as words of the page: what it takes from `words`, and texts that are one name.
function namesIn(statements) {
  const names = [];
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node) && /(^|\.)words$/.test(node.expression.getText())) names.push(node.name.text);
    if (ts.isStringLiteralLike(node) && /^\w+$/.test(node.text)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  statements.forEach(visit);
  return sorted(names);
}

function encoded(path, places) {
  const names = sorted(places.map(({ name }) => name)).filter(Boolean);
  const rows = Array.from({ length: 1 + Math.max(...places.map(({ row }) => row)) }, () => []);
  const last = { row: 0, at: 0, line: 0, column: 0, name: 0 };
  for (const { row, at, line, column, name } of places) {
    const step = [row === last.row ? at - last.at : at, 0, line - last.line, column - last.column];
    Object.assign(last, { row, at, line, column });
    if (name) {
      step.push(names.indexOf(name) - last.name);
      last.name = names.indexOf(name);
    }
    rows[row].push(step.map(digits).join(""));
  }
  return { version: 3, sources: [path], names, mappings: rows.map((row) => row.join(",")).join(";") };
}

// The segments of a source map, with absolute places.
function decoded({ mappings, names }) {
  const place = { at: 0, source: 0, line: 0, column: 0, index: 0 };
  const keys = Object.keys(place);
  return mappings.split(";").flatMap((line, row) => {
    place.at = 0;
    return line.split(",").filter(Boolean).map((segment) => {
      const steps = numbers(segment);
      steps.forEach((step, key) => (place[keys[key]] += step));
      return { ...place, row, name: steps.length > 4 ? names[place.index] : undefined };
    });
  });
}

function digits(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = "";
  do {
    text += BASE64[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}

function numbers(segment) {
  const found = [];
  let [number, shift] = [0, 0];
  for (const letter of segment) {
    const digit = BASE64.indexOf(letter);
    number |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    found.push(number & 1 ? -(number >>> 1) : number >>> 1);
    [number, shift] = [0, 0];
  }
  return found;
}

// A worker is a small script with a scope of its own, and a file of its own: it keeps its layout.
async function builtWorker(path) {
  const options = { ...PRINTED, sourcefile: path };
  const { code } = await esbuild.transform(readFileSync(join(ROOM, path), "utf-8"), options);
  return [path, { code }];
}

async function builtStyle(path) {
  const options = { ...PRINTED, loader: "css", minifyWhitespace: true, sourcefile: basename(path) };
  const { code } = await esbuild.transform(readFileSync(join(ROOM, path), "utf-8"), options);
  return [path, { code: code.trim() }];
}

await main();
