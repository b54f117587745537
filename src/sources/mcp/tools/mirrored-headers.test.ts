import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../core/json.ts";
import { readDefinitions } from "./definition.ts";

function tool(name: string, properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, inputSchema: { type: "object", properties, ...more } };
}

const REGION = { type: "string", "x-mcp-header": "Region" };

test("valid header parameters are accepted at any depth", () => {
  const listed = [
    tool("plain", { region: REGION, count: { type: "integer", "x-mcp-header": "Count" } }),
    tool("deep", { at: { type: "object", properties: { region: REGION } } }),
    tool("named_so", { "x-mcp-header": { type: "string" } }),
    tool("said_so", { region: { type: "string", default: { "x-mcp-header": "" } } }),
  ];
  assert.equal(readDefinitions("s", listed, true).definitions.length, 4);
});

const BAD: Readonly<Record<string, JsonObject>> = {
  "an empty name": tool("bad", { a: { type: "string", "x-mcp-header": "" } }),
  "a name with a space": tool("bad", { a: { type: "string", "x-mcp-header": "My Region" } }),
  "a name with a line break": tool("bad", { a: { type: "string", "x-mcp-header": "A\r\nB" } }),
  "a name that is none": tool("bad", { a: { type: "string", "x-mcp-header": 3 } }),
  "a number": tool("bad", { a: { type: "number", "x-mcp-header": "A" } }),
  "no type": tool("bad", { a: { "x-mcp-header": "A" } }),
  "one name for two": tool("bad", { a: REGION, b: { type: "string", "x-mcp-header": "REGION" } }),
  "a list's items": tool("bad", { a: { type: "array", items: REGION } }),
  "an alternative": tool("bad", {}, { anyOf: [{ properties: { a: REGION } }] }),
  "a definition": tool("bad", {}, { $defs: { a: REGION } }),
  "the whole input": tool("bad", {}, { "x-mcp-header": "A" }),
};

for (const [what, listed] of Object.entries(BAD)) {
  test(`a tool that marks ${what} as a header is refused, only if headers are sent`, () => {
    const { definitions, problems } = readDefinitions("s", [tool("good", {}), listed], true);
    assert.deepEqual(
      [
        definitions.map(({ definition }) => definition.name),
        problems.map(({ subject, reason }) => [subject, reason]),
      ],
      [["good"], [["s__bad", "bad_schema"]]],
    );
    assert.deepEqual(readDefinitions("s", [listed], false).problems, []);
  });
}
