// SPDX-License-Identifier: Apache-2.0

// The types of requests and replies for engine.d.ts, by section.
import { wrapped } from "./cpp.mjs";

const WIDTH = 120;
const REQUESTED = {
  flag: "boolean",
  vec3: "Numbers",
  quat: "Numbers",
  joint: "JointRef",
  pose: "Pose",
  numbers: "ArrayLike<number>",
};
const REPLIED = {
  flag: "boolean",
  text: "string",
  bytes: "Uint8Array",
  view: "Uint8Array",
  vec3: "Vec3",
  quat: "Quat",
  pair: "readonly [number, number]",
  pose: "Pose",
  numbers: "readonly number[]",
  floats: "Float64Array",
};

export function makeDeclarations(table) {
  const sections = {};
  const add = (section, text) => {
    if (section !== undefined)
      sections[section] = `${sections[section] === undefined ? "" : `${sections[section]}\n`}${text}`;
  };
  for (const each of Object.values(table.enums))
    add(each.section, `${comment(each.doc)}${typeAlias(each.name, quoted(each))}`);
  for (const record of table.requests) add(record.section, declared(table, record, false));
  for (const union of table.unions) add(union.section, typeAlias(union.name, union.members));
  for (const record of table.replies) add(record.section, declared(table, record, true));
  return sections;
}

const quoted = ({ words }) => Object.keys(words).map((word) => JSON.stringify(word));

function typeAlias(name, members) {
  const line = `export type ${name} = ${members.join(" | ")};\n`;
  return line.length <= WIDTH + 1
    ? line
    : `export type ${name} =\n${members.map((each) => `  | ${each}`).join("\n")};\n`;
}

function comment(doc, indent = "") {
  if (!doc) return "";
  const line = `${indent}/** ${doc} */\n`;
  if (line.length <= WIDTH + 1) return line;
  return `${indent}/**\n${wrapped(doc, WIDTH - 5 - indent.length)
    .map((each) => `${indent} * ${each}\n`)
    .join("")}${indent} */\n`;
}

function declared(table, record, isReply) {
  const base = record.base === undefined ? "" : ` extends ${record.base}`;
  const tag = record.tag === undefined ? "" : `  kind: ${JSON.stringify(record.tag)};\n`;
  const fields = record.fields.filter(({ hidden }) => !hidden).map((field) => member(table, field, isReply));
  return `${comment(record.doc)}export interface ${record.name}${base} {\n${tag}${fields.join("")}}\n`;
}

function member(table, field, isReply) {
  const may = isReply
    ? field.missing
    : field.local !== undefined || field.default !== undefined || field.optional || field.missing;
  const line = `  ${isReply ? "readonly " : ""}${field.name}${may ? "?" : ""}: ${field.local ?? field.ts ?? typeOf(table, field, isReply)};`;
  const doc = (field.doc ?? "").replace("{default}", "default {value}").replace("{value}", () => String(field.default));
  if (doc === "") return `${line}\n`;
  const short = `${line} // ${doc}\n`;
  return doc.endsWith(".") || short.length > WIDTH + 1 ? `${comment(doc, "  ")}${line}\n` : short;
}

function typeOf(table, field, isReply) {
  const one = typeOfOne(table, field, isReply);
  if (field.list) return `readonly ${one.includes(" ") ? `(${one})` : one}[]`;
  return isReply && field.optional ? `${one} | null` : one;
}

function typeOfOne(table, field, isReply) {
  if (field.kind === "record") return field.base;
  if (field.kind !== "enum") return (isReply ? REPLIED : REQUESTED)[field.kind] ?? "number";
  const { section, ts } = table.enums[field.base];
  return ts ?? (section === undefined ? quoted(table.enums[field.base]).join(" | ") : field.base);
}
