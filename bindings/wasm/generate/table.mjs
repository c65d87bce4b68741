// SPDX-License-Identifier: Apache-2.0

// The table made ready for use: every type is known, names are split into kind and modifier.

/** Kinds of values that are neither enums nor records, and their types in C++. */
export const PRIMITIVES = {
  number: "double",
  real: "double",
  count: "std::size_t",
  integer: "int",
  flag: "bool",
  text: "std::string",
  bytes: "std::string",
  vec3: "Vec3",
  quat: "Quat",
  pair: "std::array<double, 2>",
  joint: "JointId",
  pose: "Pose",
  numbers: "std::vector<double>",
  floats: "std::vector<double>",
  handle: "const void*",
  view: "std::string_view",
};
const ARGUMENTS = new Set(["number", "real", "time", "count", "flag", "joint"]);
const ANSWERS = new Set(["number", "count", "integer", "flag", "address"]);

export const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Records that cross by themselves: others are parts of unions. */
export const isMessage = (record) => !record.parts;
export const isSent = (field) => field.local === undefined;
export const listed = (text, separator) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

/** The table with types resolved. Throws where it says something that nobody understands. */
export function checked({ includes, enums, requests, unions, replies, objects, calls }) {
  const records = { ...requests, ...replies };
  const resolve = (type, where) => {
    const [, base, mark = ""] = /^(\w+)(\[\]|\?)?$/.exec(type ?? "") ?? [];
    const kind = Object.hasOwn(PRIMITIVES, base) ? base : Object.hasOwn(enums, base) ? "enum" : "record";
    if (kind === "record" && !Object.hasOwn(records, base ?? ""))
      throw new Error(`${where} has the unknown type '${type}': it is a primitive, an enum or a record of the table`);
    return { base, kind, list: mark === "[]", optional: mark === "?" };
  };
  const withTypes = (group) =>
    Object.entries(group).map(([name, record]) => ({
      name,
      ...record,
      cpp: record.cpp ?? name,
      own: record.own ?? record.cpp === undefined,
      fields: record.fields.map((field) => withType(field, `${name}.${field.name}`)),
    }));
  const withType = (field, where) => {
    if (!isSent(field)) return field;
    const type = resolve(field.type, where);
    if (type.kind === "enum" && field.default !== undefined && !Object.hasOwn(enums[type.base].words, field.default))
      throw new Error(`${where} has the default '${field.default}', which is no word of ${type.base}`);
    return { ...field, cpp: field.cpp ?? snakeCase(field.name), ...type };
  };
  const byName = Object.fromEntries(Object.entries(enums).map(([name, each]) => [name, { name, ...each }]));
  return {
    includes,
    enums: byName,
    requests: withTypes(requests),
    unions: Object.entries(unions).map(([name, union]) => ({ name, ...union })),
    replies: withTypes(replies),
    objects,
    calls: Object.entries(calls).map(([name, text]) => parseCall(name, text, { enums, objects, replies })),
  };
}

function parseCall(name, text, { enums, objects, replies }) {
  const [argumentText, answer = ""] = text.split("->").map((part) => part.trim());
  const args = listed(argumentText, ",").map((each) => {
    const [, argument, type, mark] = /^(\w+): (\w+)(\?)?$/.exec(each) ?? [];
    const kind = ARGUMENTS.has(type)
      ? type
      : Object.hasOwn(enums, type)
        ? "enum"
        : Object.hasOwn(objects, type)
          ? "object"
          : null;
    if (kind === null) throw new Error(`the call ${name} has the unknown argument '${each}'`);
    return { name: argument, type, kind, optional: mark === "?" };
  });
  const [, how, what] = /^(reply|result) (\w+)$/.exec(answer) ?? [];
  const object = answer.replace("!", "");
  const known =
    answer === "" || ANSWERS.has(answer) || Object.hasOwn(objects, object) || (how && Object.hasOwn(replies, what));
  if (!known) throw new Error(`the call ${name} has the unknown answer '${answer}'`);
  const kind = how ?? (Object.hasOwn(objects, object) ? "object" : answer);
  return { name, args, answer: { kind, name: what ?? object } };
}
