import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { EDITOR_SCHEMAS, editorSchema, type EditorSchema } from "./editor-schemas.ts";
import { SETTINGS } from "./settings/settings.ts";

function accepts(name: EditorSchema, value: unknown): boolean {
  const ajv = new Ajv({ strict: true, strictTypes: false, keywords: ["patternErrorMessage"] });
  return ajv.validate(editorSchema(name), value);
}

test("every setting is in the schema, with a description", () => {
  const { properties } = editorSchema("config") as { properties: Record<string, { description?: string }> };
  for (const key of Object.keys(SETTINGS)) assert.ok(properties[key]?.description, key);
});

const GOOD: readonly (readonly [EditorSchema, unknown])[] = [
  ["config", { $schema: "./schemas/config.json" }],
  [
    "config",
    {
      mode: "ask",
      models: { "openai/x": { price: { input: 1, output: 2 } } },
      roots: ["~/a"],
      mcpServers: { x: { command: "npx", otherClient: true } },
      hooks: [{ name: "a", on: "before_tool", action: { type: "block", reason: "no" } }],
      log: "debug:/tmp/log",
      profile: "careful",
      profiles: { careful: { mode: "plan" } },
    },
  ],
  ["policy", { mode: "auto", rules: [{ tool: "shell", command: ["git"], decision: "allow" }] }],
  ["mcp", { mcpServers: { x: { url: "https://h" } }, inputs: [] }],
];
const BAD: readonly (readonly [EditorSchema, unknown])[] = [
  ["config", { mode: "fast" }],
  ["config", { timeoutSecond: 5 }],
  ["config", { roots: ["relative"] }],
  ["config", { mcpServers: { x: { args: "a" } } }],
  ["config", { hooks: [{ name: "a", on: "before_tool", action: { type: "block" } }] }],
  ["policy", { rules: [{ decision: "maybe" }] }],
  ["mcp", { mcpServers: { x: { env: { A: 1 } } } }],
];
for (const [isGood, cases] of [
  [true, GOOD],
  [false, BAD],
] as const) {
  for (const [name, value] of cases) {
    test(`the ${name} schema ${isGood ? "accepts" : "rejects"} ${JSON.stringify(value)}`, () => {
      assert.equal(accepts(name, value), isGood);
    });
  }
}

test("a schema is plain JSON", () => {
  for (const name of EDITOR_SCHEMAS) {
    const schema = editorSchema(name);
    assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema);
  }
});
