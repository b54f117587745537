import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { call, codeOf } from "../../../../test/support/engines/engine.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../../../../test/support/files/shared-data.ts";
import { mcpEngine, rawServer, toolOf } from "../../../../test/support/servers/mcp.ts";
import { engineOf, names, reasons } from "../../../../test/support/engines/sources.ts";
import type { ToolSource } from "../../../core/source.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { readDefinitions } from "./definition.ts";
import { createCalls } from "../connection/calls.ts";
import { toTool } from "./to-tool.ts";

interface Listed {
  readonly server: string;
  readonly tool: { readonly name: string; readonly inputSchema: object };
}

const options = { skip: withoutSharedData };

/** An engine with the tools that these servers list, as if they were connected. */
async function engineWith(t: TestContext, servers: ReadonlyMap<string, readonly unknown[]>): Promise<Engine> {
  const engine = engineOf(t);
  for (const [name, listed] of servers) {
    const { definitions, problems } = readDefinitions(name, listed);
    const connect = () => Promise.reject(new Error("there is no server"));
    const nothing = () => undefined;
    const caller = { name, connect, current: nothing, drop: nothing, calls: createCalls() };
    const tools = definitions.map((one) => toTool(one, caller, {}));
    const source: ToolSource = { name: `mcp:${name}`, load: async () => ({ tools, problems }) };
    engine.sources.add(source);
  }
  await engine.sources.settled();
  return engine;
}

test("every real tool is registered, with the schema of the server unchanged", options, async (t) => {
  const listed = readJsonLines(sharedData("mcp-tools.jsonl")) as readonly Listed[];
  const servers = new Map<string, Listed["tool"][]>();
  for (const { server, tool } of listed) servers.set(server, [...(servers.get(server) ?? []), tool]);
  const engine = await engineWith(t, servers);
  assert.deepEqual(engine.sources.problems(), []);
  assert.equal(engine.list().length, listed.length);
  const inputs = new Set(engine.list().map(({ input }) => JSON.stringify(input)));
  for (const { tool } of listed) assert.ok(inputs.has(JSON.stringify(tool.inputSchema)), tool.name);
});

test("real tools whose schemas lack a type accept objects", options, async (t) => {
  const { tools } = JSON.parse(readFileSync(sharedData("mcp-tools-malformed.json"), "utf8")) as {
    readonly tools: readonly unknown[];
  };
  const engine = await engineWith(t, new Map([["gitlab", tools]]));
  assert.deepEqual(engine.sources.problems(), []);
  assert.ok(
    engine.list().length === tools.length && engine.list().every(({ input }) => input["type"] === "object"),
  );
});

test("an unusable definition is a problem and does not affect the others", async (t) => {
  const bad = [
    { description: "no name" },
    "no object",
    { name: "list", inputSchema: [] },
    { name: "text", inputSchema: { type: "string" } },
    toolOf("loop", { inputSchema: { type: "object", $ref: "#" } }),
    toolOf("remote", { inputSchema: { type: "object", $ref: "http://127.0.0.1:9/schema.json" } }),
    toolOf("dangling", { inputSchema: { type: "object", properties: { a: { $ref: "#/nowhere" } } } }),
    toolOf("pattern", {
      inputSchema: { type: "object", properties: { a: { type: "string", pattern: "(a" } } },
    }),
    toolOf("huge", { inputSchema: { type: "object", description: "x".repeat(5_000_000) } }),
    toolOf("output", { outputSchema: { $ref: "http://127.0.0.1:9/schema.json" } }),
  ];
  const raw = rawServer(t, { tools: [...bad, toolOf("echo")] });
  const { engine } = await mcpEngine(t, { server: raw.server });
  assert.deepEqual(names(engine), ["raw__echo"]);
  assert.deepEqual(reasons(engine.sources.problems()).toSorted(), [
    "mcp:raw raw__dangling bad_schema",
    "mcp:raw raw__huge bad_schema",
    "mcp:raw raw__list bad_schema",
    "mcp:raw raw__loop bad_schema",
    "mcp:raw raw__output bad_schema",
    "mcp:raw raw__pattern bad_schema",
    "mcp:raw raw__remote bad_schema",
    "mcp:raw raw__text bad_schema",
    "mcp:raw tool 1 of raw bad_name",
    "mcp:raw tool 2 of raw bad_name",
  ]);
});

test("a pattern that would never end is tried under a time limit", async (t) => {
  const inputSchema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  const raw = rawServer(t, { tools: [toolOf("slow", { inputSchema })] });
  const { engine } = await mcpEngine(t, { server: raw.server });
  const result = await engine.run(call("raw__slow", { a: `${"a".repeat(64)}!` }));
  assert.equal(codeOf(result), "INVALID_INPUT");
});

test("deeply nested definitions, and ones with prototype keys, are read safely", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`) as object;
  const { definitions, problems } = readDefinitions("s", [
    toolOf("deep", { inputSchema: { type: "object", default: deep } }),
    JSON.parse(
      '{"name":"proto","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}',
    ),
    { name: "__proto__", inputSchema: { type: "object" } },
  ]);
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    ["bad_schema"],
  );
  assert.deepEqual(
    definitions.map(({ definition }) => definition.name),
    ["proto", "__proto__"],
  );
  assert.deepEqual(Object.keys(definitions[0]?.definition.input["properties"] ?? {}), ["__proto__"]);
});
