// Builds the parts of the respondent's page from its sources: node tools/page_parts.mjs [SOURCES [FOLDER]].
//
// esbuild links the modules by their imports into one scope and shortens every name in it, so that no two
// clash in whatever is chosen of them. A part is what one module comes to, a statement on each line. Its JSON
// has the imports, the words that it may say, the digests of source, part and build, and a source map. Python
// joins parts of one build and reads no JavaScript: what it calls keeps its name.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { decode, encode } from "@jridgewell/sourcemap-codec";
import esbuild from "esbuild";
import ts from "typescript";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const ROOM = resolve(process.argv[2] ?? join(ROOT, "src/askance_collect/respond"));
const OUT = resolve(process.argv[3] ?? join(ROOM, "built"));
const PRINTED = { charset: "utf8", target: "es2022", legalComments: "none", logLevel: "silent" };
// What Python calls or fills, and the modules that export it.
const CALLED = {
  "browser/words.js": ["WORDS_OF", "NAMES"],
  "browser/tongue.js": ["BLANKS"],
  "browser/page.js": ["start"],
  "browser/frame.js": ["startFrame"],
  "browser/pin.js": ["pin"],
  "hosted/verifier.js": ["verify"],
};

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
  for (const [path, { code, build = "", ...facts }] of parts) {
    const source = sha256(readFileSync(join(ROOM, path), "utf-8"));
    writeFileSync(join(OUT, path), code);
    const members = Object.entries({ source, part: sha256(build + code), build, ...facts });
    const lines = members.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    writeFileSync(join(OUT, `${path}.json`), `{\n${lines.join(",\n")}\n}\n`);
  }
}

// Each module's part. One scope holds them all: whatever is chosen from it, no name is declared twice.
async function builtModules(paths) {
  const { outputFiles, metafile } = await esbuild.build({
    ...PRINTED,
    absWorkingDir: ROOM,
    stdin: { contents: paths.map(linking).join("\n"), resolveDir: ROOM, sourcefile: "all" },
    bundle: true,
    minify: true,
    format: "esm",
    treeShaking: false,
    metafile: true,
    sourcemap: "external",
    outdir: ROOM,
    write: false,
  });
  const [bundle, map] = [".js", ".js.map"].map((ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text);
  const linked = ts.createSourceFile("all.js", bundle, ts.ScriptTarget.ES2022, true);
  const origins = originsIn(linked, JSON.parse(map));
  const parts = new Map(paths.map((path) => [path, newPart()]));
  const shortened = new Map();
  for (const statement of linked.statements) {
    if (ts.isExportDeclaration(statement)) {
      for (const { name, propertyName } of statement.exportClause.elements) shortened.set(name.text, (propertyName ?? name).text);
    } else addStatement(parts, statement, origins);
  }
  for (const [path, part] of parts) keepNames(part, CALLED[path] ?? [], shortened);
  const build = sha256(bundle);
  return [...parts].map(([path, { code, segments }]) => {
    const imports = sorted(metafile.inputs[path].imports.map(({ path: imported }) => imported));
    return [path, { code, build, imports, names: namesIn(path), map: encoded(path, code, segments) }];
  });
}

function linking(path) {
  const names = CALLED[path] ?? [];
  return `${names.length > 0 ? `export { ${names} } from` : "import"} "./${path}";`;
}

// Where the places of a script come from, in the order of the script.
const originsIn = (linked, { mappings, sources, names }) =>
  decode(mappings).flatMap((segments, row) =>
    segments.map(([at, source, line, column, name]) => ({
      offset: linked.getPositionOfLineAndCharacter(row, at),
      path: sources[source],
      line,
      column,
      name: names[name],
    })),
  );

const newPart = () => ({ code: "", segments: [] });

// A statement, on a line of its own, and so each further variable that it declares.
function addStatement(parts, statement, origins) {
  const [start, end] = [statement.getStart(), statement.end];
  const within = origins.filter(({ offset }) => offset >= start && offset < end);
  const part = parts.get(within[0]?.path);
  if (!part || within.some(({ path }) => path !== within[0].path)) {
    throw new Error(`not of one module: ${statement.getText().slice(0, 80)}`);
  }
  const further = statement.declarationList?.declarations.slice(1) ?? [];
  const breaks = [start, ...further.map((declaration) => declaration.getStart()), end];
  for (const [index, from] of breaks.slice(0, -1).entries()) {
    const to = breaks[index + 1];
    const segments = within.filter(({ offset }) => offset >= from && offset < to);
    part.segments.push(...segments.map((segment) => ({ ...segment, offset: segment.offset - from + part.code.length })));
    part.code += `${statement.getSourceFile().text.slice(from, to)}\n`;
  }
  if (!/[;}]\n$/.test(part.code)) part.code = `${part.code.trimEnd()};\n`;
}

// What Python calls, under its own name behind the short one.
function keepNames(part, names, shortened) {
  for (const name of names) {
    if ([...shortened.values()].includes(name)) throw new Error(`${name} is a short name too`);
    part.code += `var ${name}=${shortened.get(name)};\n`;
  }
}

// Names that a module may say as words of the page: what it takes from `words`, and texts that are one name.
function namesIn(path) {
  const names = [];
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node) && /(^|\.)words$/.test(node.expression.getText())) names.push(node.name.text);
    if (ts.isStringLiteralLike(node) && /^\w+$/.test(node.text)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(join(ROOM, path), "utf-8"), ts.ScriptTarget.ES2022, true));
  return sorted(names);
}

// The source map of a part, of version 3.
function encoded(path, code, segments) {
  const lines = ts.createSourceFile(path, code, ts.ScriptTarget.ES2022);
  const names = sorted(segments.map(({ name }) => name).filter(Boolean));
  const rows = code.split("\n").map(() => []);
  for (const { offset, line, column, name } of segments) {
    const place = lines.getLineAndCharacterOfPosition(offset);
    rows[place.line].push([place.character, 0, line, column, ...(name ? [names.indexOf(name)] : [])]);
  }
  return { version: 3, sources: [path], names, mappings: encode(rows) };
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
