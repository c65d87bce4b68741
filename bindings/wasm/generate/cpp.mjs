// SPDX-License-Identifier: Apache-2.0

// The C++ side: structs, readers of requests, writers of replies, and the module's exports.
import { PRIMITIVES, isMessage, isSent, snakeCase } from "./table.mjs";

const HEAD = `// SPDX-License-Identifier: Apache-2.0

// Made by generate.mjs of protocol.mjs, which is the file to change.
// clang-format off
`;

export function makeHeader(table) {
  const ownEnums = Object.values(table.enums).filter((each) => each.own);
  const requests = table.requests.filter(isMessage);
  const structs = [...requests, ...inOrder(table.replies)].filter((record) => record.own);
  return `${HEAD}#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/wasm/native/exchange.h"
#include "bindings/wasm/native/objects.h"
${table.includes.map((name) => `#include "${name}"\n`).join("")}
namespace ulna::engine {

${ownEnums.map(ownEnum).join("")}
// The values in the order of their words.
${Object.values(table.enums).map(enumValues).join("")}
${structs.map((record) => struct(table, record)).join("")}${table.unions.map((union) => unionStruct(table, union)).join("")}
${requests.map((record) => `void read(Reader& in, ${record.cpp}& out);\n`).join("")}${table.unions.map((union) => `void read(Reader& in, ${union.cpp}& out);\n`).join("")}
/// The request that stands in the input, from its n-th number on.
template <class Request>
[[nodiscard]] Request readRequest(std::size_t first = 0) {
    Reader in(first);
    Request out;
    read(in, out);
    return out;
}

${table.replies.map((record) => `void put(const ${record.cpp}& value);\n`).join("")}
// What the calls do: each is implemented in this folder.
${table.calls.map((call) => `${signature(table, call)};\n`).join("")}
}  // namespace ulna::engine
`;
}

export function makeSource(table) {
  const requests = table.requests.filter(isMessage);
  return `${HEAD}#include "bindings/wasm/native/protocol.h"

namespace ulna::engine {
namespace {

template <class Value, std::size_t n>
double indexIn(const Value (&values)[n], Value value) {
    for (std::size_t i = 0; i < n; ++i)
        if (values[i] == value) return static_cast<double>(i);
    return -1.0;
}

}  // namespace

${requests.map((record) => reader(table, record)).join("")}${table.unions.map((union) => unionReader(table, union)).join("")}
${table.replies.map((record) => writer(table, record)).join("")}
namespace {

// Requests as replies: what C++ takes for the defaults.
${defaulted(table)
  .map((record) => writer(table, record, `putDefaults${record.name}`))
  .join("")}
}  // namespace

extern "C" {

${Object.entries(table.objects)
  .map(([name, cpp]) => exported("void", `${lowerFirst(name)}Free`, [`const ${cpp}* object`], ["delete object;"]))
  .join("")}
/// The defaults of a request as C++ has them: engine.js's are to be the same.
${exported("void", "protocolDefaults", ["int request"], ["clearReply();", ...defaulted(table).map((record, i) => `if (request == ${i}) putDefaults${record.name}({});`)])}
${table.calls.map((call) => exportedCall(table, call)).join("")}
}  // extern "C"

}  // namespace ulna::engine
`;
}

/** Requests that can be left out whole: their defaults are compared. */
export const defaulted = (table) =>
  table.requests
    .filter((record) => isMessage(record) && record.base === undefined)
    .filter(({ fields }) => fields.filter(isSent).every((field) => field.default !== undefined || field.optional));

const lowerFirst = (name) => name[0].toLowerCase() + name.slice(1);
const valuesOf = ({ list }) => `k${list.toLowerCase().replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase())}`;
const qualified = ({ cpp }, value) => (cpp === "int" ? value : `${cpp}::${value}`);

function ownEnum({ doc, cpp, words }) {
  return `/// ${wrapped(doc, 96).join("\n/// ")}\nenum class ${cpp} : int { ${Object.values(words).join(", ")} };\n`;
}

function enumValues(each) {
  const values = Object.values(each.words).map((value) => qualified(each, value));
  return `inline constexpr ${each.cpp} ${valuesOf(each)}[] = {${values.join(", ")}};\n`;
}

/** Records after those that they consist of. */
function inOrder(records) {
  const out = [];
  const add = (record) => {
    if (out.includes(record)) return;
    for (const field of record.fields.filter(isSent))
      if (field.kind === "record") add(records.find(({ name }) => name === field.base));
    out.push(record);
  };
  records.forEach(add);
  return out;
}

function typeOf(table, field) {
  const records = [...table.requests, ...table.replies];
  const one =
    field.kind === "enum"
      ? table.enums[field.base].cpp
      : field.kind === "record"
        ? records.find(({ name }) => name === field.base).cpp
        : PRIMITIVES[field.base];
  if (field.list) return `std::vector<${one}>`;
  return field.optional && field.kind !== "joint" ? `std::optional<${one}>` : one;
}

function initial(table, field) {
  if (field.kind === "joint" && !field.list) return "JointId::None";
  if (field.default === undefined || typeof field.default === "object") return "{}";
  if (field.kind === "enum") return qualified(table.enums[field.base], table.enums[field.base].words[field.default]);
  return String(field.default);
}

function struct(table, record) {
  const members = record.fields
    .filter(isSent)
    .map((field) => `    ${typeOf(table, field)} ${field.cpp} = ${initial(table, field)};\n`);
  return `struct ${record.cpp} {\n${members.join("")}};\n\n`;
}

const membersOf = (table, union) => union.members.map((name) => table.requests.find((record) => record.name === name));
const baseOf = (table, union) => table.requests.find(({ name }) => name === union.base);

function unionStruct(table, union) {
  const kinds = membersOf(table, union)
    .map(({ cpp }) => cpp)
    .join(", ");
  const members = baseOf(table, union).fields.map(
    (field) => `    ${typeOf(table, field)} ${field.cpp} = ${initial(table, field)};\n`,
  );
  return `struct ${union.cpp} {\n${members.join("")}    std::variant<${kinds}> kind = {};\n};\n`;
}

function readLine(table, field, to = `out.${field.cpp}`) {
  if (field.list) {
    const each = readLine(table, { ...field, list: false }, "each");
    return `${to}.resize(in.size());\n    for (auto& each : ${to}) ${each}`;
  }
  if (field.kind === "enum") {
    const from = `${valuesOf(table.enums[field.base])}`;
    return field.optional
      ? `if (const int which = in.integer(); which >= 0) ${to} = ${from}[which];`
      : `${to} = ${from}[in.size()];`;
  }
  if (field.kind === "record") return `read(in, ${to});`;
  if (field.kind === "numbers") return `${to}.resize(in.size());\n    for (double& each : ${to}) each = in.number();`;
  if (field.kind === "pose") return `${to} = in.pose();`;
  const method = { number: "number", real: "number", flag: "flag", vec3: "vec3", quat: "quat", joint: "joint" }[
    field.kind
  ];
  if (method !== undefined && field.optional && field.kind !== "joint") return `if (in.flag()) ${to} = in.${method}();`;
  if (method !== undefined) return `${to} = in.${method}();`;
  if (field.kind === "count" || field.kind === "integer") return `${to} = static_cast<decltype(${to})>(in.number());`;
  throw new Error(`a request cannot hold '${field.type}' (${field.name})`);
}

function reader(table, record) {
  const lines = record.fields.filter(isSent).map((field) => `    ${readLine(table, field)}\n`);
  return `void read(Reader& in, ${record.cpp}& out) {\n${lines.join("")}}\n\n`;
}

function unionReader(table, union) {
  const base = baseOf(table, union).fields.map((field) => `    ${readLine(table, field)}\n`);
  const cases = membersOf(table, union).map(
    ({ cpp }, i) => `        case ${i}:\n            read(in, out.kind.emplace<${cpp}>());\n            break;\n`,
  );
  return `void read(Reader& in, ${union.cpp}& out) {\n${base.join("")}    switch (in.integer()) {\n${cases.join("")}        default:\n            break;\n    }\n}\n\n`;
}

function putLine(table, field, from) {
  if (field.list) {
    const size = `put(static_cast<double>(${from}.size()));`;
    // Of requests only defaults are put, and a list is empty by default.
    if (field.default !== undefined) return size;
    return `${size}\n    for (const auto& each : ${from}) ${putLine(table, { ...field, list: false }, "each")}`;
  }
  if (field.kind === "enum") {
    const values = valuesOf(table.enums[field.base]);
    return field.optional ? `put(${from} ? indexIn(${values}, *${from}) : -1.0);` : `put(indexIn(${values}, ${from}));`;
  }
  if (field.kind === "pose") return field.optional ? `${from} ? putPose(*${from}) : put(0.0);` : `putPose(${from});`;
  // A record that requests have is put for its defaults alone.
  if (field.kind === "record" && field.default !== undefined) return `putDefaults${field.base}(${from});`;
  if (field.kind === "record")
    return field.optional ? `put(${from} ? 1.0 : 0.0);\n    if (${from}) put(*${from});` : `put(${from});`;
  if (field.optional && field.kind !== "joint")
    return `put(${from} ? 1.0 : 0.0);\n    if (${from}) ${putLine(table, { ...field, optional: false }, `*${from}`)}`;
  switch (field.kind) {
    case "flag":
      return `put(${from} ? 1.0 : 0.0);`;
    case "text":
    case "bytes":
      return `put(std::string_view(${from}));`;
    case "vec3":
    case "quat":
      return `put(${from});`;
    case "pair":
      return `for (const double each : ${from}) put(each);`;
    case "numbers":
      return `put(static_cast<double>(${from}.size()));\n    for (const auto each : ${from}) put(static_cast<double>(each));`;
    case "floats":
      return `putNumbers(${from});`;
    case "handle":
      return `putAddress(${from});`;
    case "view":
      return `putAddress(${from}.data());\n    put(static_cast<double>(${from}.size()));`;
    default:
      return `put(static_cast<double>(${from}));`;
  }
}

function writer(table, record, name = "put") {
  const lines = record.fields
    .filter(isSent)
    .map((field) => `    ${putLine(table, field, field.expression ?? `value.${field.cpp}`)}\n`);
  return `void ${name}(const ${record.cpp}& value) {\n${lines.join("")}}\n\n`;
}

// What an implementation takes, and what the export takes and makes of it.
const VALUES = {
  number: "double",
  real: "double",
  time: "double",
  count: "std::size_t",
  flag: "bool",
  joint: "JointId",
};

function argument(table, { name, type, kind, optional }) {
  const cpp = snakeCase(name);
  if (kind === "object")
    return optional
      ? { taken: `${table.objects[type]}* ${cpp}`, raw: `${table.objects[type]}* ${cpp}`, given: cpp }
      : { taken: `${table.objects[type]}& ${cpp}`, raw: `${table.objects[type]}* ${cpp}`, given: `*${cpp}` };
  if (kind !== "enum") return { taken: `${VALUES[kind]} ${cpp}`, raw: `${VALUES[kind]} ${cpp}`, given: cpp };
  const each = table.enums[type];
  if (!optional) return { taken: `${each.cpp} ${cpp}`, raw: `int ${cpp}`, given: `${valuesOf(each)}[${cpp}]` };
  return {
    taken: `std::optional<${each.cpp}> ${cpp}`,
    raw: `int ${cpp}`,
    given: `${cpp} < 0 ? std::nullopt : std::optional(${valuesOf(each)}[${cpp}])`,
  };
}

const replyOf = (table, call) => table.replies.find(({ name }) => name === call.answer.name);

function answerType(table, call) {
  const { kind, name } = call.answer;
  if (kind === "object") return `${table.objects[name]}*`;
  if (kind === "reply") return replyOf(table, call).cpp;
  if (kind === "result") return `Result<${replyOf(table, call).cpp}>`;
  return (
    { number: "double", count: "std::size_t", integer: "int", flag: "bool", address: "const void*" }[kind] ?? "void"
  );
}

function signature(table, call) {
  const args = call.args.map((each) => argument(table, each).taken).join(", ");
  return `${call.answer.kind === "" ? "" : "[[nodiscard]] "}${answerType(table, call)} ${call.name}(${args})`;
}

function exportedCall(table, call) {
  const args = call.args.map((each) => argument(table, each));
  const called = `${call.name}(${args.map(({ given }) => given).join(", ")})`;
  const raw = args.map((each) => each.raw);
  if (call.answer.kind === "reply")
    return exported("void", call.name, raw, [`const auto reply = ${called};`, "clearReply();", "put(reply);"]);
  if (call.answer.kind === "result")
    return exported("bool", call.name, raw, [
      `const auto result = ${called};`,
      "clearReply();",
      "result ? put(*result) : put(result.error());",
      "return result.ok();",
    ]);
  const type = answerType(table, call);
  return exported(type, call.name, raw, [type === "void" ? `${called};` : `return ${called};`]);
}

function exported(type, name, args, lines) {
  return `__attribute__((export_name("${name}"))) ${type} ulna_${name}(${args.join(", ")}) {\n${lines.map((line) => `    ${line}\n`).join("")}}\n\n`;
}

export function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines[lines.length - 1];
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
