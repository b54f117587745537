import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/json.ts";
import { declareTools } from "./declarations.ts";

function typeOf(schema: JsonObject): string {
  const input = { type: "object", properties: { x: schema }, required: ["x"] };
  const tool = { name: "t", description: "", input };
  const text = declareTools([tool], { isFull: false, dataOf: () => undefined });
  return /input: \{ x: (.*) \}\)/.exec(text)?.[1] ?? text;
}

for (const [schema, type] of [
  [{ type: "integer" }, "number"],
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ const: true }, "true"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ anyOf: [{ type: "string" }, { type: "array", items: { enum: ["a", "b"] } }] }, 'string | ("a" | "b")[]'],
  [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [{ type: "object", properties: { "a-b": {}, c: {} }, required: ["c"] }, '{ "a-b"?: unknown; c: unknown }'],
  [{ type: "object", additionalProperties: false }, "{}"],
  [{ $ref: "#/$defs/x" }, "unknown"],
] as const) {
  test(`${JSON.stringify(schema)} is declared as ${type}`, () => {
    assert.equal(typeOf(schema), type);
  });
}

test("a declaration has the first sentence of the description, the type of the data, and the full comments on request", () => {
  const tool = {
    name: "my-tool",
    description: "Closes */ comments. And more.",
    input: { type: "object", properties: { a: { type: "string", description: "The a" } } },
  };
  const dataOf = () => ({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] });
  assert.equal(
    declareTools([tool], { isFull: false, dataOf }),
    'declare const tools: {\n  /** Closes * / comments. */\n  "my-tool"(input?: { a?: string }): Promise<Answer<{ n: number }>>;\n};',
  );
  assert.match(
    declareTools([tool], { isFull: true, dataOf }),
    /And more\. \*\/\n.*\/\*\* The a \*\/ a\?: string/,
  );
});
