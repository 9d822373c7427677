// Writes what the schema of forms says of a part into the module of the respondent's page that reads it, and
// form-1.json, which is form-2.json without what is newer:
// node tools/form_shapes.mjs [--check [SCHEMA [FOLDER]]], which only says which module is not as SCHEMA has it.
//
// A constant behind a line "// Schema: PART" is written here: its shape is what `conforms` in form.js goes by.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOM = join(dirname(fileURLToPath(import.meta.url)), "../src/askance_collect");
const CONSTANT = /(^\/\/ Schema: ([\w.]+)(?: without ([\w ]+))?\n(?:export )?const \w+ =)[^]*?;\n/gm;

// What modules know by a name of their own; and the rules of lists.
const CONSTANTS = ["name", "language", "exact", "line", "chances", "meaning", "label", "labels", "blank", "asked", "uri", "range", "floor", "whole", "units", "total"];
const NAMED = {
  ...Object.fromEntries(CONSTANTS.map((part) => [part, part.toUpperCase()])),
  ...{ wording: "isWording", said: "isLegible", image: "isImage" },
};
const RULES = { names: "areNamed", blank: "isChance" };

const [check, path = join(ROOM, "wire/schema/form-2.json"), BROWSER = join(ROOM, "respond/browser")] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(path, "utf-8"));
const { properties: PARTS, $defs: DEFINITIONS } = schema;

const referred = ({ $ref }) => $ref.split("/").slice(1).reduce((node, key) => node[key], schema);
const number = (value) => `${value}`.replace("281474976710656", "2 ** 48").replace(/0{5,}$/, ({ length }) => `e${length}`);
const list = (parts) => `[${parts.join(", ").replace(/(, undefined)+$/, "")}]`;
const object = (parts) => `{ ${parts.join(", ")} }`;

const SHAPES = {
  null: () => "null",
  boolean: () => "either(true, false)",
  integer: ({ minimum, maximum }) => list([minimum, maximum].map((bound) => bound !== undefined && number(bound)).filter(Boolean)),
  string({ pattern, maxLength }) {
    const short = pattern.replaceAll("A-Za-z0-9_", "\\w").replaceAll("[\\w]", "\\w");
    const limited = maxLength ? short.replace("^", `^(?!.{${maxLength + 1}})`) : short;
    return `${new RegExp(limited, limited.includes("ud800") ? "u" : "")}`;
  },
  array({ items, prefixItems, minItems = 0, maxItems, uniqueItems, "x-rule": rule }) {
    return list([shapeOf(items ?? prefixItems[0]), minItems, RULES[rule] ?? (uniqueItems ? "allDistinct" : "undefined"), `${maxItems}`]);
  },
  object(node, without) {
    const { additionalProperties: others, propertyNames } = node;
    if (others) return `mapOf(${[others, ...(propertyNames ? [{ type: "string", ...propertyNames }] : [])].map((part) => shapeOf(part)).join(", ")})`;
    const members = membersOf(node, without);
    if (members.length === 0) return "isObject";
    return others === false ? `only(${object(members)})` : object(members);
  },
};

// A shape as it stands in a module.
function shapeOf(node, without = []) {
  const { $ref, const: value, enum: values } = node;
  if ($ref) return extended(node, without);
  if (value !== undefined) return JSON.stringify(value);
  if (values) return `/^(${values.join("|")})$/`;
  if (node.anyOf) return `either(${node.anyOf.map((part) => shapeOf(part)).join(", ")})`;
  return SHAPES[node.oneOf ? "object" : node.type]?.(node, without) ?? "isThere";
}

function extended(node, without) {
  const part = node.$ref.split("/").pop();
  if (node.minLength) return "isNamed";
  const inner = NAMED[part] ?? shapeOf(referred(node));
  const members = membersOf(node, without);
  return members.length > 0 ? object([`...${inner}`, ...members]) : inner;
}

function membersOf({ required = [], properties = {}, $ref }, without = []) {
  const { required: needed = [], properties: parts = {} } = $ref ? referred({ $ref }) : {};
  const keys = new Set([...Object.keys(properties), ...required]);
  ["kind", "askance", ...without].forEach((key) => keys.delete(key));
  const member = (key) => `${[...required, ...needed].includes(key) ? key : `"${key}?"`}: ${shapeOf({ ...parts[key], ...properties[key] })}`;
  return [...keys].map(member);
}

// A part of the form by its key, one of a kind of question, or a definition.
function written(part, without) {
  const [kind, key] = part.split(".");
  const own = Object.fromEntries(Object.entries(PARTS).filter(([, node]) => !node["x-since"]));
  if (part === "form") return SHAPES.object({ ...schema, properties: own }, without);
  if (key) return object(membersOf({ properties: { [key]: DEFINITIONS[kind].properties[key] } }));
  return PARTS[part] ? object([`${part}: ${shapeOf(PARTS[part])}`]) : shapeOf(DEFINITIONS[part], without);
}

// The schema without what has come since: such a key is refused, and so is a longer line.
function olderSchema() {
  const without = (node) => {
    if (node === null || typeof node !== "object") return node;
    if (node["x-since"]) return false;
    return Array.isArray(node) ? node.map(without) : Object.fromEntries(Object.entries(node).map(([key, part]) => [key, without(part)]));
  };
  const { text: _, sealed: __, ...definitions } = without(DEFINITIONS);
  const { question, line, range } = definitions;
  const isOlder = (part) => !/text|sealed/.test(JSON.stringify(part));
  Object.assign(question, { properties: { kind: { enum: question.properties.kind.enum.filter(isOlder) } }, oneOf: question.oneOf.filter(isOlder) });
  line.properties.ticks.maximum = range.properties.line.properties.ticks.maximum;
  const own = { $id: "urn:askance:form-1", title: "Askance form, version 1", description: "The published questionnaire." };
  const older = { ...schema, ...own, properties: { ...without(PARTS), askance: { const: "form-1" } } };
  const used = (text) => Object.entries(definitions).filter(([name]) => text.includes(`"#/$defs/${name}"`));
  let kept = [];
  for (let found = used(JSON.stringify(older.properties)); found.length > kept.length; found = used(JSON.stringify([older.properties, kept]))) kept = found;
  return { ...older, $defs: Object.fromEntries(kept) };
}

// A document in lines of up to 118 letters.
function printed(node, indent = "") {
  const line = JSON.stringify(node, null, 1).replace(/\n */g, " ").replace(/([[{]) /g, "$1").replace(/ ([\]}])/g, "$1");
  if (node === null || typeof node !== "object" || line.length + indent.length < 110) return line;
  const inner = `${indent}  `;
  const parts = Object.entries(node).map(([key, part]) => `${inner}${Array.isArray(node) ? "" : `${JSON.stringify(key)}: `}${printed(part, inner)}`);
  const [open, close] = Array.isArray(node) ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

const stale = readdirSync(BROWSER).filter((name) => {
  const text = readFileSync(join(BROWSER, name), "utf-8");
  const made = text.replace(CONSTANT, (_, begin, part, without = "") => `${begin} ${written(part, without.split(" "))};\n`);
  if (made !== text && check === undefined) writeFileSync(join(BROWSER, name), made);
  return made !== text;
});
const older = join(ROOM, "wire/schema/form-1.json");
const text = `${printed(olderSchema())}\n`;
if (check === undefined) writeFileSync(older, text);
else if (process.argv[3] === undefined && readFileSync(older, "utf-8") !== text) stale.push("form-1.json");
if (check !== undefined && stale.length > 0) {
  console.error(`not as the schema has it, make page: ${stale.join(", ")}`);
  process.exitCode = 1;
}
