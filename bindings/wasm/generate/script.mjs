// SPDX-License-Identifier: Apache-2.0

// The JavaScript side: writers of requests, readers of replies, and a function for each call.
import { defaulted } from "./cpp.mjs";
import { isMessage, isSent } from "./table.mjs";

export function makeScript(table) {
  const requests = table.requests.filter(isMessage);
  return `// SPDX-License-Identifier: Apache-2.0

// Made by generate.mjs of protocol.mjs, which is the file to change.
import { choice, countOf, finite, numbersOf } from "./checks.js";

// Words, in the order of the engine's values.
${Object.values(table.enums)
  .map(({ list, words }) => `export const ${list} = ${JSON.stringify(Object.keys(words))};\n`)
  .join("")}
// Requests become numbers at the end of \`out\`; joints are those of \`skeleton\`.

${requests.map((record) => writer(table, record)).join("")}${table.unions.map((union) => unionWriter(table, union)).join("")}
/** Writers of the requests that may be left out whole, in the order of protocolDefaults. */
export const DEFAULTED = [${defaulted(table)
    .map(({ name }) => `write${name}`)
    .join(", ")}];

// Replies become plain values, in \`into\` where one is given.

${table.replies.map((record) => reader(table, record)).join("")}
/** The calls of an engine whose memory this is, as functions that check what they are given. */
export function makeCalls(memory) {
  const { exports } = memory;
  return {
${table.calls.map((call) => `    ${caller(table, call)},\n`).join("")}  };
}
`;
}

function label(table, field) {
  if (field.label !== undefined) return JSON.stringify(field.label);
  if (field.kind === "enum") return JSON.stringify(table.enums[field.base].label);
  return JSON.stringify(`the ${words(field.name)}`);
}
const words = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function encoded(table, field, value) {
  const named = label(table, field);
  if (field.list)
    return `out.push(${value}.length);\n  for (const each of ${value}) ${encoded(table, { ...field, list: false }, "each")}`;
  if (field.optional && !["enum", "joint", "pose"].includes(field.kind))
    return `out.push(${value} === undefined ? 0 : 1);\n  if (${value} !== undefined) ${encoded(table, { ...field, optional: false }, value)}`;
  switch (field.kind) {
    case "enum": {
      const index = `choice(${table.enums[field.base].list}, ${value}, ${named})`;
      return field.optional ? `out.push(${value} === undefined ? -1 : ${index});` : `out.push(${index});`;
    }
    case "record":
      return `write${field.base}(out, ${value}, skeleton);`;
    case "number":
      return `out.push(finite(${value}, ${named}));`;
    case "real":
      return `out.push(Number(${value}));`;
    case "count":
      return `out.push(countOf(${value}, 0, ${named}));`;
    case "integer":
      return `out.push(Math.trunc(${value}));`;
    case "flag":
      return `out.push(${value} ? 1 : 0);`;
    case "vec3":
      return `out.push(...numbersOf(${value}, 3, ${named}));`;
    case "quat":
      return `out.push(...numbersOf(${value}, 4, ${named}));`;
    case "joint":
      return field.optional
        ? `out.push(${value} === undefined ? -1 : skeleton.jointIndex_(${value}));`
        : `out.push(skeleton.jointIndex_(${value}));`;
    case "numbers":
      return `out.push(${value}.length);\n  for (let i = 0; i < ${value}.length; ++i) out.push(Number(${value}[i]));`;
    default: // a pose
      return field.optional
        ? `if (${value} === undefined) out.push(0);\n  else skeleton.pushPose_(out, ${value});`
        : `skeleton.pushPose_(out, ${value});`;
  }
}

function fieldLine(table, field) {
  if (field.default === undefined) return `  ${encoded(table, field, `value.${field.name}`)}\n`;
  const value = `value.${field.name} ?? ${JSON.stringify(field.default)}`;
  if (field.list || field.kind === "numbers")
    return `  const ${field.name} = ${value};\n  ${encoded(table, field, field.name)}\n`;
  return `  ${encoded(table, field, field.kind === "flag" ? `(${value})` : value)}\n`;
}

function writer(table, record) {
  const lines = record.fields.filter(isSent).map((field) => fieldLine(table, field));
  const takesSkeleton = /skeleton/.test(lines.join(""));
  return `export function write${record.name}(out, value${takesSkeleton ? ", skeleton" : ""}) {\n${lines.join("")}}\n\n`;
}

function unionWriter(table, union) {
  const base = table.requests.find(({ name }) => name === union.base);
  const members = union.members.map((name) => table.requests.find((record) => record.name === name));
  const lines = base.fields.map((field) => fieldLine(table, field));
  const kinds = `${union.name.toUpperCase()}_KINDS`;
  return `/** The kinds that the engine knows, in its order. */
const ${kinds} = ${JSON.stringify(members.map(({ tag }) => tag))};
const ${kinds}_WRITERS = [${members.map(({ name }) => `write${name}`).join(", ")}];

export function write${union.name}(out, value, skeleton) {
${lines.join("")}  const kind = choice(${kinds}, value.kind, ${JSON.stringify(union.label)});
  out.push(kind);
  ${kinds}_WRITERS[kind](out, value, skeleton);
}
`;
}

function decoded(table, field) {
  if (field.list && field.kind === "joint") return "reply.numbers(reply.number())";
  if (field.list) return `reply.list(() => ${decoded(table, { ...field, list: false, each: true })})`;
  switch (field.kind) {
    case "enum":
      return `${table.enums[field.base].list}[reply.number()]${field.optional ? " ?? null" : ""}`;
    case "record":
      return field.optional
        ? `reply.flag() ? read${field.base}(reply) : null`
        : `read${field.base}(reply${field.each ? "" : `, into.${field.name}`})`;
    case "flag":
      return "reply.flag()";
    case "text":
      return "reply.text()";
    case "bytes":
      return "reply.bytes(reply.number())";
    case "vec3":
      return "reply.numbers(3)";
    case "quat":
      return "reply.numbers(4)";
    case "pair":
      return "reply.numbers(2)";
    case "numbers":
      return "reply.numbers(reply.number())";
    case "pose":
      return "reply.floats()";
    case "floats":
      return `reply.floats(into.${field.name})`;
    case "view":
      return "reply.view()";
    default:
      return "reply.number()";
  }
}

function reader(table, record) {
  const lines = record.fields.filter(isSent).map((field) => `  into.${field.name} = ${decoded(table, field)};\n`);
  return `export function read${record.name}(reply, into = {}) {\n${lines.join("")}  return into;\n}\n\n`;
}

function passed(table, { name, type, kind, optional }) {
  switch (kind) {
    case "object":
      return optional ? `${name} == null ? 0 : memory.pointerOf(${name})` : `memory.pointerOf(${name})`;
    case "joint":
      return optional ? `${name} ?? -1` : name;
    case "time":
      return `finite(${name}, "a time")`;
    case "number":
      return `finite(${name}, ${JSON.stringify(`the ${words(name)}`)})`;
    case "count":
      return `countOf(${name}, 0, ${JSON.stringify(`the ${words(name)}`)})`;
    case "flag":
      return `${name} ? 1 : 0`;
    case "enum": {
      const index = `choice(${table.enums[type].list}, ${name}, ${JSON.stringify(table.enums[type].label)})`;
      return optional ? `${name} === undefined ? -1 : ${index}` : index;
    }
    default:
      return name;
  }
}

function caller(table, call) {
  const called = `exports.${call.name}(${call.args.map((each) => passed(table, each)).join(", ")})`;
  const start = `${call.name}(${call.args.map(({ name }) => name).join(", ")})`;
  switch (call.answer.kind) {
    case "reply":
      return `${start} {\n      ${called};\n      return memory.replied(read${call.answer.name});\n    }`;
    case "result":
      return `${start} {\n      return memory.result(${called}, read${call.answer.name});\n    }`;
    case "flag":
      return `${start} {\n      return ${called} !== 0;\n    }`;
    default:
      return `${start} {\n      return ${called};\n    }`;
  }
}
