// Prints the cost of validation: the quick validator, the full one and Ajv, on a two-number schema and a nested one.
import { createRequire } from "node:module";
import type { Ajv, Options } from "ajv";
import type { Json, JsonObject } from "../src/core/json.ts";
import { nearNames } from "../src/util/text/near-names.ts";
import { loadFull } from "../src/json-schema/compile-schema.ts";
import { createValidator } from "../src/schema/validate.ts";
import { describeProblems } from "../src/json-schema/problems/findings.ts";

const TWO: JsonObject = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
  additionalProperties: false,
};
const NESTED: JsonObject = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 1, maxLength: 200 },
    body: { type: "string" },
    priority: { type: "integer", minimum: 1, maximum: 5 },
    state: { type: "string", enum: ["open", "closed", "merged"] },
    labels: { type: "array", items: { type: "string" }, maxItems: 20 },
    draft: { type: "boolean" },
    author: {
      type: "object",
      properties: { name: { type: "string" }, email: { type: "string", pattern: "^[^@]+@[^@]+$" } },
      required: ["name"],
      additionalProperties: false,
    },
    due: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
    weight: { type: "number", exclusiveMinimum: 0 },
    assignee: { anyOf: [{ type: "string" }, { type: "null" }] },
    range: {
      type: "object",
      properties: { from: { type: "integer" }, to: { type: "integer" } },
      required: ["from", "to"],
    },
    retries: { type: "integer", minimum: 0 },
  },
  required: ["title", "state"],
  additionalProperties: false,
};
const TWO_TEXT = '{"a":1,"b":2.5}';
const NESTED_TEXT = JSON.stringify({
  title: "Fix the roof",
  body: "It leaks",
  priority: 3,
  state: "open",
  labels: ["house", "urgent"],
  draft: false,
  author: { name: "Ada", email: "ada@example.org" },
  due: "2025-01-31",
  weight: 1.5,
  assignee: null,
  range: { from: 1, to: 9 },
  retries: 2,
});

const require = createRequire(import.meta.url);
const started = performance.now();
const Class = (require("ajv/dist/2020.js") as { readonly default: new (options: Options) => Ajv }).default;
console.log(`load Ajv                       ${(performance.now() - started).toFixed(1)} ms`);

const startedFull = performance.now();
await loadFull();
console.log(`load the full validator        ${(performance.now() - startedFull).toFixed(1)} ms`);

for (const [name, schema, text] of [
  ["two numbers", TWO, TWO_TEXT],
  ["12 fields, nested", NESTED, NESTED_TEXT],
] as const) {
  const first = performance.now();
  createValidator(schema).check(parse(text));
  console.log(`${name}: first check cold   ${((performance.now() - first) * 1000).toFixed(0)} µs`);
  console.log(
    `${name}: compile and check  ${micros(2_000, () => createValidator(schema).check(parse(text)))} µs`,
  );
  const values = Array.from({ length: 64 }, () => parse(text));
  const ours = createValidator(schema);
  const ajv = new Class({ strict: false, ownProperties: true }).compile(schema);
  console.log(`${name}: parse alone        ${micros(200_000, () => parse(text))} µs`);
  console.log(`${name}: valid, ours        ${micros(500_000, (turn) => ours.check(values[turn & 63]!))} µs`);
  const full = { ...schema, $anchor: "a" };
  const rare = createValidator(full);
  console.log(
    `${name}: full, compile      ${micros(500, () => createValidator(full).check(parse(text)))} µs`,
  );
  console.log(`${name}: valid, full        ${micros(200_000, (turn) => rare.check(values[turn & 63]!))} µs`);
  console.log(`${name}: valid, Ajv         ${micros(500_000, (turn) => ajv(values[turn & 63]))} µs`);
}

const bad = { ...(parse(NESTED_TEXT) as JsonObject), priority: 9, title: 5, stat: "open" };
const strict = createValidator(NESTED);
console.log(
  `3 problems                     ${micros(50_000, () => strict.check(structuredCloneOf(bad)))} µs`,
);
const checked = strict.check(structuredCloneOf(bad));
const problems = checked.ok ? [] : checked.problems;
console.log(`3 problems described           ${micros(50_000, () => describeProblems(problems))} µs`);
const text = { a: "1", b: 2 };
const two = createValidator(TWO);
console.log(`one problem in two numbers     ${micros(50_000, () => two.check({ a: true, b: 2 }))} µs`);
console.log(`one number coerced             ${micros(50_000, () => two.check({ ...text }))} µs`);

const names = Array.from({ length: 10_000 }, (_, index) => `server${index % 60}__tool_${index}_read`);
console.log(
  `near names among 10 000        ${micros(20, () => nearNames("server5__tol_123_read", names))} µs`,
);

globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const validators = Array.from({ length: 100_000 }, () => createValidator(TWO));
globalThis.gc?.();
console.log(
  `createValidator                ${((process.memoryUsage().heapUsed - before) / validators.length).toFixed(0)} bytes`,
);
console.log(describeProblems(problems));

function parse(json: string): Json {
  return JSON.parse(json) as Json;
}

function structuredCloneOf(value: JsonObject): Json {
  return { ...value };
}

function micros(turns: number, work: (turn: number) => unknown): string {
  for (let turn = 0; turn < turns; turn += 1) work(turn);
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    for (let turn = 0; turn < turns; turn += 1) work(turn);
    best = Math.min(best, performance.now() - start);
  }
  return ((best / turns) * 1000).toFixed(3);
}
