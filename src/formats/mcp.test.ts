import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonSchema } from "../core/json.ts";
import type { Effects, Risk, ToolSpec } from "../core/spec.ts";
import { toMcpTool } from "./mcp.ts";

function spec(more: Partial<ToolSpec> = {}): ToolSpec {
  const defaults = { name: "t", description: "", risk: "medium", place: "host", source: "app" } as const;
  return { ...defaults, effects: "unsafe", input: { type: "object" }, ...more };
}

const HINTS: readonly (readonly [Effects, Risk, JsonObject])[] = [
  ["none", "low", { readOnlyHint: true }],
  ["own-state", "low", { readOnlyHint: false, destructiveHint: false }],
  ["idempotent", "medium", { readOnlyHint: false, idempotentHint: true }],
  ["idempotent", "high", { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ["unsafe", "medium", { readOnlyHint: false }],
  ["unsafe", "high", { readOnlyHint: false, destructiveHint: true }],
];

for (const [effects, risk, expected] of HINTS)
  test(`effects ${effects} at risk ${risk} give only the hints that are known`, () => {
    assert.deepEqual(toMcpTool(spec({ effects, risk }), "t")["annotations"], expected);
  });

test("the tool's own schema is passed unchanged, $schema included", () => {
  const input = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    anyOf: [{ required: ["a"] }],
  };
  assert.equal(toMcpTool(spec({ input }), "t")["inputSchema"], input);
});

test("a schema without a type, or with true for a property, is repaired", () => {
  const input = { properties: { a: true, b: false, c: { type: "string" } } };
  assert.deepEqual(toMcpTool(spec({ input }), "t")["inputSchema"], {
    properties: { a: {}, b: { not: {} }, c: { type: "string" } },
    type: "object",
  });
});

const OUTPUTS: Readonly<Record<string, readonly [JsonSchema, JsonObject | undefined]>> = {
  "an object is itself": [
    { type: "object", properties: {} },
    { type: "object", properties: {} },
  ],
  "a list is wrapped": [
    { type: "array", items: {} },
    { type: "object", properties: { result: { type: "array", items: {} } }, required: ["result"] },
  ],
  "a value that may or may not be an object promises nothing": [{ type: ["object", "null"] }, undefined],
  "a list with refs promises nothing": [
    { type: "array", items: { $ref: "#/$defs/a" }, $defs: { a: {} } },
    undefined,
  ],
  "anything promises nothing": [true, undefined],
};

for (const [name, [output, expected]] of Object.entries(OUTPUTS))
  test(`as output, ${name}`, () => {
    assert.deepEqual(toMcpTool(spec({ output }), "t")["outputSchema"], expected);
  });
